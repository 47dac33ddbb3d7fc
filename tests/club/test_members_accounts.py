"""Accounts: signing up, in and out, forgotten passwords, addresses; nobody learns who has one (C28-C31, C55-C60)."""

from __future__ import annotations

import re
import threading
import time

import pytest
import redis
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import IntegrityError, connections, transaction
from django.urls import reverse
from kombu.exceptions import OperationalError

from club.members import limits, services, sessions, tasks, tokens
from club.members import views as pages
from club.members.models import Member
from club.members.text import BadText
from tests.club.visitor import link_in_mail
from tests.factories import PASSWORD, GuestFactory, MemberFactory

pytestmark = pytest.mark.django_db

OTHER_PASSWORD = "a house by the sea"


@pytest.fixture
def second(new_visitor):
    return new_visitor()


def sign_up(visitor, name, **data):
    return visitor.post(reverse("signup"), {"name": name, "password": PASSWORD, **data})


def sign_in(visitor, login, password=PASSWORD, **data):
    return visitor.post(reverse("signin"), {"login": login, "password": password, **data})


# ---- signing up


def test_signing_up_makes_a_member_who_is_signed_in(visitor):
    response = sign_up(visitor, "İlkin", zone="Asia/Baku", next="/tables/")
    member = Member.objects.get()
    assert response["Location"] == "/tables/"
    assert visitor.member == member
    assert (member.name, member.name_key, member.time_zone) == ("İlkin", "ilkin", "Asia/Baku")
    assert not member.is_guest
    assert member.check_password(PASSWORD)


@pytest.mark.parametrize("name", ["i\u0307lkin", "ILKIN", "ilkin", "ılkın", "Ilkın", "İLKİN", "ｉｌｋｉｎ", "  İlkin "])
def test_all_ways_to_write_a_name_are_one_persons(visitor, second, name):
    sign_up(visitor, "İlkin")
    response = sign_up(second, name)
    assert response.status_code == 400
    assert "taken" in response.text
    assert Member.objects.count() == 1
    assert sign_in(second, name).status_code == 302


@pytest.mark.parametrize(("first", "later"), [("Ace", "Асе"), ("TOM", "ТОМ"), ("lena", "Iena"), ("ә", "ə")])
def test_a_name_that_looks_like_anothers_is_taken(visitor, second, first, later):
    sign_up(visitor, first)
    assert sign_up(second, later).status_code == 400
    assert sign_in(second, later).status_code == 400, "it is not the same name at sign-in"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_name_at_once_one_gets_it():
    barrier, got = threading.Barrier(4), []

    def take(name):
        barrier.wait()
        try:
            got.append(services.sign_up(name=name, password=PASSWORD, address="", language="az"))
        except BadText as bad:
            got.append(bad.reason)
        connections.close_all()

    threads = [threading.Thread(target=take, args=[name]) for name in ("İlkin", "ILKIN", "ilkin", "ılkın")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got.count("taken") == 3
    assert Member.objects.count() == 1


HOSTILE = [
    {"name": ""},
    {"name": "\x00Ali"},
    {"name": "Ali\r\nBcc: victim@example.org"},
    {"name": "x, victim@y"},
    {"name": "admin"},
    {"name": "я" * 20_000},
    {"password": ""},
    {"password": "short"},
    {"password": "password123"},
    {"password": "x" * 129},
    {"password": "x" * 4096},
    {"email": "nobody"},
    {"email": "a@b.example\nBcc: x@y.example"},
    {"email": "a\x00@b.example"},
    {"email": "a" * 300 + "@b.example"},
    {"email": "a@" + "\ufdfa" * 60 + ".example"},
]


@pytest.mark.parametrize("data", HOSTILE, ids=lambda data: repr(data)[:40])
def test_what_is_not_taken_gets_400_and_makes_nobody(visitor, data):
    response = visitor.post(reverse("signup"), {"name": "Ali", "password": PASSWORD} | data)
    assert response.status_code == 400
    assert not Member.objects.exists()
    assert not mail.outbox


def test_bytes_that_are_no_utf8_are_no_error(visitor):
    body = b"name=%ED%A0%80%FF&password=%00&login=%ED%A0%80"
    for name in ("signup", "signin", "password_reset"):
        response = visitor.post(reverse(name), body, content_type="application/x-www-form-urlencoded")
        assert response.status_code == 400


@pytest.mark.parametrize("password", ["ten chars!", "x" * 127 + "y", "  leading and trailing  ", "çətin şifrə 🎲"])
def test_any_password_of_ten_to_128_signs_its_member_in_again(visitor, second, password):
    visitor.post(reverse("signup"), {"name": "Ali", "password": password})
    assert sign_in(second, "Ali", password).status_code == 302


# ---- signing in and out


@pytest.mark.parametrize("login", ["Aygün", "AYGÜN", " aygün ", "ayg\u0075\u0308n", "Me@Example.org", "me@example.ORG"])
def test_signing_in_by_name_or_mail_address_folded(visitor, second, login):
    sign_up(visitor, "Aygün", email="Me@example.org")
    assert sign_in(second, login, next="/tables/")["Location"] == "/tables/"
    assert second.member.name == "Aygün"


def test_signing_in_changes_the_session_key_and_clears_what_was_there(visitor):
    member = MemberFactory()
    session = visitor.session
    session["left"] = "by a stranger"
    session.save()
    visitor.cookies["sessionid"] = session.session_key
    before = session.session_key
    sign_in(visitor, member.name)
    assert visitor.key != before
    assert "left" not in visitor.session
    visitor.cookies["sessionid"] = before
    assert visitor.member is None


def test_a_session_key_from_outside_is_never_taken_over(visitor):
    planted = "a" * 32
    visitor.cookies["sessionid"] = planted
    sign_in(visitor, MemberFactory().name)
    assert visitor.key != planted


@pytest.mark.parametrize("cookie", ['"\\000aaaaaaaa"', "é" * 32, "'; drop table", "a" * 4000, ""])
def test_a_session_cookie_that_is_none_is_no_error(visitor, cookie):
    response = visitor.get(reverse("signin"), headers={"cookie": f"sessionid={cookie}"})
    assert response.status_code == 200


def test_signing_out_is_a_post(visitor):
    visitor.force_login(MemberFactory())
    assert visitor.get(reverse("signout")).status_code == 200
    assert visitor.member
    key = visitor.key
    visitor.post(reverse("signout"))
    assert visitor.member is None
    visitor.cookies["sessionid"] = key
    assert visitor.member is None


@pytest.mark.parametrize("name", ["signup", "signin", "guest", "signout", "set_language", "theme", "password_reset"])
def test_forms_of_other_sites_are_refused(new_visitor, name):
    response = new_visitor(enforce_csrf_checks=True).post(reverse(name), {"login": "x", "password": "y"})
    assert response.status_code == 403


# ---- nobody learns who has an account


def words_of(response):
    """A page without what belongs to the request: tokens, and what was typed."""
    text = re.sub(r'(nonce|value)="[^"]*"', "", response.content.decode())
    return response.status_code, {k: v for k, v in response.headers.items() if k != "Content-Length"}, text


def inactive():
    return MemberFactory(is_active=False)


@pytest.mark.parametrize("make", [MemberFactory, GuestFactory, inactive], ids=["member", "guest", "inactive"])
@pytest.mark.parametrize("by", ["name", "email"])
def test_a_wrong_sign_in_says_the_same_whoever_it_was(new_visitor, make, by):
    member = make()
    Member.objects.filter(pk=member.pk).update(email="a@example.org", email_key="a@example.org")
    login = {"name": (member.name, "Nobody"), "email": ("a@example.org", "b@example.org")}[by]
    known, unknown = (sign_in(new_visitor(), value, OTHER_PASSWORD) for value in login)
    assert words_of(known) == words_of(unknown)
    assert known.status_code == 400


@pytest.mark.parametrize("who", ["member", "guest", "inactive", "nobody"])
@pytest.mark.parametrize("by_mail", [False, True])
def test_a_wrong_sign_in_hashes_as_often_whoever_it_was(monkeypatch, who, by_mail):
    """Time is counted in hashes, which outweigh all the rest."""
    login = "x@example.org" if by_mail else "Ali"
    if who != "nobody":
        make = GuestFactory if who == "guest" else MemberFactory
        make(name="Ali", is_active=who != "inactive", email="x@example.org", email_confirmed=by_mail)
    hashes = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashes.append(1) or encode(*args))
    assert authenticate(None, username=login, password=OTHER_PASSWORD) is None
    assert len(hashes) == (2 if by_mail else 1)


def test_signing_up_with_the_address_of_a_member_looks_like_any_other(new_visitor):
    owner = MemberFactory(email="owner@example.org", email_confirmed=True, password=OTHER_PASSWORD)
    first, second = new_visitor(), new_visitor()
    assert words_of(sign_up(first, "Nar", email="owner@example.org")) == words_of(
        sign_up(second, "Heyva", email="free@example.org")
    )
    settings = [words_of(v.get(reverse("settings"))) for v in (first, second)]
    mine = [("Nar", "owner@example.org"), ("Heyva", "free@example.org")]
    shown = [
        text.replace(name, "").replace(address, "").replace(str(v.member.pk), "")
        for (_, _, text), (name, address), v in zip(settings, mine, (first, second), strict=True)
    ]
    assert shown[0] == shown[1]
    for visitor, (name, address) in zip((first, second), mine, strict=True):
        visitor.post(reverse("signout"))
        sign_in(visitor, address)
        assert visitor.member.name == name
    assert mail.outbox[0].to == ["owner@example.org"]
    assert owner.name in mail.outbox[0].body
    assert "Nar" not in mail.outbox[0].body


def test_asking_for_a_reset_does_and_says_the_same_whoever_it_was(new_visitor, monkeypatch, django_assert_num_queries):
    MemberFactory(email="known@example.org", email_confirmed=True)
    asked = []
    monkeypatch.setattr(tasks.send_ways_in, "delay", lambda address: asked.append(address))
    answers = []
    for address in ("known@example.org", "unknown@example.org"):
        with django_assert_num_queries(0):
            answers.append(new_visitor().post(reverse("password_reset"), {"email": address}))
    assert words_of(answers[0]) == words_of(answers[1])
    assert asked == ["known@example.org", "unknown@example.org"]


# ---- limits


def test_five_wrong_passwords_then_429(visitor, second):
    member, other = MemberFactory(), MemberFactory()
    for _ in range(5):
        assert sign_in(visitor, member.name, OTHER_PASSWORD).status_code == 400
    refused = sign_in(visitor, member.name)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 15 * 60
    assert sign_in(visitor, other.name).status_code == 302, "another name is not touched"
    assert sign_in(second, member.name).status_code == 302, "nobody can lock the owner out"


def test_an_unknown_name_is_limited_like_a_known_one(visitor):
    assert [sign_in(visitor, "Nobody").status_code for _ in range(6)] == [400] * 5 + [429]


def test_right_passwords_do_not_count(visitor):
    member = MemberFactory()
    for _ in range(8):
        assert sign_in(visitor, member.name).status_code == 302
        visitor.post(reverse("signout"))


def test_fifty_tries_of_a_place_then_429(visitor):
    for n in range(50):
        assert sign_in(visitor, f"Nobody {n}").status_code == 400
    assert sign_in(visitor, "Somebody").status_code == 429


def test_many_tries_at_one_name_slow_down_and_tell_the_owner(new_visitor, monkeypatch):
    member = MemberFactory(email="owner@example.org", email_confirmed=True)
    waits = []
    monkeypatch.setattr(pages.time, "sleep", waits.append)
    for _ in range(25):
        sign_in(new_visitor(), member.name, OTHER_PASSWORD)
    assert waits[19] == 0
    assert waits[-1] == pytest.approx(0.5)
    assert [m.to for m in mail.outbox] == [["owner@example.org"]]
    assert sign_in(new_visitor(), member.name).status_code == 302


def test_three_mails_an_hour_for_an_inbox_then_429(new_visitor):
    ask = [new_visitor().post(reverse("password_reset"), {"email": "a@example.org"}) for _ in range(4)]
    assert [r.status_code for r in ask] == [302, 302, 302, 429]
    assert ask[-1]["Retry-After"]
    assert sign_up(new_visitor(), "Ali", email="A@example.org").status_code == 429
    assert not Member.objects.exists()
    assert new_visitor().post(reverse("password_reset"), {"email": "b@example.org"}).status_code == 302


def test_parallel_tries_are_counted_one_by_one():
    barrier, tries = threading.Barrier(20), []

    def once():
        barrier.wait()
        tries.append(limits.allow("door", 5, 60))

    threads = [threading.Thread(target=once) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(map(bool, tries)) == 5
    assert all(0 < refused.wait <= 60 for refused in tries if not refused)


def test_a_limit_opens_again():
    assert limits.allow("door", 1, 1)
    assert not limits.allow("door", 1, 1)
    assert limits.allow("other door", 1, 1)
    time.sleep(1.05)
    assert limits.allow("door", 1, 1)


def test_without_redis_everything_is_allowed(monkeypatch):
    monkeypatch.setattr(limits, "_redis", lambda: redis.Redis(unix_socket_path="/nonexistent"))
    assert all(limits.allow("door", 1, 60) for _ in range(3))
    limits.give_back("door")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", "unknown"),
    ],
)
def test_a_place_is_an_address_or_a_subscribers_net(rf, address, place):
    assert limits.place(rf.get("/", REMOTE_ADDR=address)) == place


# ---- a forgotten password


@pytest.fixture
def owner():
    return MemberFactory(name="Aygün", email="aygun@example.org", email_confirmed=True, language="az")


def reset_link(visitor, address="aygun@example.org"):
    visitor.post(reverse("password_reset"), {"email": address})
    return link_in_mail("/password/")


def test_a_reset_by_mail(visitor, second, owner):
    second.force_login(owner)
    link = reset_link(visitor, "AYGUN@example.org")
    assert visitor.get(link)["Referrer-Policy"] == "no-referrer"
    form = visitor.get(link, follow=True)
    assert link not in form.redirect_chain[-1][0], "the token leaves the address before anything is shown"
    assert visitor.member is None, "no link signs anybody in"
    response = visitor.post(form.request["PATH_INFO"], {"password": OTHER_PASSWORD})
    assert response["Location"] == reverse("signin")
    assert visitor.member is None
    assert second.member is None, "sessions of other devices end"
    assert sign_in(visitor, "Aygün").status_code == 400
    assert sign_in(visitor, "Aygün", OTHER_PASSWORD).status_code == 302


def test_a_reset_link_works_once(visitor, second, owner):
    link = reset_link(visitor)
    form = visitor.get(link, follow=True)
    visitor.post(form.request["PATH_INFO"], {"password": OTHER_PASSWORD})
    assert second.get(link, follow=True).status_code == 404


def test_a_bad_new_password_leaves_the_old_one(visitor, owner):
    form = visitor.get(reset_link(visitor), follow=True)
    assert visitor.post(form.request["PATH_INFO"], {"password": "short"}).status_code == 400
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


@pytest.mark.parametrize("path", ["x/y", "%00/%00", "MQ/set-password", "ə/ə", "a" * 500 + "/" + "b" * 500])
def test_reset_links_that_are_none(visitor, path):
    assert visitor.get(f"/password/{path}/", follow=True).status_code == 404


def test_an_old_reset_link_is_dead(visitor, owner, settings):
    link = reset_link(visitor)
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert visitor.get(link, follow=True).status_code == 404
    assert settings.PASSWORD_RESET_TIMEOUT != 3600


def test_mails_speak_the_members_language_and_come_from_the_club(visitor, owner, settings, monkeypatch):
    spoken = []
    render = tasks.render_to_string
    monkeypatch.setattr(
        tasks, "render_to_string", lambda *args: spoken.append(tasks.translation.get_language()) or render(*args)
    )
    reset_link(visitor)
    sent = mail.outbox[0]
    assert set(spoken) == {"az"}
    assert (sent.from_email, sent.to) == (settings.DEFAULT_FROM_EMAIL, ["aygun@example.org"])
    assert 'lang="az"' in sent.alternatives[0].content
    assert reverse("password_reset") in sent.alternatives[0].content


def test_what_people_write_stays_text_in_mails(visitor):
    MemberFactory(name="<b>& Ali</b>", email="ali@example.org", email_confirmed=True)
    reset_link(visitor, "ali@example.org")
    assert "<b>& Ali</b>" in mail.outbox[0].body
    assert "&lt;b&gt;&amp; Ali&lt;/b&gt;" in mail.outbox[0].alternatives[0].content


def test_a_mail_server_that_fails_and_no_broker_are_no_error(visitor, owner, settings, monkeypatch):
    def broken(*args):
        raise OperationalError

    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    monkeypatch.setattr(tasks.send_ways_in, "delay", broken)
    assert visitor.post(reverse("password_reset"), {"email": owner.email}).status_code == 302


# ---- addresses


def confirm(visitor, link):
    return visitor.post(visitor.get(link)["Location"])


def test_an_address_is_claimed_until_its_mail_is_answered(visitor, second):
    sign_up(visitor, "Aygün", email="Me@example.org")
    member = visitor.member
    assert (member.email, member.email_confirmed) == ("Me@example.org", False)
    link = link_in_mail("/address/")
    answer = second.get(link)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "Me@example.org" in second.get(answer["Location"]).text
    member.refresh_from_db()
    assert not member.email_confirmed, "a mail scanner's GET confirms nothing"
    assert second.post(answer["Location"])["Location"] == reverse("settings")
    member.refresh_from_db()
    assert member.email_confirmed
    assert second.member is None


def test_whoever_confirms_gets_the_address(new_visitor):
    squatter, owner = new_visitor(), new_visitor()
    sign_up(squatter, "Squatter", email="owner@example.org")
    sign_up(owner, "Owner", email="OWNER@example.org")
    confirm(owner, link_in_mail("/address/", 1))
    assert squatter.member.email == ""
    assert owner.member.email_confirmed
    assert confirm(squatter, link_in_mail("/address/", 0)).status_code == 404
    assert owner.member.email_confirmed


def test_the_database_refuses_a_second_owner(owner):
    with pytest.raises(IntegrityError), transaction.atomic():
        MemberFactory(email="AYGUN@example.org", email_confirmed=True)


def test_a_new_address_takes_the_password_and_the_old_one_stays_until_it_is_confirmed(visitor, owner):
    visitor.force_login(owner)
    wrong = visitor.post(reverse("my_address"), {"email": "new@example.org", "password": OTHER_PASSWORD})
    assert wrong.status_code == 400
    visitor.post(reverse("my_address"), {"email": "new@example.org", "password": PASSWORD})
    assert visitor.member.email == "aygun@example.org"
    confirm(visitor, link_in_mail("/address/"))
    assert (visitor.member.email, visitor.member.email_confirmed) == ("new@example.org", True)


def test_a_link_for_an_address_given_before_another_is_dead(visitor, owner):
    first, later = tokens.sign_claim(owner, "first@example.org"), tokens.sign_claim(owner, "later@example.org")
    assert confirm(visitor, reverse("confirm_address", args=[later])).status_code == 302
    assert confirm(visitor, reverse("confirm_address", args=[first])).status_code == 404
    owner.refresh_from_db()
    assert owner.email == "later@example.org"


@pytest.mark.parametrize("token", ["x", "a:b:c", "%00", "%ED%A0%80", "ə:ə:ə", "a" * 3000])
def test_address_links_that_are_none(visitor, token):
    assert visitor.get(f"/address/{token}/", follow=True).status_code == 404
    assert confirm(visitor, f"/address/{token}/").status_code == 404
    assert visitor.post(f"/address/{token}/").status_code == 405


def test_a_token_of_one_kind_opens_nothing_else(visitor):
    guest, member = GuestFactory(), MemberFactory()
    recovery, claim = tokens.new_recovery(guest), tokens.sign_claim(member, "a@example.org")
    assert confirm(visitor, reverse("recover", args=[claim])).status_code == 404
    assert confirm(visitor, reverse("confirm_address", args=[recovery])).status_code == 404


# ---- passwords and sessions


def test_a_new_password_ends_all_sessions_but_this_one(visitor, second):
    member = MemberFactory()
    sign_in(visitor, member.name)
    sign_in(second, member.name)
    before = visitor.key
    visitor.post(reverse("my_password"), {"password": PASSWORD, "new": OTHER_PASSWORD})
    assert visitor.member == member
    assert visitor.key != before
    assert second.member is None


def test_the_present_password_is_asked_for_and_cannot_be_guessed(visitor):
    visitor.force_login(MemberFactory())
    answers = [
        visitor.post(reverse("my_password"), {"password": f"guess {n}", "new": OTHER_PASSWORD}).status_code
        for n in range(6)
    ]
    assert answers == [400] * 5 + [429]


def test_a_session_in_use_is_renewed_once_an_hour(visitor, time_machine_at):
    sign_in(visitor, MemberFactory().name)
    assert "sessionid" not in visitor.get(reverse("settings")).cookies
    time_machine_at(3601)
    assert visitor.get(reverse("settings")).cookies["sessionid"]["max-age"] == 30 * 86_400
    assert "sessionid" not in visitor.get(reverse("settings")).cookies


def test_a_session_ends_after_thirty_idle_days(visitor, time_machine_at):
    sign_in(visitor, MemberFactory().name)
    time_machine_at(30 * 86_400 - 60)
    assert visitor.get(reverse("settings")).status_code == 200
    time_machine_at(30 * 86_400 + 60)
    assert visitor.get(reverse("settings")).status_code == 302


def test_a_session_ends_after_180_days_however_busy(visitor, time_machine_at):
    sign_in(visitor, MemberFactory().name)
    for _ in range(9):
        assert visitor.get(reverse("settings")).status_code == 200
        time_machine_at(20 * 86_400)
    assert visitor.get(reverse("settings")).status_code == 302


@pytest.fixture
def time_machine_at(time_machine):
    """Move the clock on by so many seconds."""
    now = [time.time()]

    def later(seconds):
        now[0] += seconds
        time_machine.move_to(now[0])

    return later


def test_a_closed_account_is_out_at_once(visitor):
    member = MemberFactory()
    sign_in(visitor, member.name)
    Member.objects.update(is_active=False)
    assert visitor.member is None
    assert sign_in(visitor, member.name).status_code == 400


def test_session_keys_are_read_by_form(db):
    assert sessions.SessionStore("\x00" * 10).session_key is None
    assert sessions.SessionStore("a" * 32).session_key == "a" * 32
