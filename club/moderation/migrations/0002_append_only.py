"""The staff log is append-only: the database itself refuses to change or delete a line."""

from django.db import migrations

FORBID = """
CREATE FUNCTION moderation_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON moderation_stafflog
    FOR EACH ROW EXECUTE FUNCTION moderation_append_only();
"""

ALLOW = """
DROP TRIGGER append_only ON moderation_stafflog;
DROP FUNCTION moderation_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("moderation", "0001_initial")]
    operations = [migrations.RunSQL(FORBID, ALLOW)]
