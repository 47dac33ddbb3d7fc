"""The commands of the runbook, called as a person calls them."""

from __future__ import annotations

import io
import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from club.demo.matches import play, seated
from club.members.models import Member
from games import clock
from games.models import Match, Table
from tests import records as reader
from tests.factories import MemberFactory


def said(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


class TestSelfplay:
    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (["--title", "kozel", "--seats", "2"], {"bald": False, "round_limit": None}),
            (["--title", "kozel", "--seats", "4", "--teams"], {"teams": True}),
            (["--title", "kozel", "--seats", "4", "--option", "teams=off"], {"teams": False}),
            (["--title", "kozel", "--seats", "3", "--option", "bald=on", "--option", "round_limit=1"], {"bald": True}),
            (["--title", "kozel", "--seats", "2", "--option", "round_limit=none", "--policy", "bot"], {"players": 2}),
            (["--title", "thousand", "--seats", "4", "--option", "five_of_a_kind=10"], {"five_of_a_kind": 10}),
        ],
    )
    def test_it_writes_one_record_a_line(self, words, expected, tmp_path):
        out = tmp_path / "records.jsonl"
        said("selfplay", *words, "--matches", "3", "--seed", "7", "--legal", "--out", str(out))
        lines = out.read_text().splitlines()
        assert len(lines) == 3
        for line in lines:
            record = json.loads(line)
            assert expected.items() <= record["options"].items()
            assert any("legal" in event for event in record["events"])
            reader.check(record)

    def test_without_legal_no_event_has_it_and_the_seed_decides(self, tmp_path):
        one, same, other = (tmp_path / name for name in ("one", "same", "other"))
        for out, seed in ((one, "1"), (same, "1"), (other, "2")):
            said("selfplay", "--title", "thousand", "--seats", "2", "--seed", seed, "--out", str(out))
        assert one.read_text() == same.read_text() != other.read_text()
        assert "legal" not in one.read_text()

    @pytest.mark.parametrize(
        "words",
        [
            ["--title", "kozel", "--seats", "5"],
            ["--title", "kozel", "--seats", "2", "--teams"],
            ["--title", "kozel", "--seats", "2", "--option", "target=365"],
            ["--title", "kozel", "--seats", "2", "--option", "unknown=on"],
            ["--title", "thousand", "--seats", "2", "--option", "five_of_a_kind=on"],
        ],
    )
    def test_what_is_not_offered_is_refused_by_name(self, words, tmp_path):
        out = tmp_path / "records.jsonl"
        with pytest.raises(CommandError):
            said("selfplay", *words, "--out", str(out))
        assert not out.exists()


@pytest.mark.django_db
class TestExport:
    def test_a_finished_match_is_told_whole(self):
        match = play(seated([MemberFactory(), MemberFactory()], "kozel", round_limit=1))
        record = json.loads(said("export_match", str(match.pk)))
        reader.check(record)
        assert record["match"] == str(match.pk)

    def test_a_running_one_keeps_its_secrets(self):
        match = seated([MemberFactory(), MemberFactory()], "kozel")
        record = json.loads(said("export_match", str(match.pk)))
        assert not any(event["secret"] for event in record["events"])
        assert record["outcome"] is None

    def test_an_unknown_match_is_said_to_be_unknown(self):
        with pytest.raises(CommandError, match="no such match"):
            said("export_match", str(uuid4()))


@pytest.mark.django_db
def test_a_person_lets_turns_expire_again():
    clock.beat()
    assert said("resume_expiry") == "Expiry was not halted.\n"
    clock.halt("too many")
    assert not clock.may_expire(clock.now())
    assert said("resume_expiry") == "Turns may expire again.\n"
    assert clock.may_expire(clock.now())


@pytest.mark.django_db
def test_the_demo_club_is_filled_once_and_always_says_who_may_sign_in():
    first = said("demo")
    filled = Member.objects.count(), Table.objects.count(), Match.objects.count()
    assert filled == (5, 9, 6)
    assert Member.objects.filter(is_moderator=True).count() == 1
    assert set(Member.objects.values_list("language", flat=True)) == {"ru", "az", "tr", "en"}
    assert said("demo") == first
    assert (Member.objects.count(), Table.objects.count(), Match.objects.count()) == filled
    for member in Member.objects.all():
        assert f"  {member.name}  " in first
        assert member.check_password("one-move-a-day")
