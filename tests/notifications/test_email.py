"""The mail itself, as a mail program gets it."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from django.urls import reverse

from notifications import sending, tokens, when
from notifications.channels.email import one_line
from notifications.services import tell

HOSTILE = "Player\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script> & \u202eco."


@pytest.fixture
def receive(office):
    """Tell a member something and return the mail that arrives."""

    def receive(member, slug="turn", about="turn:1", **telling) -> EmailMessage:
        tell(member, slug, about=about, **telling)
        assert sending.send_all() == 1
        return office.got.pop()[1]

    return receive


def plain(mail: EmailMessage) -> str:
    return part(mail, "plain")


def html(mail: EmailMessage) -> str:
    return part(mail, "html")


def part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return body.get_content()


@pytest.mark.parametrize("language", ["en", "ru", "az", "tr"])
def test_in_the_members_language_and_on_the_members_clock(make_member, db, receive, language):
    member = make_member(language=language)
    deadline = when.now() + timedelta(hours=4)
    mail = receive(member, due_at=deadline)
    moment = when.local_time(deadline, member)
    assert f'<html lang="{language}">' in html(mail)
    assert moment in html(mail)
    assert moment in plain(mail)


def test_both_parts_say_the_same_with_one_button(member, receive, settings):
    settings.SITE_URL = "https://club.example"
    mail = receive(member, facts={"line": "Leyla: 3 and 4.", "quote": ["Rauf: pass.", "Leyla: 5."]})
    for text in (plain(mail), html(mail)):
        for said in ("Leyla: 3 and 4.", "Rauf: pass.", "Leyla: 5.", "https://club.example/m/17/", "Play"):
            assert said in text
    assert html(mail).count('class="button"') == 1
    assert mail.get_content_type() == "multipart/alternative"
    assert len(mail.as_bytes()) < 30_000


def test_the_links_lead_to_pages_and_carry_no_session(member, receive, settings):
    """C81: a deep link, never a login; the only token is that of the unsubscribe link."""
    settings.SITE_URL = "https://club.example"
    links = set(re.findall(r'href="([^"]+)"', html(receive(member))))
    stop = "https://club.example" + reverse("unsubscribe", args=[tokens.write(tokens.Wish(member.pk, "turn"))])
    assert links == {"https://club.example/m/17/", "https://club.example" + reverse("notify_settings"), stop}


def test_heads_for_machines(member, receive, settings):
    settings.SITE_URL = "https://club.example"
    settings.DEFAULT_FROM_EMAIL = "The club <post@club.example>"
    mail = receive(member)
    assert mail["From"] == "The club <post@club.example>"
    assert mail["To"] == member.email
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-ID"] == "<turn.club.example>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<https://club\.example/e/u/[\w~-]+/>", mail["List-Unsubscribe"].strip())
    assert re.fullmatch(r"<[0-9a-f-]{36}@club\.example>", mail["Message-ID"])
    assert mail["In-Reply-To"] is None


def test_a_match_is_one_thread_for_each_member(member, make_member, receive):
    first, second = (receive(member, about=f"turn:{n}", thread="17") for n in (1, 2))
    elsewhere = receive(member, about="turn:3", thread="18")
    another = receive(make_member(), about="turn:1", thread="17")
    assert first["References"] == first["In-Reply-To"] == second["References"]
    assert len({mail["References"] for mail in (first, elsewhere, another)}) == 3
    assert first["Message-ID"] != second["Message-ID"]


def test_a_neutral_mail_has_nothing_in_its_head_that_ties_it_to_anything(member, receive):
    """Complaints: moderation.md 5."""
    mail = receive(member, thread="complaint 7", facts={"neutral": True, "subject": "A message from the club"})
    for head in ("In-Reply-To", "References", "List-ID", "List-Unsubscribe", "List-Unsubscribe-Post"):
        assert mail[head] is None
    assert "complaint" not in "".join(f"{name}: {value}" for name, value in mail.items())


def test_what_cannot_be_switched_off_offers_no_switch(member, receive):
    mail = receive(member, slug="vital")
    assert mail["List-Unsubscribe"] is None
    assert "/e/u/" not in plain(mail) + html(mail)


def test_members_text_stays_text(member, receive):
    mail = receive(member, facts={"subject": HOSTILE, "line": HOSTILE, "quote": [HOSTILE]})
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Player Bcc: all@example.org <script>alert(1)</script> & co."
    assert "<script>" not in html(mail)
    assert "&lt;script&gt;" in html(mail)
    assert set(mail.keys()) == {
        "Content-Type", "MIME-Version", "Subject", "From", "To", "Date", "Message-ID", "Auto-Submitted",
        "List-ID", "List-Unsubscribe", "List-Unsubscribe-Post",
    }  # fmt: skip


@pytest.mark.parametrize("subject", ["Ваш ход: Телефон 365, до вт 1 дек., 21:40 (Баку)", "Növbə səndədir: Kozel ə" * 9])
def test_a_subject_in_any_language_arrives_whole(member, receive, subject):
    assert receive(member, facts={"subject": subject})["Subject"].strip() == subject


def test_a_mail_asks_no_server_for_anything(member, receive):
    assert not re.search(r"<img|url\(|<link|@import|src=", html(receive(member)))


def test_one_line():
    assert one_line(" a\r\nb\tc\x00\u2028d\u200fe ") == "a b c d e"
