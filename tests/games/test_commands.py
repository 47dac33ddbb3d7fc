"""The commands of the runbook, called as a person calls them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from club.demo.matches import play, seated
from club.members.models import Member
from games import clock, services, titles
from games.engine import chance
from games.models import Match, Outage, Seat, Table, Turn
from tests import records as reader
from tests.factories import MemberFactory


def said(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def refused(*command: str) -> str:
    """The one sentence of a command that cannot be followed."""
    with pytest.raises(CommandError) as error:
        said(*command)
    assert error.value.returncode == 2
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


def by_hand(*command: str) -> tuple[int, str, str]:
    """Status, output and errors of a command, started as a person starts it."""
    done = subprocess.run([sys.executable, "manage.py", *command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


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
            (["--title", "allfives", "--seats", "2", "--option", "muggins=strict"], {"muggins": "strict"}),
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
        assert [*tmp_path.iterdir()] == [out]

    def test_without_legal_no_event_has_it_and_the_seed_decides(self, tmp_path):
        one, same, other = (tmp_path / name for name in ("one", "same", "other"))
        for out, seed in ((one, "1"), (same, "1"), (other, "2")):
            said("selfplay", "--title", "thousand", "--seats", "2", "--seed", seed, "--out", str(out))
        assert one.read_text() == same.read_text() != other.read_text()
        assert "legal" not in one.read_text()

    @pytest.mark.parametrize(
        ("words", "named"),
        [
            (["--title", "kozl"], "argument --title: invalid choice: 'kozl'"),
            (["--seats", "5"], "--seats: kozel has 2, 3, 4 seats, not 5"),
            (["--seats", "two"], "argument --seats: invalid int value: 'two'"),
            (["--matches", "0"], "--matches: must be at least 1, not 0"),
            (["--matches", "-3"], "--matches: must be at least 1, not -3"),
            (["--processes", "0"], "--processes: must be at least 1, not 0"),
            (["--seed", "x"], "argument --seed: invalid int value: 'x'"),
            (["--policy", "wise"], "argument --policy: invalid choice: 'wise'"),
            (["--teams"], "--option teams: not an option with 2 seats"),
            (["--option", "teams=off"], "--option teams: not an option with 2 seats"),
            (["--seats", "4", "--teams", "--option", "teams=off"], "--option teams: is given twice"),
            (["--option", "bald=on", "--option", "bald=off"], "--option bald: is given twice"),
            (["--option", "players=3"], "--option players: the table has 2 seats"),
            (["--option", "players=all"], "--option players: the table has 2 seats"),
            (["--option", "target=365"], "--option target: must be one of 101"),
            (["--option", "round_limit=2"], "--option round_limit: must be one of 1, 3, 5, none"),
            (["--option", "bald=1"], "--option bald: must be one of on, off"),
            (["--option", "unknown=on"], "--option unknown: there is no such option"),
            (["--option", "=on"], "--option : there is no such option"),
            (["--option", "bald"], "--option bald: must be KEY=VALUE"),
            (["--title", "thousand", "--option", "five_of_a_kind=on"], "five_of_a_kind: must be one of 3, 4, 5, 10"),
            (["--speed", "9"], "unrecognized arguments: --speed"),
        ],
    )
    def test_what_is_not_offered_is_refused_by_name_and_nothing_is_written(self, words, named, tmp_path):
        out = tmp_path / "records.jsonl"
        out.write_text("what was here\n")
        standing = ["--title", "kozel", "--seats", "2", "--out", str(out)]
        assert named in refused("selfplay", *standing, *words)
        assert out.read_text() == "what was here\n"
        assert [*tmp_path.iterdir()] == [out]

    def test_each_value_may_be_written_in_the_words_of_a_person(self, tmp_path):
        out = str(tmp_path / "records.jsonl")
        words = ["bald=TRUE", "entry_13=false", "round_limit=null", "players=2", "bald=on"]
        said("selfplay", "--title", "kozel", "--seats", "2", "--out", out, *(f"--option={word}" for word in words))
        options = json.loads(Path(out).read_text())["options"]
        assert (options["bald"], options["entry_13"], options["round_limit"]) == (True, False, None)

    @pytest.mark.parametrize("name", ["", "none/records.jsonl", "file/records.jsonl", "x" * 300])
    def test_a_file_that_cannot_be_written_is_named(self, name, tmp_path):
        (tmp_path / "file").write_text("what was here")
        out = str(tmp_path / name)
        sentence = refused("selfplay", "--title", "kozel", "--seats", "2", "--out", out)
        assert sentence.startswith(f"--out: {out} cannot be written (")
        assert [path.name for path in tmp_path.iterdir()] == ["file"]

    def test_a_match_that_breaks_off_leaves_the_old_file(self, tmp_path, monkeypatch):
        def broken(*_):
            yield b"{}"
            raise OSError("No space left on device")

        out = tmp_path / "records.jsonl"
        out.write_text("what was here")
        monkeypatch.setattr("games.management.commands.selfplay.records", broken)
        assert "No space left" in refused("selfplay", "--title", "kozel", "--seats", "2", "--out", str(out))
        assert out.read_text() == "what was here"
        assert [*tmp_path.iterdir()] == [out]

    def test_a_file_keeps_its_mode_and_a_link_its_place(self, tmp_path):
        out, link = tmp_path / "records.jsonl", tmp_path / "link"
        out.write_text("what was here")
        out.chmod(0o640)
        link.symlink_to(out)
        said("selfplay", "--title", "kozel", "--seats", "2", "--out", str(link))
        assert link.is_symlink()
        assert json.loads(out.read_text())["title"] == "kozel"
        assert out.stat().st_mode & 0o777 == 0o640

    def test_a_person_gets_one_sentence_and_status_2(self, tmp_path):
        status, output, errors = by_hand("selfplay", "--title", "kozl", "--seats", "2", "--out", str(tmp_path / "x"))
        assert (status, output, errors.count("\n")) == (2, "", 1)
        assert "--title" in errors
        status, output, errors = by_hand("selfplay", "--title", "kozel", "--seats", "9", "--out", str(tmp_path / "x"))
        assert (status, output, errors.count("\n")) == (2, "", 1)
        assert "--seats" in errors
        status, output, errors = by_hand("selfplay", "--title", "kozel", "--seats", "2", "--out", "/dev/stdout")
        assert (status, errors) == (0, "")
        reader.check(json.loads(output))


def played(tmp_path: Path, *words: str) -> Path:
    out = tmp_path / "records.jsonl"
    said("selfplay", "--title", "kozel", "--seats", "2", "--matches", "3", "--legal", "--out", str(out), *words)
    return out


def changed(path: Path, number: int, change: Callable[[dict], object]) -> None:
    """Change the record in line `number`."""
    lines = path.read_text().splitlines()
    record = json.loads(lines[number - 1])
    change(record)
    lines[number - 1] = json.dumps(record)
    path.write_text("\n".join(lines))


class TestCheckRecords:
    def test_what_selfplay_writes_is_right(self, tmp_path):
        assert said("check_records", str(played(tmp_path))) == "3 records, 3 right.\n"

    def test_one_document_is_read_over_many_lines(self, tmp_path):
        path = played(tmp_path, "--matches", "1")
        path.write_text(json.dumps(json.loads(path.read_text()), indent=2))
        assert said("check_records", str(path)) == "1 record, 1 right.\n"
        path.write_text("\n\n" + path.read_text())
        assert said("check_records", str(path), str(path)) == "2 records, 2 right.\n"

    def test_the_input_is_read_where_a_dash_stands(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(played(tmp_path).read_bytes())))
        assert said("check_records", "-") == "3 records, 3 right.\n"

    def test_a_wrong_record_is_named_with_its_event_and_key(self, tmp_path, capsys):
        path = played(tmp_path)
        changed(path, 2, lambda record: record["events"][1]["payload"].update(carried=1))
        out, errors = io.StringIO(), io.StringIO()
        with pytest.raises(SystemExit) as left:
            call_command("check_records", str(path), stdout=out, stderr=errors)
        assert left.value.code == 1
        match = json.loads(path.read_text().splitlines()[1])["match"]
        assert errors.getvalue() == (
            f"{path} line 2: match {match}, event 2, payload.carried: the record says 1, the rules say 0\n"
        )
        assert out.getvalue() == "3 records, 2 right.\n"

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            (lambda record: record["events"][4].update(seat="A"), "events[4].seat is not right"),
            (lambda record: record["events"][4].pop("at"), "events[4].at is not right"),
            (lambda record: record.update(title="kozl"), "title: there is no kozl here"),
            (lambda record: record.update(ruleset="kozel/9"), "ruleset: kozel/9 is not known here"),
            (lambda record: record.update(ruleset="thousand/1"), "ruleset: thousand/1 is not one of kozel"),
            (lambda record: record["options"].update(bald=1), "options.bald: must be one of on, off"),
            (lambda record: record["options"].update(target=100), "options.target: must be one of 101"),
            (lambda record: record["options"].pop("bald"), "options.bald is missing"),
            (lambda record: record["options"].update(more=1), "options.more: there is no such option"),
            (lambda record: record["options"].update(players=3), "options.players: the table has 2 seats"),
            (lambda record: record.update(pace="slow"), "pace is not right"),
            (lambda record: record.update(bots=[2]), "bots is not right"),
            (lambda record: record["events"][1]["secret"].update(club=7), "events[1].secret.club is not right"),
        ],
    )
    def test_what_is_no_record_is_refused_by_file_line_and_field(self, change, why, tmp_path):
        path = played(tmp_path)
        changed(path, 3, change)
        assert refused("check_records", str(path)).startswith(f"{path} line 3: {why}")

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", ": there is no record in it"),
            ("\n\n", ": there is no record in it"),
            ("{", " line 1: not JSON"),
            ("[]", " line 1: not an object"),
            ("\n{}\n", " line 2: bots is not right"),
            ("[" * 100_000, " line 1: not JSON"),
            ("9" * 10_000, " line 1: not JSON"),
            ('{"a": 1}{"b": 2}', " line 1: not JSON"),
        ],
    )
    def test_what_is_nothing_like_a_record_is_refused(self, text, why, tmp_path):
        path = tmp_path / "records.jsonl"
        path.write_text(text)
        assert refused("check_records", str(path)).startswith(f"{path}{why}")

    def test_a_line_longer_than_any_record_is_not_read_on(self, tmp_path, monkeypatch):
        monkeypatch.setattr("games.engine.codec.LARGEST", 1000)
        monkeypatch.setattr("games.management.commands.check_records.TOO_LONG", 1001)
        path = tmp_path / "records.jsonl"
        path.write_text('"' + "x" * 5000 + '"')
        assert refused("check_records", str(path)) == f"{path} line 1: larger than 1000 bytes"

    def test_a_file_that_cannot_be_read_is_named(self, tmp_path):
        assert refused("check_records", str(tmp_path)) == f"{tmp_path}: cannot be read (Is a directory)"
        gone = tmp_path / "gone"
        assert refused("check_records", str(gone)) == f"{gone}: cannot be read (No such file or directory)"

    def test_a_person_gets_one_sentence_and_the_status(self, tmp_path):
        path = played(tmp_path)
        assert by_hand("check_records", str(path)) == (0, "3 records, 3 right.\n", "")
        changed(path, 1, lambda record: record["events"][2].update(number=4))
        status, output, errors = by_hand("check_records", str(path))
        assert (status, output, errors.count("\n")) == (1, "3 records, 2 right.\n", 1)
        status, output, errors = by_hand("check_records")
        assert (status, output, errors) == (2, "", "the following arguments are required: FILE\n")


def checked(match: Match, tmp_path: Path) -> str:
    """What is said of the record of a stored match."""
    path = tmp_path / f"{match.pk}.json"
    path.write_text(said("export_match", str(match.pk)))
    return said("check_records", str(path))


def pass_time(match: Match, ago: timedelta) -> None:
    """Let every open deadline come nearer, and every miss lie further back."""
    for turn in match.turns.filter(closed_at__isnull=True):
        times = {name: getattr(turn, name) - ago for name in ("opened_at", "due_at", "promised_at")}
        Turn.objects.filter(pk=turn.pk).update(**times)
    for seat in Seat.objects.filter(table_id=match.pk, lapsed_at__isnull=False):
        Seat.objects.filter(pk=seat.pk).update(lapsed_at=seat.lapsed_at - ago)


def lapse(match: Match) -> int:
    """Let the open turn of a match lapse; whose it was."""
    pass_time(match, timedelta(hours=25))
    clock.beat()
    turn = match.turns.get(closed_at__isnull=True)
    assert services.expire_turn(turn.pk)
    match.refresh_from_db()
    return turn.seat


@pytest.mark.django_db
@pytest.mark.parametrize("title", titles.slugs())
class TestCheckRecordsOfTheClub:
    def members(self, count: int) -> list[Member]:
        return [MemberFactory() for _ in range(count)]

    def kinds(self, match: Match) -> set[str]:
        return {*match.events.values_list("kind", flat=True)}

    def forfeited(self, title: str) -> Match:
        """A match that goes on without a member who was late twice; a lucky throw may end one before that."""
        while True:
            match = seated(self.members(3), title)
            late = lapse(match)
            while not match.is_over:
                if match.to_act == [late]:
                    lapse(match)
                else:
                    match = play(match, 1)
                if not match.is_over and Seat.objects.get(table_id=match.pk, number=late).left:
                    return match

    def test_a_match_with_lapses_a_forfeit_and_a_bot(self, title, tmp_path):
        match = play(self.forfeited(title))
        assert {"lapsed", "forfeited", "bot_seated", "match_ended"} <= self.kinds(match)
        assert checked(match, tmp_path) == "1 record, 1 right.\n"

    def test_a_match_given_up(self, title, tmp_path):
        members = self.members(2)
        # After one move no score can have been reached yet.
        match = play(seated(members, title), 1)
        services.resign(match_id=match.pk, member=members[0])
        assert {"resigned", "match_ended"} <= self.kinds(match)
        assert checked(match, tmp_path) == "1 record, 1 right.\n"

    def test_a_match_that_runs_and_whose_deadline_was_moved(self, title, tmp_path):
        match = play(seated(self.members(2), title), 1)
        now = clock.now()
        outage = Outage.objects.create(began_at=now, ended_at=now + timedelta(hours=12))
        services.give_back(match.pk, outage)
        match = play(match, 2)
        assert "deadline_moved" in self.kinds(match)
        said = checked(match, tmp_path).splitlines()
        assert said[-1] == "1 record, 1 right."
        if not match.is_over:
            assert said[0].startswith(f"Match {match.pk} is not over; it is right up to event ")

    def test_a_match_that_is_voided(self, title, tmp_path):
        match = play(seated(self.members(2), title), 2)
        with pytest.MonkeyPatch.context() as patched:
            # The chain ends: nothing more can be drawn.
            patched.setattr("games.engine.chance.SealedChance._key", _exhausted)
            play(match)
        match.refresh_from_db()
        assert "voided" in self.kinds(match)
        assert checked(match, tmp_path) == "1 record, 1 right.\n"


def _exhausted(*_: object) -> None:
    raise chance.ChainExhausted(2, 1)


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
