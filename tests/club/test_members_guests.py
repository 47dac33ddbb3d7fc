"""Guests: one click to a row, sign-up in place, merging, the way back after a lost cookie (security.md 3)."""

from __future__ import annotations

import itertools
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connections, transaction
from django.urls import reverse
from django.utils import timezone

from club.members import guestnames, selectors, services, tokens
from club.members.models import Member, RecoveryToken
from club.members.signals import guest_counted, guest_merged
from tests.club.visitor import link_in_mail
from tests.factories import PASSWORD, GuestFactory, MemberFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def _nobody_listens(monkeypatch):
    """The apps above have tests of their own."""
    for signal in (guest_counted, guest_merged):
        monkeypatch.setattr(signal, "receivers", [])


@pytest.fixture
def seats(_nobody_listens):
    """What the apps above would do: guests hold seats, which move in a merge; those in `stuck` do not."""
    held: dict[str, list] = {"seats": [], "stuck": []}

    def count(guest, **_):
        return sum(owner == guest.pk for owner in held["seats"] + held["stuck"])

    def move(guest, member, **_):
        held["seats"] = [member.pk if owner == guest.pk else owner for owner in held["seats"]]

    guest_counted.connect(count, weak=False)
    guest_merged.connect(move, weak=False)
    return held


@pytest.fixture
def second(new_visitor):
    return new_visitor()


@pytest.fixture
def third(new_visitor):
    return new_visitor()


@pytest.fixture
def guest(visitor):
    visitor.post(reverse("guest"))
    return visitor.member


# ---- coming in


@pytest.mark.parametrize("language", ["ru", "az", "tr", "en"])
def test_one_click_makes_a_member_with_a_friendly_name_in_the_visitors_language(visitor, language):
    response = visitor.post(reverse("guest"), {"zone": "Asia/Baku"}, headers={"accept-language": language})
    guest = visitor.member
    assert response.status_code == 302
    assert guest.name in guestnames.pairs(language)
    assert (guest.is_guest, guest.language, guest.time_zone, guest.zone_chosen) == (True, language, "Asia/Baku", False)
    assert not guest.has_usable_password()


def test_a_get_makes_nobody(visitor):
    assert b"<form" in visitor.get(reverse("guest")).content
    assert not Member.objects.exists()


def test_a_guest_who_clicks_again_stays_who_they_are(visitor, guest):
    visitor.post(reverse("guest"))
    assert visitor.member == guest
    assert Member.objects.count() == 1


def test_the_session_is_the_guests_only(visitor, guest, second):
    second.post(reverse("guest"))
    assert second.member != guest
    assert second.key != visitor.key


def test_a_taken_name_gets_two_digits(monkeypatch):
    monkeypatch.setattr(guestnames, "pairs", lambda language: ["Quiet Fox"])
    names = [services.enter_as_guest(language="en", zone="").name for _ in range(3)]
    assert names[0] == "Quiet Fox"
    for name in names[1:]:
        assert len(name.removeprefix("Quiet Fox ")) == 2
        assert name.removeprefix("Quiet Fox ").isdecimal()


def test_names_do_not_run_out(monkeypatch):
    monkeypatch.setattr(guestnames, "pairs", lambda language: ["Quiet Fox"])
    tries = list(itertools.islice(guestnames.suggestions("en"), 100))
    assert all(len(name) == len("Quiet Fox 1234") for name in tries[24:])


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "localtime", "\x00", "x" * 5000, "UTC\n"])
def test_a_zone_that_is_none_is_utc(visitor, zone):
    assert visitor.post(reverse("guest"), {"zone": zone}).status_code == 302
    assert visitor.member.time_zone == "UTC"


def test_guests_are_told_what_a_lost_cookie_costs(visitor, guest):
    for page in ("settings", "signout"):
        assert reverse("recovery") in visitor.get(reverse(page)).text


# ---- signing up keeps the row


def test_signing_up_keeps_the_row_and_changes_the_session_key(visitor, guest):
    before = visitor.key
    response = visitor.post(reverse("signup"), {"name": "Aygün", "password": PASSWORD, "next": "/tables/"})
    member = visitor.member
    assert (response.status_code, response["Location"]) == (302, "/tables/")
    assert (member.pk, member.name, member.is_guest) == (guest.pk, "Aygün", False)
    assert member.joined_at == guest.joined_at
    assert visitor.key != before
    visitor.cookies["sessionid"] = before
    assert visitor.member is None


def test_a_guest_may_keep_the_name(visitor, guest):
    assert guest.name in visitor.get(reverse("signup")).text
    visitor.post(reverse("signup"), {"name": guest.name, "password": PASSWORD})
    assert (visitor.member.pk, visitor.member.name) == (guest.pk, guest.name)


def test_signing_up_ends_the_guests_other_sessions_and_links(visitor, second, guest):
    token = tokens.new_recovery(guest)
    second.force_login(guest)
    visitor.post(reverse("signup"), {"name": "Aygün", "password": PASSWORD})
    assert second.member is None
    assert services.use_recovery(tokens.digest(token)) is None


def test_the_second_of_two_sign_ups_at_once_is_told_the_name_is_taken(visitor, guest):
    stale = Member.objects.get(pk=guest.pk)
    services.sign_up(name="Aygün", password=PASSWORD, address="", language="az", guest=guest)
    with pytest.raises(services.BadText):
        services.sign_up(name="Aygün", password="another long word", address="", language="az", guest=stale)
    assert Member.objects.get().check_password(PASSWORD)


# ---- signing in to an account that exists


def sign_in(visitor, member, **data):
    return visitor.post(reverse("signin"), {"login": member.name, "password": PASSWORD, **data})


def test_seats_move_only_after_a_yes(visitor, guest, seats):
    member = MemberFactory()
    seats["seats"] += [guest.pk, guest.pk]
    response = sign_in(visitor, member, next="/tables/")
    assert visitor.member == member
    assert seats["seats"] == [guest.pk, guest.pk]
    question = visitor.get(response["Location"])
    assert guest.name in question.text
    assert "2" in question.text
    response = visitor.post(reverse("merge_guest"), {"answer": "yes", "next": "/tables/"})
    assert response["Location"] == "/tables/"
    assert seats["seats"] == [member.pk, member.pk]
    guest.refresh_from_db()
    assert (guest.is_active, guest.merged_into) == (False, member)
    assert visitor.get(guest.get_absolute_url())["Location"] == member.get_absolute_url()


def test_after_a_no_they_stay_and_a_link_leads_back(visitor, second, guest, seats):
    member = MemberFactory()
    seats["seats"] += [guest.pk]
    sign_in(visitor, member)
    response = visitor.post(reverse("merge_guest"), {"answer": "no"})
    assert seats["seats"] == [guest.pk]
    come_back(second, response.context["link"].removeprefix("http://testserver"))
    assert second.member == guest
    visitor.post(reverse("merge_guest"), {"answer": "yes"})  # too late: answered already
    assert seats["seats"] == [guest.pk]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_until_it_is_answered_every_page_leads_to_the_question(visitor, guest, seats, answer):
    way = f'href="{reverse("merge_guest")}"'
    seats["seats"] += [guest.pk]
    assert way not in visitor.get(reverse("lobby")).text
    question = sign_in(visitor, MemberFactory())["Location"]
    assert way not in visitor.get(question).text
    for _ in range(2):
        for page in ("lobby", "settings", "tables"):
            assert way in visitor.get(reverse(page)).text
    visitor.post(reverse("merge_guest"), {"answer": answer})
    assert way not in visitor.get(reverse("lobby")).text


def test_a_guest_who_has_nothing_is_not_asked_about(visitor, guest, seats):
    location = sign_in(visitor, MemberFactory(), next="/tables/")["Location"]
    assert visitor.get(location)["Location"] == "/tables/"


def test_what_clashes_stays_with_a_guest_who_stays_open(visitor, guest, seats):
    member = MemberFactory()
    seats["seats"] += [guest.pk]
    seats["stuck"] += [guest.pk]
    sign_in(visitor, member)
    visitor.post(reverse("merge_guest"), {"answer": "yes"})
    guest.refresh_from_db()
    assert seats["seats"] == [member.pk]
    assert (guest.is_active, guest.merged_into) == (True, None)


@pytest.mark.usefixtures("_nobody_listens")
def test_a_receiver_that_fails_undoes_the_merge():
    guest, member = GuestFactory(), MemberFactory()

    def move(guest, member, **_):
        Member.objects.filter(pk=member.pk).update(language="tr")
        raise RuntimeError

    guest_merged.connect(move)
    with pytest.raises(RuntimeError), transaction.atomic():
        services.merge_guest(guest.pk, member)
    guest.refresh_from_db()
    member.refresh_from_db()
    assert guest.is_active
    assert member.language == "en"


def test_only_the_guest_of_this_session_can_be_merged(visitor, seats):
    stranger, member = GuestFactory(), MemberFactory()
    seats["seats"] += [stranger.pk]
    sign_in(visitor, member)
    visitor.post(reverse("merge_guest"), {"answer": "yes", "guest": str(stranger.pk)})
    assert seats["seats"] == [stranger.pk]


@pytest.mark.usefixtures("_nobody_listens")
@pytest.mark.parametrize("whom", ["member", "closed", "self"])
def test_nobody_but_an_open_guest_is_merged(whom):
    member = MemberFactory()
    other = {"member": MemberFactory, "closed": lambda: GuestFactory(is_active=False), "self": lambda: member}[whom]()
    assert services.merge_guest(other.pk, member) is None


# ---- the way back


def come_back(visitor, link):
    return visitor.post(visitor.get(link)["Location"])


def new_link(visitor):
    response = visitor.post(reverse("recovery"))
    assert "no-store" in response["Cache-Control"]
    return response.context["link"].removeprefix("http://testserver")


def test_a_link_gives_the_guest_back_once(visitor, second, third, guest):
    link = new_link(visitor)
    third.get(link)
    answer = second.get(link)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert guest.name in second.get(answer["Location"]).text
    assert second.member is None, "no link signs in by GET"
    assert second.post(answer["Location"]).status_code == 302
    assert second.member == guest
    assert visitor.member == guest
    for _ in range(2):
        assert third.post(answer["Location"]).status_code == 404
        third.get(link)
    assert third.member is None


def test_only_the_hash_of_a_link_is_kept(visitor, guest):
    token = new_link(visitor).split("/")[-2]
    row = RecoveryToken.objects.get()
    assert len(token) >= 43
    assert token not in f"{row.digest}"
    assert row.digest == tokens.digest(token)


def test_a_link_can_be_mailed_to_oneself(visitor, second, guest):
    visitor.post(reverse("recovery"), {"email": "guest@example.org"})
    assert mail.outbox[-1].to == ["guest@example.org"]
    come_back(second, link_in_mail("/r/"))
    assert second.member == guest


def test_a_link_lives_ninety_days():
    guest = GuestFactory()
    token = tokens.new_recovery(guest)
    row = RecoveryToken.objects.get()
    assert abs(row.expires_at - timezone.now() - timedelta(days=90)) < timedelta(minutes=1)
    RecoveryToken.objects.update(expires_at=timezone.now())
    assert services.use_recovery(tokens.digest(token)) is None


@pytest.mark.parametrize("token", ["x", "0" * 43, "%00", "%ED%A0%80", "ə", "a" * 3000])
def test_unknown_links_all_get_one_answer(visitor, token):
    assert visitor.get(f"/r/{token}/")["Location"] == reverse("come_back")
    assert visitor.get(reverse("come_back")).status_code == visitor.post(reverse("come_back")).status_code == 404
    assert visitor.post(f"/r/{token}/").status_code == 405


def test_an_open_guest_that_uses_the_link_of_another_is_asked_too(visitor, guest, seats):
    other = GuestFactory()
    seats["seats"] += [guest.pk]
    response = come_back(visitor, reverse("recover", args=[tokens.new_recovery(other)]))
    assert visitor.member == other
    assert response["Location"] == reverse("merge_guest")


def test_members_need_no_link(visitor):
    visitor.force_login(MemberFactory())
    assert visitor.post(reverse("recovery"))["Location"] == reverse("settings")
    assert not RecoveryToken.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_a_link_at_once_one_comes_in():
    token = tokens.new_recovery(GuestFactory())
    barrier, came_in = threading.Barrier(4), []

    def use():
        barrier.wait()
        came_in.append(services.use_recovery(tokens.digest(token)))
        connections.close_all()

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([guest for guest in came_in if guest]) == 1


def test_a_guest_is_found_by_a_mail_to_the_address_they_gave(visitor, second, guest):
    visitor.post(reverse("my_address"), {"email": "guest@example.org"})
    second.post(reverse("password_reset"), {"email": "guest@example.org"})
    come_back(second, link_in_mail("/r/"))
    assert second.member == guest


def test_counting_asks_the_apps_above(seats):
    guest = GuestFactory()
    seats["seats"] += [guest.pk] * 3
    assert selectors.count_of(guest) == 3
