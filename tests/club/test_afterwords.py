"""One kind word from each seat to each other seat, and nothing that could hurt (moderation.md 1)."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation

from club.afterwords import selectors, services
from club.afterwords.errors import AlreadySaid, Annulled, NotOver, TooLate, ToOneself
from club.afterwords.models import Afterword
from club.afterwords.phrases import PHRASES
from club.demo.matches import play, seated
from club.members.models import Member
from club.members.signals import guest_merged
from games import clock
from games.errors import Malformed, NotFound
from games.models import Match, Seat
from games.services import resign
from notifications import kinds
from notifications.models import Delivery, Notice
from tests.club.visitor import Visitor
from tests.factories import GuestFactory, MemberFactory
from tests.games.test_races import at_once

pytestmark = pytest.mark.django_db


def over(*members: Member) -> Match:
    """A match that all but the last member gave up."""
    match = seated(list(members), "kozel")
    for member in members[:-1]:
        resign(match_id=match.pk, member=member)
    match.refresh_from_db()
    assert match.is_over
    return match


@pytest.fixture
def pair() -> list[Member]:
    return [MemberFactory.create(), MemberFactory.create()]


@pytest.fixture
def match(pair: list[Member]) -> Match:
    return over(*pair)


def say(match: Match, author: Member, seat: int, phrase: str = "", text: str = "") -> Afterword:
    return services.write(match_id=match.pk, member=author, seat=seat, phrase=phrase, text=text)


# Who, to whom, when


def test_a_word_from_each_to_each(match, pair):
    there = say(match, pair[0], 1, "thanks")
    back = say(match, pair[1], 0, text="It was close!")
    assert (there.author, there.reader, there.phrase) == (pair[0], pair[1], "thanks")
    assert (back.author_seat, back.reader_seat, back.text) == (1, 0, "It was close!")


def test_the_second_word_for_a_pair_meets_the_first(match, pair):
    first = say(match, pair[0], 1, "thanks")
    with pytest.raises(AlreadySaid):
        say(match, pair[0], 1, "clever")
    assert Afterword.objects.get() == first


@pytest.mark.django_db(transaction=True)
def test_of_two_words_at_once_one_is_stored():
    pair = [MemberFactory.create(), MemberFactory.create()]
    match = over(*pair)
    answers = at_once(*[lambda n=n: say(match, pair[0], 1, text=f"word {n}") for n in range(8)])
    stored = Afterword.objects.get()
    assert answers.count("already_said") == 7
    assert stored in answers
    assert Notice.objects.filter(kind="afterword").count() == 1


def test_a_word_taken_back_is_not_said_again(match, pair):
    word = say(match, pair[0], 1, "thanks")
    for _ in range(2):
        services.withdraw(match_id=match.pk, member=pair[0], seat=1)
    word.refresh_from_db()
    assert word.withdrawn_at
    with pytest.raises(AlreadySaid):
        say(match, pair[0], 1, "thanks")
    (card,) = selectors.cards(match, Seat.objects.get(table=match.table, number=1))
    assert card.said == ()


@pytest.mark.parametrize(("ago", "refused"), [(timedelta(hours=167, minutes=59), False), (timedelta(hours=168), True)])
def test_words_are_said_for_a_week(match, pair, ago, refused):
    Match.objects.update(ended_at=clock.now() - ago)
    if refused:
        with pytest.raises(TooLate):
            say(match, pair[0], 1, "thanks")
    else:
        say(match, pair[0], 1, "thanks")
    assert Afterword.objects.exists() is not refused


def test_not_while_the_match_runs(pair):
    match = seated(pair, "kozel")
    with pytest.raises(NotOver):
        say(match, pair[0], 1, "thanks")


def test_not_after_an_annulled_match(match, pair):
    Match.objects.update(status=Match.Status.VOIDED)
    with pytest.raises(Annulled):
        say(match, pair[0], 1, "thanks")


def test_not_to_oneself_nor_to_nobody_nor_by_a_stranger(match, pair):
    with pytest.raises(ToOneself):
        say(match, pair[0], 0, "thanks")
    for seat in (2, 10**12):
        with pytest.raises(NotFound):
            say(match, pair[0], seat, "thanks")
    with pytest.raises(NotFound):
        say(match, MemberFactory.create(), 0, "thanks")
    Member.objects.filter(pk=pair[1].pk).update(is_active=False)
    with pytest.raises(NotFound):
        say(match, pair[0], 1, "thanks")
    assert not Afterword.objects.exists()


def test_whoever_left_a_seat_to_a_bot_still_writes_and_reads():
    members = [MemberFactory.create(), MemberFactory.create(), GuestFactory.create()]
    match = play(seated(members, "kozel"), moves=4)
    resign(match_id=match.pk, member=members[2])
    resign(match_id=match.pk, member=members[0])
    match.refresh_from_db()
    say(match, members[2], 0, "fair")
    say(match, members[1], 2, "company")
    assert Afterword.objects.count() == 2


# What is said


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("", ""),
        ("", " \n\t "),
        ("", "\u200b\u2060\u202e"),
        ("rude", "Hello"),
        ("Thanks", ""),
        ("", "a" * 281),
        ("thanks", "👍🏽" * 281),
        ("", "a\u0301\u0301\u0301\u0301\u0301" * 281),
        ("", "nul\x00"),
        ("", "half \ud83d"),
        ("", "bell\x07"),
    ],
)
def test_what_cannot_be_said(match, pair, phrase, text):
    with pytest.raises(Malformed):
        say(match, pair[0], 1, phrase, text)
    assert not Afterword.objects.exists()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a" * 280, "a" * 280),
        ("👨‍👩‍👧‍👦" * 100, "👨‍👩‍👧‍👦" * 100),
        ("a\u202eb", "ab"),
        ("one\r\ntwo", "one\ntwo"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("{{ 7*7 }} %(name)s {% now %}", "{{ 7*7 }} %(name)s {% now %}"),
    ],
)
def test_what_can_be_said_is_kept_as_text(match, pair, text, kept):
    assert say(match, pair[0], 1, text=text).text == kept


def test_a_phrase_and_own_words_go_together(match, pair):
    word = say(match, pair[0], 1, "comeback", "Down by 500!")
    assert (word.phrase, word.text) == ("comeback", "Down by 500!")
    assert say(match, pair[1], 0, "again", "  ").text == ""


def test_the_database_keeps_the_rules_too(match, pair):
    row = {"match": match, "author": pair[0], "reader": pair[1], "written_at": clock.now()}
    for wrong in ({"author_seat": 0, "reader_seat": 0, "phrase": "fair"}, {"author_seat": 0, "reader_seat": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Afterword.objects.create(**row, **wrong)


def test_the_first_set_of_phrases():
    assert " ".join(PHRASES) == "thanks fine_match patient clever company taught again comeback fair welcome"


def test_nothing_expresses_a_low_opinion():
    """No thumbs, no stars, no scale, no count of what was not said."""
    columns = "id match author_seat author reader_seat reader phrase text written_at withdrawn_at hidden_at"
    assert " ".join(field.name for field in Afterword._meta.get_fields()) == columns
    assert [model.__name__ for model in apps.get_app_config("afterwords").get_models()] == ["Afterword"]


# Being told


def test_the_reader_is_told_that_a_word_came_and_from_whom(match, pair):
    word = say(match, pair[0], 1, text="Quite a secret")
    notice = Notice.objects.get(kind="afterword")
    assert notice.member == pair[1]
    letter = kinds.get("afterword").compose(notice)
    assert pair[0].name in " ".join(letter.lines)
    assert pair[0].name not in letter.subject
    assert "secret" not in repr(letter) + repr(notice.facts)
    assert letter.path == reverse("after", args=[match.pk])
    assert kinds.get("afterword").still_true(notice)
    Afterword.objects.filter(pk=word.pk).update(hidden_at=clock.now())
    assert not kinds.get("afterword").still_true(notice)


def test_a_word_taken_back_is_not_told(match, pair):
    Member.objects.filter(pk=pair[1].pk).update(email="b@example.org", email_confirmed=True)
    say(match, pair[0], 1, "thanks")
    services.withdraw(match_id=match.pk, member=pair[0], seat=1)
    assert Delivery.objects.get(notice__kind="afterword").state == Delivery.State.CANCELLED
    assert not kinds.get("afterword").still_true(Notice.objects.get(kind="afterword"))


# Guests who sign in


def test_words_move_with_the_seats_of_a_guest(pair):
    guest, member = GuestFactory.create(), pair[0]
    match = over(guest, pair[1])
    given, received = say(match, guest, 1, "thanks"), say(match, pair[1], 0, "welcome")
    guest_merged.send(Member, guest=guest, member=member)
    given.refresh_from_db()
    received.refresh_from_db()
    assert (given.author, received.reader) == (member, member)


def test_words_stay_where_both_sat_at_one_table():
    guest, member, third = GuestFactory.create(), MemberFactory.create(), MemberFactory.create()
    match = over(guest, member, third)
    word = say(match, guest, 1, "thanks")
    guest_merged.send(Member, guest=guest, member=member)
    word.refresh_from_db()
    assert (word.author, word.reader) == (guest, member)


# The pages


def signed_in(new_visitor, member: Member) -> Visitor:
    visitor = new_visitor()
    visitor.force_login(member)
    return visitor


def address(match: Match, seat: int, act: str = "afterword") -> str:
    return reverse(act, args=[match.pk, seat])


def test_the_page_after_a_match(new_visitor, match, pair):
    here, there = (signed_in(new_visitor, member) for member in pair)
    page = reverse("after", args=[match.pk])
    first = here.get(page)
    assert first.status_code == 200
    assert "no-store" in first["Cache-Control"]
    assert str(PHRASES["comeback"]) in first.content.decode()
    said = here.post(address(match, 1), {"phrase": "comeback", "text": "<b>Bold</b>\nplay"}, follow=True)
    assert said.redirect_chain == [(page, 302)]
    for visitor in (here, there):
        html = visitor.get(page).content.decode()
        assert "&lt;b&gt;Bold&lt;/b&gt;<br>play" in html
        assert "<b>Bold" not in html
    assert address(match, 1) + '"' not in here.get(page).content.decode()
    here.post(address(match, 1, "afterword_withdraw"))
    assert "Bold" not in there.get(page).content.decode()


def test_the_phrase_is_read_in_the_readers_language(new_visitor, match, pair, monkeypatch):
    say(match, pair[0], 1, "thanks")
    monkeypatch.setitem(PHRASES, "thanks", translation.gettext_lazy("Monday"))
    Member.objects.filter(pk=pair[1].pk).update(language="tr")
    html = signed_in(new_visitor, Member.objects.get(pk=pair[1].pk)).get(reverse("after", args=[match.pk]))
    assert "Pazartesi" in html.content.decode()


def test_all_seats_read_all_words(new_visitor):
    members = MemberFactory.create_batch(3)
    match = over(*members)
    say(match, members[0], 1, text="Between the two of us")
    html = signed_in(new_visitor, members[2]).get(reverse("after", args=[match.pk])).content.decode()
    assert "Between the two of us" in html


def test_what_a_moderator_hid_only_its_author_reads(new_visitor, match, pair):
    word = say(match, pair[0], 1, text="Something hidden")
    Afterword.objects.filter(pk=word.pk).update(hidden_at=clock.now())
    page = reverse("after", args=[match.pk])
    assert "Something hidden" in signed_in(new_visitor, pair[0]).get(page).content.decode()
    assert "Something hidden" not in signed_in(new_visitor, pair[1]).get(page).content.decode()


def test_a_second_word_is_answered_with_the_first(new_visitor, match, pair):
    here = signed_in(new_visitor, pair[0])
    here.post(address(match, 1), {"text": "The first"})
    again = here.post(address(match, 1), {"text": "The second"})
    html = again.content.decode()
    assert again.status_code == 409
    assert "The first" in html
    assert "The second" not in html


@pytest.mark.parametrize(
    "data", [{}, {"text": "a" * 281}, {"text": "\x00"}, {"phrase": "rude"}, {"phrase": ["x", "y"]}, {"text": "\u200b"}]
)
def test_what_is_not_taken_comes_back_with_the_reason(new_visitor, match, pair, data):
    answer = signed_in(new_visitor, pair[0]).post(address(match, 1), data)
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert not Afterword.objects.exists()


def test_the_doors_refuse(new_visitor, match, pair):
    here, stranger, nobody = (
        signed_in(new_visitor, pair[0]),
        signed_in(new_visitor, MemberFactory.create()),
        new_visitor(),
    )
    page = reverse("after", args=[match.pk])
    said = {"phrase": "thanks"}
    running = seated(pair, "thousand")
    wrong = UUID(int=0)
    assert here.get(reverse("after", args=[running.pk])).status_code == 302
    assert here.post(address(running, 1), said).status_code == 422
    assert here.post(address(running, 1), {"phrase": "rude"}).status_code == 422
    assert here.post(address(match, 0), said).status_code == 422
    assert here.post(f"/m/{match.pk}/after/{10**30}/", said).status_code == 404
    assert here.post(address(match, 1, "afterword_withdraw")).status_code == 404
    assert here.get(address(match, 1)).status_code == 405
    assert here.post(page).status_code == 405
    for visitor, at in ((stranger, match.pk), (here, wrong), (here, uuid4())):
        assert visitor.get(reverse("after", args=[at])).status_code == 404
        assert visitor.post(reverse("afterword", args=[at, 1]), said).status_code == 404
        assert visitor.post(reverse("afterword_withdraw", args=[at, 1])).status_code == 404
    assert nobody.get(page).status_code == nobody.post(address(match, 1), said).status_code == 302
    Match.objects.update(ended_at=clock.now() - timedelta(days=8))
    assert here.post(address(match, 1), said).status_code == 422
    assert address(match, 1) + '"' not in here.get(page).content.decode()
    assert not Afterword.objects.exists()


def test_guests_write_and_receive(new_visitor):
    guest, member = GuestFactory.create(), MemberFactory.create()
    match = over(guest, member)
    assert signed_in(new_visitor, guest).post(address(match, 1), {"phrase": "thanks"}).status_code == 302
    assert signed_in(new_visitor, member).post(address(match, 0), {"phrase": "welcome"}).status_code == 302
