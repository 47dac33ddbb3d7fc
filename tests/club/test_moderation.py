"""Complaints and the desk: who may do what, when, and what follows (moderation.md 2 to 6, 9, 13)."""

from __future__ import annotations

import hmac
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from cryptography.exceptions import InvalidTag
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from club.afterwords import services as afterwords
from club.demo.matches import seated
from club.keys import subkey
from club.members.models import Member
from club.members.signals import guest_merged
from club.moderation import evidence, identity, selectors, services, stafflog
from club.moderation.errors import AboutOneself, Changed, Held, HoldsAnother, NotHeld, TooLate, TooMany
from club.moderation.models import Case, Category, Complaint, ComplaintIdentity, Ruling, StaffLog
from club.moderation.services import Filed
from games import clock
from games.errors import Malformed, NotFound
from games.models import Match
from notifications import kinds
from notifications.models import Notice
from tests.club.test_afterwords import over
from tests.club.visitor import Visitor
from tests.factories import GuestFactory, MemberFactory
from tests.games.test_races import at_once

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def pair() -> list[Member]:
    return [MemberFactory.create(), MemberFactory.create()]


@pytest.fixture
def match(pair: list[Member]) -> Match:
    return over(*pair)


@pytest.fixture
def moderator() -> Member:
    return MemberFactory.create(is_moderator=True)


def complain(match: Match, member: Member, seat: int, category: str = "rudeness", text: str = "Rude.") -> Filed:
    return services.file(match_id=match.pk, member=member, seat=seat, category=category, text=text)


def claimed(case: Case, moderator: Member) -> Case:
    """The case as it stands after this moderator took it."""
    case.refresh_from_db()
    services.claim(case_id=case.pk, moderator=moderator, version=case.version)
    case.refresh_from_db()
    return case


def answered(case: Case, moderator: Member, decision: str = "no_action", reasons: str = "All was well.") -> Ruling:
    case = claimed(case, moderator)
    return services.answer(
        case_id=case.pk, moderator=moderator, version=case.version, decision=decision, reasons=reasons
    )


def signed_in(new_visitor, member: Member) -> Visitor:
    visitor = new_visitor()
    visitor.force_login(member)
    return visitor


# Filing


def test_a_complaint_opens_a_case_that_is_due_in_four_hours(match, pair, moderator):
    complaint = complain(match, pair[0], 1, text="He wrote\r\nsomething <b>rude</b>.").complaint
    assert (complaint.case.accused, complaint.accused_seat, complaint.state) == (pair[1], 1, "received")
    assert complaint.due_at - complaint.received_at == 4 * HOUR == complaint.case.due_at - complaint.case.opened_at
    assert complaint.text == "He wrote\nsomething <b>rude</b>."
    assert Notice.objects.filter(kind="complaint_received").get().member == moderator
    assert [row.act for row in StaffLog.objects.all()] == ["opened"]


def test_what_is_complained_of_is_copied(match, pair):
    afterwords.write(match_id=match.pk, member=pair[1], seat=0, phrase="clever", text="What luck you had")
    complaint = complain(match, pair[0], 1).complaint
    afterwords.withdraw(match_id=match.pk, member=pair[1], seat=0)
    Member.objects.filter(pk=pair[1].pk).update(name="Another name")
    complaint.refresh_from_db()
    kept = complaint.evidence
    assert (kept["name"], kept["words"][0]["text"], kept["words"][0]["taken_back"]) == (
        pair[1].name,
        "What luck you had",
        False,
    )
    assert (kept["number"], kept["head"]) == (match.number, bytes(match.head).hex())
    assert evidence.sha256(kept) == bytes(complaint.evidence_sha256)
    assert StaffLog.objects.get().facts["evidence"] == evidence.sha256(kept).hex()


def test_words_taken_back_before_the_complaint_are_evidence_too(match, pair):
    afterwords.write(match_id=match.pk, member=pair[1], seat=0, text="Sent and withdrawn")
    afterwords.withdraw(match_id=match.pk, member=pair[1], seat=0)
    (word,) = complain(match, pair[0], 1).complaint.evidence["words"]
    assert (word["text"], word["taken_back"]) == ("Sent and withdrawn", True)


def test_a_running_match_can_be_complained_of(pair):
    complain(seated(pair, "kozel"), pair[0], 1, "stalling")
    assert Case.objects.get().accused == pair[1]


@pytest.mark.parametrize(("ago", "refused"), [(90 * DAY - HOUR, False), (90 * DAY + HOUR, True)])
def test_for_ninety_days(match, pair, ago, refused):
    Match.objects.update(ended_at=clock.now() - ago)
    if refused:
        with pytest.raises(TooLate):
            complain(match, pair[0], 1)
    else:
        complain(match, pair[0], 1)
    assert Complaint.objects.exists() is not refused


def test_whom_nobody_can_complain_of(match, pair):
    with pytest.raises(AboutOneself):
        complain(match, pair[0], 0)
    for member, seat in ((pair[0], 2), (pair[0], 10**12), (MemberFactory.create(), 1)):
        with pytest.raises(NotFound):
            complain(match, member, seat)
    with pytest.raises(NotFound):
        services.file(match_id=uuid4(), member=pair[0], seat=1, category="spam", text="x")
    assert not Complaint.objects.exists()


@pytest.mark.parametrize("category", ["", "appeal", "system", "Rudeness", "multiple_accounts", "\x00"])
def test_reasons_that_are_not_offered(match, pair, category):
    with pytest.raises(Malformed):
        complain(match, pair[0], 1, category)
    assert not Complaint.objects.exists()


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "a" * 1001, "nul\x00", "\ud83d", "👍🏽" * 1001])
def test_texts_that_are_not_taken(match, pair, text):
    with pytest.raises(Malformed):
        complain(match, pair[0], 1, text=text)
    assert not Complaint.objects.exists()


def test_the_reasons_of_the_rules():
    assert " ".join(Category.values) == "rudeness mockery hate threat minor self_harm name spam stalling collusion"


def test_the_fourth_complaint_of_a_day(pair):
    others = [MemberFactory.create() for _ in range(4)]
    matches = [over(other, pair[0]) for other in others]
    for match in matches[:3]:
        complain(match, pair[0], 0)
    with pytest.raises(TooMany) as refusal:
        complain(matches[3], pair[0], 0)
    assert 0 < refusal.value.wait - 86_400 + 60 <= 61
    assert Complaint.objects.count() == 3
    complain(matches[0], others[0], 1)
    Complaint.objects.filter(match=matches[0], accused_seat=0).update(received_at=clock.now() - DAY - HOUR)
    complain(matches[3], pair[0], 0)
    assert Complaint.objects.count() == 5


def test_a_second_complaint_about_the_same_is_added_to_the_first(match, pair, moderator):
    first = complain(match, pair[0], 1).complaint
    Complaint.objects.update(due_at=first.due_at - HOUR)
    second = complain(match, pair[0], 1, "threat", "Now a threat.")
    assert second.complaint == first
    added = Complaint.objects.get(first=first)
    assert (added.state, added.due_at, added.case) == ("merged", first.due_at - HOUR, first.case)
    assert selectors.queue(moderator)[0].is_urgent
    complain(match, pair[0], 1)
    with pytest.raises(TooMany):
        complain(match, pair[0], 1)
    assert Case.objects.count() == 1


@pytest.mark.parametrize("category", ["threat", "minor", "self_harm"])
@pytest.mark.parametrize("by", ["the same", "another"])
def test_a_case_that_becomes_urgent_is_told_once_more(moderator, category, by):
    accused, one, another = MemberFactory.create_batch(3)
    match = over(accused, one, another)
    complain(match, one, 0)
    complain(match, another, 0, "mockery")
    assert told() == [moderator]
    urgent = one if by == "the same" else another
    complain(match, urgent, 0, category)
    assert told() == [moderator] * 2
    complain(match, urgent, 0, "threat")
    assert told() == [moderator] * 2


def told() -> list[Member]:
    """Whoever was told that something waits at the desk."""
    return [notice.member for notice in Notice.objects.filter(kind="complaint_received").order_by("pk")]


@pytest.mark.parametrize("near", [True, False], ids=["a moderator who is too close", "no moderator"])
def test_when_nobody_at_the_desk_may_answer_the_owner_is_told(near):
    accused, one = MemberFactory.create_batch(2)
    Member.objects.filter(pk=one.pk).update(is_moderator=near)
    owner, other = MemberFactory.create(is_superuser=True), MemberFactory.create()
    MemberFactory.create(is_superuser=True, is_active=False)
    match = over(accused, one, other)
    complain(match, one, 0)
    assert told() == [owner]
    notice, kind = Notice.objects.get(kind="complaint_received"), kinds.get("complaint_received")
    assert kind.still_true(notice)
    letter = kind.compose(notice)
    assert (letter.neutral, letter.path) == (True, reverse("lobby"))
    free = MemberFactory.create(is_moderator=True)
    assert not kind.still_true(notice)
    complain(match, other, 0)
    assert told() == [owner, free]


def test_an_owner_who_is_too_close_is_told_only_when_there_is_no_other():
    accused, one = MemberFactory.create(is_superuser=True), MemberFactory.create()
    complain(over(accused, one), one, 0)
    assert told() == [accused]
    Case.objects.update(status=Case.Status.ANSWERED)
    owner = MemberFactory.create(is_superuser=True)
    complain(over(accused, one), one, 0)
    assert told() == [accused, owner]


def test_a_complaint_nobody_can_be_told_of_is_an_error_in_the_log(match, pair, caplog):
    complain(match, pair[0], 1)
    assert told() == []
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_complaints_about_one_member_are_one_case_with_clocks_of_their_own(moderator):
    members = MemberFactory.create_batch(4)
    match = over(*members)
    filed = [complain(match, members[seat], 3).complaint for seat in range(3)]
    case = Case.objects.get()
    assert [complaint.state for complaint in filed] == ["received", "merged", "merged"]
    assert all(complaint.due_at - complaint.received_at == 4 * HOUR for complaint in filed)
    assert (case.due_at, case.version) == (filed[0].due_at, 3)
    assert Notice.objects.filter(kind="complaint_received").count() == 1
    answered(case, moderator)
    assert set(Notice.objects.filter(kind="complaint_answered").values_list("member", flat=True)) == {
        member.pk for member in members[:3]
    }
    assert Ruling.objects.count() == 1


def test_after_the_answer_a_new_complaint_opens_a_new_case(match, pair, moderator):
    answered(complain(match, pair[0], 1).complaint.case, moderator)
    second = complain(match, pair[0], 1).complaint
    assert (second.state, second.first, Case.objects.count()) == ("received", None, 2)


# Who complained


def test_the_identity_is_sealed_for_this_complaint_alone(match, pair):
    one = complain(match, pair[0], 1).complaint
    other = complain(match, pair[1], 0).complaint
    sealed = bytes(ComplaintIdentity.objects.get(complaint=one).sealed)
    assert pair[0].pk.bytes not in sealed
    assert identity.complainant(one) == pair[0].pk
    ComplaintIdentity.objects.filter(complaint=other).update(sealed=sealed)
    with pytest.raises(InvalidTag):
        identity.complainant(other)
    for model in (ComplaintIdentity, Complaint):
        assert Member not in {field.related_model for field in model._meta.get_fields()}


def test_the_pseudonym_is_twenty_bits_of_a_keyed_hash(pair):
    bits = bin(int.from_bytes(hmac.digest(subkey("complaint-pseudonym"), pair[0].pk.bytes, "sha256"), "big") | 1 << 256)
    numbers = [int(bits[3:][at : at + 5], 2) for at in (0, 5, 10, 15)]
    expected = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number] for number in numbers)
    assert identity.pseudonym(pair[0].pk) == f"R-{expected}"


def test_members_of_one_pseudonym_are_told_apart(match, pair, monkeypatch, moderator):
    monkeypatch.setattr(identity, "pseudonym", lambda _: "R-0000")
    complaint = complain(match, pair[0], 1).complaint
    assert selectors.own_complaint(complaint.pk, pair[0]) == complaint
    for other in (pair[1], moderator):
        with pytest.raises(NotFound):
            selectors.own_complaint(complaint.pk, other)
    assert len(selectors.queue(moderator)) == 1
    for _ in range(2):
        complain(match, pair[0], 1)
    complain(match, pair[1], 0)


def test_nobody_can_tell_once_the_identity_is_destroyed(match, pair):
    complaint = complain(match, pair[0], 1).complaint
    ComplaintIdentity.objects.all().delete()
    with pytest.raises(NotFound):
        selectors.own_complaint(complaint.pk, pair[0])
    assert identity.complaints_by(pair[0]) == []


def test_a_guests_complaints_go_on_with_the_account(moderator):
    guest, other, account = GuestFactory.create(), MemberFactory.create(), MemberFactory.create()
    match = over(guest, other)
    mine = complain(match, guest, 1).complaint
    about = complain(match, other, 0).complaint
    guest_merged.send(Member, guest=guest, member=account)
    assert selectors.own_complaint(mine.pk, account) == mine
    mine.refresh_from_db()
    about.refresh_from_db()
    assert mine.pseudonym == identity.pseudonym(account.pk)
    assert about.case.accused == account
    with pytest.raises(NotFound):
        selectors.own_complaint(mine.pk, guest)


def test_a_case_that_becomes_urgent_by_a_merge_is_told_once_more(moderator):
    guest, others, account = GuestFactory.create(), MemberFactory.create_batch(2), MemberFactory.create()
    complain(over(guest, others[0]), others[0], 0, "threat")
    complain(over(account, others[1]), others[1], 0)
    guest_merged.send(Member, guest=guest, member=account)
    notices = Notice.objects.filter(kind="complaint_received")
    assert [kinds.get(notice.kind).still_true(notice) for notice in notices.order_by("pk")] == [False, True, True]


def test_two_cases_on_what_became_one_member_are_gathered(moderator):
    guest, others, account = GuestFactory.create(), MemberFactory.create_batch(2), MemberFactory.create()
    early = complain(over(guest, others[0]), others[0], 0).complaint
    late = complain(over(account, others[1]), others[1], 0).complaint
    guest_merged.send(Member, guest=guest, member=account)
    case = Case.objects.get()
    assert set(case.complaints.all()) == {early, late}
    assert (case.accused, case.due_at) == (account, early.due_at)
    answered(case, moderator)
    assert Notice.objects.filter(kind="complaint_answered").count() == 2


# The desk


def test_the_order_of_work(moderator):
    cases = {}
    for category, ago in (("spam", 3), ("rudeness", 1), ("threat", 0), ("self_harm", 2), ("minor", 1)):
        pair = MemberFactory.create_batch(2)
        case = complain(over(*pair), pair[0], 1, category).complaint.case
        Case.objects.filter(pk=case.pk).update(due_at=case.due_at - ago * HOUR)
        cases[case.pk] = category
    assert [cases[row.case.pk] for row in selectors.queue(moderator)] == [
        "self_harm",
        "minor",
        "threat",
        "spam",
        "rudeness",
    ]


def test_a_claim_does_not_stop_the_clock(match, pair, moderator):
    case = complain(match, pair[0], 1).complaint.case
    due = case.due_at
    assert claimed(case, moderator).due_at == due
    assert selectors.queue(moderator)[0].held == "me"
    Case.objects.update(due_at=clock.now() - HOUR)
    (row,) = selectors.queue(moderator)
    assert (row.is_broken, row.is_late, row.minutes) == (True, True, 0)
    answered(case, moderator)
    complaint = Complaint.objects.get()
    assert complaint.state == "answered"
    assert complaint.answered_at is not None


def test_twenty_minutes_without_an_act_free_a_case(match, pair, moderator):
    other = MemberFactory.create(is_moderator=True)
    case = claimed(complain(match, pair[0], 1).complaint.case, moderator)
    with pytest.raises(Held):
        services.claim(case_id=case.pk, moderator=other, version=case.version)
    Case.objects.update(claimed_at=clock.now() - timedelta(minutes=20))
    assert selectors.queue(other)[0].held == ""
    services.claim(case_id=case.pk, moderator=other, version=case.version)
    case.refresh_from_db()
    assert case.claimed_by == other
    for act in (services.release, services.answer):
        words = {"decision": "note", "reasons": "x"} if act is services.answer else {}
        with pytest.raises(NotHeld):
            act(case_id=case.pk, moderator=moderator, version=case.version, **words)


def test_a_moderator_holds_one_case_at_a_time(moderator):
    cases = []
    for _ in range(2):
        pair = MemberFactory.create_batch(2)
        cases.append(complain(over(*pair), pair[0], 1).complaint.case)
    first = claimed(cases[0], moderator)
    with pytest.raises(HoldsAnother):
        claimed(cases[1], moderator)
    Case.objects.filter(pk=first.pk).update(claimed_at=clock.now() - HOUR)
    claimed(cases[1], moderator)
    first.refresh_from_db()
    assert first.claimed_by is None
    assert [row.act for row in StaffLog.objects.filter(case=first.pk)] == ["opened", "claimed", "freed"]


STATES = ("free", "mine", "other", "answered")
ACTS = ("claim", "release", "answer")
ALLOWED = {("free", "claim"), ("mine", "claim"), ("mine", "release"), ("mine", "answer")}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("act", ACTS)
def test_every_act_in_every_state(match, pair, moderator, state, act):
    """Allowed ones work, all others are refused and change nothing."""
    other = MemberFactory.create(is_moderator=True)
    case = complain(match, pair[0], 1).complaint.case
    {
        "free": lambda: None,
        "mine": lambda: claimed(case, moderator),
        "other": lambda: claimed(case, other),
        "answered": lambda: answered(case, moderator),
    }[state]()
    case.refresh_from_db()
    words = {"decision": "note", "reasons": "Against the rules."} if act == "answer" else {}

    def attempt() -> None:
        getattr(services, act)(case_id=case.pk, moderator=moderator, version=case.version, **words)

    before = Case.objects.values().get(), StaffLog.objects.count(), Notice.objects.count()
    if (state, act) in ALLOWED:
        attempt()
        assert StaffLog.objects.count() == before[1] + 1
        assert Case.objects.get().version == case.version + 1
    else:
        with pytest.raises(Changed):
            attempt()
        assert (Case.objects.values().get(), StaffLog.objects.count(), Notice.objects.count()) == before


def test_who_acts_on_an_old_version_is_refused(match, pair, moderator):
    case = complain(match, pair[0], 1).complaint.case
    case = claimed(case, moderator)
    complain(match, pair[0], 1, text="One thing more.")
    with pytest.raises(Changed):
        services.answer(case_id=case.pk, moderator=moderator, version=case.version, decision="note", reasons="x")
    assert not Ruling.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_at_once_one_wins():
    pair = MemberFactory.create_batch(2)
    moderators = MemberFactory.create_batch(4, is_moderator=True)
    case = complain(over(*pair), pair[0], 1).complaint.case
    answers = at_once(
        *[lambda m=m: services.claim(case_id=case.pk, moderator=m, version=case.version) for m in moderators]
    )
    assert sorted(map(str, answers)) == ["None", "changed", "changed", "changed"]
    case.refresh_from_db()
    assert case.claimed_by == moderators[answers.index(None)]


@pytest.mark.django_db(transaction=True)
def test_of_two_cases_at_once_a_moderator_gets_one():
    moderator, cases = MemberFactory.create(is_moderator=True), []
    for _ in range(2):
        pair = MemberFactory.create_batch(2)
        cases.append(complain(over(*pair), pair[0], 1).complaint.case)
    answers = at_once(
        *[lambda c=case: services.claim(case_id=c.pk, moderator=moderator, version=c.version) for case in cases]
    )
    assert sorted(map(str, answers)) == ["None", "holds_another"]


@pytest.mark.django_db(transaction=True)
def test_of_many_complaints_at_once_three_are_taken_and_open_one_case():
    pair = MemberFactory.create_batch(2)
    match = over(*pair)
    answers = at_once(*[lambda n=n: complain(match, pair[0], 1, text=f"{n}") for n in range(6)])
    assert answers.count("too_many") == 3
    assert Case.objects.count() == Complaint.objects.filter(first=None).count() == 1
    assert stafflog.first_broken() is None


def test_an_answer_needs_a_decision_and_reasons(match, pair, moderator):
    case = claimed(complain(match, pair[0], 1).complaint.case, moderator)
    for decision, reasons in (("note", ""), ("note", " \u200b"), ("seen", "Seen."), ("", "x"), ("note", "x" * 2001)):
        with pytest.raises(Malformed):
            services.answer(
                case_id=case.pk, moderator=moderator, version=case.version, decision=decision, reasons=reasons
            )
    assert not Ruling.objects.exists()


# Conflicts of interest


@pytest.mark.parametrize("role", ["accused", "complainant", "opponent"])
def test_a_moderator_never_meets_a_case_of_their_own(new_visitor, role):
    members = MemberFactory.create_batch(3)
    number = {"accused": 2, "complainant": 1, "opponent": 0}[role]
    Member.objects.filter(pk=members[number].pk).update(is_moderator=True)
    near = Member.objects.get(pk=members[number].pk)
    far = MemberFactory.create(is_moderator=True)
    case = complain(over(*members), members[1], 2).complaint.case
    assert selectors.queue(near) == []
    assert [row.case for row in selectors.queue(far)] == [case]
    assert Notice.objects.get(kind="complaint_received").member == far
    visitor = signed_in(new_visitor, near)
    assert visitor.get(reverse("case", args=[case.pk])).status_code == 404
    for act in ("claim", "release", "answer"):
        data = {"version": case.version, "decision": "no_action", "reasons": "x"}
        assert visitor.post(reverse(f"case_{act}", args=[case.pk]), data).status_code == 404
        words = {"decision": "note", "reasons": "x"} if act == "answer" else {}
        with pytest.raises(NotFound):
            getattr(services, act)(case_id=case.pk, moderator=near, version=case.version, **words)
    tries = StaffLog.objects.filter(act="refused")
    assert [row.actor for row in tries] == [near] * 4
    assert str(case.pk) not in visitor.get(reverse("desk")).content.decode()


def test_a_conflict_that_comes_later_counts_too(moderator):
    accused, one = MemberFactory.create_batch(2)
    case = complain(over(accused, one), one, 0).complaint.case
    notice = Notice.objects.get(kind="complaint_received")
    assert kinds.get("complaint_received").still_true(notice)
    claimed(case, moderator)
    shared = over(accused, moderator, one)
    complain(shared, one, 0)
    case.refresh_from_db()
    assert selectors.queue(moderator) == []
    assert not kinds.get("complaint_received").still_true(notice)
    with pytest.raises(NotFound):
        services.answer(case_id=case.pk, moderator=moderator, version=case.version, decision="note", reasons="x")


def test_an_account_that_complained_as_a_guest_is_too_close(moderator):
    guest, accused = GuestFactory.create(), MemberFactory.create()
    complain(over(guest, accused), guest, 1)
    assert len(selectors.queue(moderator)) == 1
    identity.hand_over(guest, moderator)
    assert selectors.queue(moderator) == []


# The staff log


def test_the_staff_log_refuses_changes(match, pair):
    complain(match, pair[0], 1)
    for words in ("UPDATE moderation_stafflog SET act = 'x'", "DELETE FROM moderation_stafflog"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(words)


@pytest.mark.parametrize(
    ("tamper", "at"),
    [
        ("UPDATE moderation_stafflog SET act = 'released' WHERE number = 2", 2),
        ("UPDATE moderation_stafflog SET facts = '{}' WHERE number = 1", 1),
        ("UPDATE moderation_stafflog SET line = line || ' ' WHERE number = 3", 3),
        ("DELETE FROM moderation_stafflog WHERE number = 2", 2),
        ("UPDATE moderation_stafflog SET number = 9 - number WHERE number > 1", 2),
    ],
)
def test_the_chain_shows_what_was_tampered_with(match, pair, moderator, tamper, at, capsys):
    answered(complain(match, pair[0], 1).complaint.case, moderator)
    assert StaffLog.objects.count() == 3
    call_command("check_staff_log")
    assert re.fullmatch(r"3 [0-9a-f]{64}\n", capsys.readouterr().out)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE moderation_stafflog DISABLE TRIGGER append_only")
        cursor.execute(tamper)
    with pytest.raises(CommandError, match=f"line {at}"):
        call_command("check_staff_log")


def test_the_log_holds_no_texts_and_no_complainant(match, pair, moderator):
    complaint = complain(match, pair[0], 1, text="A text to be kept for less long").complaint
    answered(complaint.case, moderator, reasons="Reasons to be kept for less long")
    lines = b"".join(bytes(row.line) for row in StaffLog.objects.all()).decode()
    for secret in ("less long", str(pair[0].pk), pair[0].name, complaint.pseudonym, str(match.pk)):
        assert secret not in lines
