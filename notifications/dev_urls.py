"""The mailbox of a development server; included only when `settings.DEV_MAILBOX` is on."""

from django.urls import path, register_converter

from notifications import dev_views


class MailName:
    """The name of a mail file as `backends.FileBackend` gives it; nothing else is ever opened."""

    regex = "[0-9]{1,20}-[0-9a-f]{8}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(MailName, "mail")

urlpatterns = [
    path("mail/", dev_views.mailbox, name="dev_mailbox"),
    path("mail/<mail:name>/", dev_views.mail, name="dev_mail"),
    path("mail/<mail:name>/html/", dev_views.html, name="dev_mail_html"),
]
