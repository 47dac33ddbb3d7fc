"""Mail as files, and the page of a development server that shows them."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest
from django.core.mail import EmailMultiAlternatives, send_mail
from django.urls import NoReverseMatch, reverse

from notifications import sending
from notifications.services import tell


@pytest.fixture
def folder(settings, tmp_path):
    settings.EMAIL_BACKEND = "notifications.backends.FileBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    return settings.EMAIL_FILE_PATH


def test_a_mail_is_a_file_that_mail_programs_open(member, folder):
    tell(member, "turn", about="turn:1", facts={"subject": "Ваш ход"})
    assert sending.send_all() == 1
    [file] = folder.iterdir()
    assert file.suffix == ".eml"
    mail = message_from_bytes(file.read_bytes(), policy=policy.default)
    assert (mail["Subject"], mail["To"]) == ("Ваш ход", member.email)


def test_the_mailbox_shows_the_newest_first(db, client, folder):
    for number in range(3):
        send_mail(f"Mail {number}", "Text", None, ["a@example.org"])
    page = client.get(reverse("dev_mailbox")).content.decode()
    assert page.index("Mail 2") < page.index("Mail 1") < page.index("Mail 0")


def test_an_empty_mailbox_is_a_page(db, client, folder):
    assert client.get(reverse("dev_mailbox")).status_code == 200


def test_a_mail_is_shown_as_text_and_its_html_can_do_nothing(db, client, folder):
    mail = EmailMultiAlternatives(
        "<b>Subject</b>", "Go to http://club.example/m/17/ <b>now</b>", None, ["a@example.org"]
    )
    mail.attach_alternative('<script>alert(1)</script><img src="cid:table">', "text/html")
    mail.send()
    name = next(folder.iterdir()).stem
    page = client.get(reverse("dev_mail", args=[name])).content.decode()
    assert 'href="http://club.example/m/17/"' in page
    assert "<b>" not in page
    html = client.get(reverse("dev_mail_html", args=[name]))
    policy_of_html = html["Content-Security-Policy"]
    assert policy_of_html.startswith("sandbox;")
    assert "default-src 'none'" in policy_of_html
    assert "script" not in policy_of_html


@pytest.mark.parametrize("name", ["../settings", "..", "1-00000000/..", "x", "1-0000000G", "1-00000000.eml"])
def test_no_other_file_has_an_address(name):
    with pytest.raises(NoReverseMatch):
        reverse("dev_mail", args=[name])


def test_a_file_that_is_not_there_is_not_found(db, client, folder):
    for name in ("dev_mail", "dev_mail_html"):
        assert client.get(reverse(name, args=["1-00000000"])).status_code == 404
