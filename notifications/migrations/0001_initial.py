

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('members', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DeadAddress',
            fields=[
                ('member', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='dead_address', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('address', models.EmailField(max_length=254)),
                ('why', models.CharField(max_length=40)),
                ('since', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=32)),
                ('about', models.CharField(max_length=64)),
                ('thread', models.CharField(blank=True, max_length=64)),
                ('facts', models.JSONField(default=dict)),
                ('send_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(null=True)),
                ('read_at', models.DateTimeField(null=True)),
                ('member', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('email', 'Email')], max_length=8)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('sent', 'Sent'), ('failed', 'Failed'), ('cancelled', 'Cancelled'), ('stale', 'Stale')], default='queued', max_length=9)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('next_try_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(null=True)),
                ('why', models.CharField(blank=True, max_length=40)),
                ('message_id', models.UUIDField(default=uuid.uuid4)),
                ('notice', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='notifications.notice')),
            ],
        ),
        migrations.CreateModel(
            name='Preference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=32)),
                ('channel', models.CharField(choices=[('email', 'Email')], max_length=8)),
                ('on', models.BooleanField()),
                ('member', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='preferences', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['about'], name='notice_about'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['member', '-send_at'], name='notice_inbox'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('member', 'kind', 'about', 'due_at'), name='notice_told_once', nulls_distinct=False),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'queued')), fields=['next_try_at'], name='delivery_due'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('notice', 'channel'), name='delivery_channel_once'),
        ),
        migrations.AddConstraint(
            model_name='preference',
            constraint=models.UniqueConstraint(fields=('member', 'kind', 'channel'), name='preference_once'),
        ),
    ]
