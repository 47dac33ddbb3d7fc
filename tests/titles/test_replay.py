"""A record that does not tell what the rules say is found, whatever was changed in it; and nothing brings it down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from games import titles
from games.engine import chance, codec
from games.engine.options import complete
from games.replay import Differs, Unreadable, read, replay
from games.selfplay import RANDOM, Plan, play_match
from tests.titles.released import Lively, plans

Record = dict[str, Any]
Path = tuple[Any, ...]


@cache
def line(slug: str, seats: int, seed: int = 1, **given: Any) -> bytes:
    title = titles.get(slug)
    return play_match(Plan(slug, complete(title.OPTIONS, seats, given, live=True), seed, RANDOM, True), 0)


def fresh(slug: str, seats: int = 2, seed: int = 1, **given: Any) -> Record:
    record: Record = json.loads(line(slug, seats, seed, **given))
    return record


def first(record: Record, kind: str, **payload: Any) -> dict[str, Any]:
    """The first event of a kind whose payload has these values."""
    return next(
        event for event in record["events"] if event["kind"] == kind and payload.items() <= event["payload"].items()
    )


def again(record: Record) -> int:
    return replay(read(json.dumps(record).encode()))


def part(record: Record) -> tuple[int | None, str]:
    """Where the rules part from a record."""
    with pytest.raises(Differs) as found:
        again(record)
    assert found.value.key in str(found.value)
    assert found.value.number is None or f"event {found.value.number}, " in str(found.value)
    return found.value.number, found.value.key


def chained(record: Record) -> Record:
    """The record with a log and a chain that fit its events, as who changes a record would make them."""
    proof = record["fairness"]
    told = [{key: event[key] for key in ("kind", "seat", "at", "payload")} for event in record["events"]]
    proof["log"] = [json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in told]
    lines = [text.encode() for text in (*proof["setup"], *proof["log"])]
    *_, head = chance.digests(bytes.fromhex(record["match"].replace("-", "")), lines)
    proof["head"] = head.hex()
    return record


@pytest.mark.parametrize(
    ("slug", "kind", "key", "value"),
    [
        ("kozel", "dealt", "carried", 1),
        ("kozel", "dealt", "attempt", 1),
        ("kozel", "played", "sum", 5),
        ("kozel", "played", "points", True),
        ("kozel", "played", "more", 1),
        ("kozel", "drew", "boneyard", 0),
        ("kozel", "round_ended", "leader", None),
        ("kozel", "round_ended", "values", [0, 0]),
        ("kozel", "match_ended", "winners", []),
        ("allfives", "played", "scores", [5, 5]),
        ("telefon", "round_ended", "written", [5, 5]),
        ("telefon365", "round_ended", "carried", 5),
        ("thousand", "match_started", "first_seat", 9),
        ("thousand", "turn_started", "round", 2),
        ("thousand", "threw", "dice", [1, 2, 3]),
        ("thousand", "threw", "dice", [1, 2, 3, 4, 7]),
        ("thousand", "kept", "value", 1),
        ("thousand", "bust", "lost", 1),
        ("thousand", "banked", "totals", [0, 0]),
    ],
)
def test_a_wrong_number_is_found_in_its_event(slug: str, kind: str, key: str, value: Any) -> None:
    record = fresh(slug)
    event = first(record, kind)
    event["payload"][key] = value
    assert part(chained(record)) == (event["number"], f"payload.{key}")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda record: record.update(sides=[[0]]), "sides"),
        (lambda record: record["outcome"].update(places=[1, 1]), "outcome"),
        (lambda record: record.update(outcome=None), "outcome"),
        (lambda record: record["fairness"].update(head="0" * 64), "fairness.head"),
        (lambda record: record["fairness"].update(transcript="0" * 64), "fairness.transcript"),
        (lambda record: record["fairness"].update(commitment="0" * 64), "fairness.setup[0]"),
        (lambda record: record["fairness"]["reveal"].update(key="0" * 64), "fairness.commitment"),
        (lambda record: record["fairness"]["reveal"].update(epoch=1), "fairness.reveal.epoch"),
        (lambda record: record["fairness"].update(reveal=None), "fairness.reveal.epoch"),
        (lambda record: record["fairness"]["log"].pop(), "fairness.log"),
        (lambda record: record["fairness"]["setup"].pop(), "fairness.head"),
        (lambda record: chained(record)["fairness"].update(seeds=[None, None]), "fairness.transcript"),
        (lambda record: (record["fairness"]["setup"].pop(), chained(record)), "fairness.setup: c of seat"),
        (lambda record: (record["fairness"]["setup"].insert(1, "x"), chained(record)), "fairness.setup[1]"),
        (lambda record: (record["fairness"]["setup"].insert(1, "{}"), chained(record)), "fairness.setup[1]"),
        (lambda record: (record["fairness"]["setup"].__delitem__(slice(1, None)), chained(record)), "fairness.setup"),
    ],
)
def test_what_stands_beside_the_events_is_compared_too(change: Callable[[Record], object], key: str) -> None:
    record = fresh("kozel")
    change(record)
    number, found = part(record)
    assert number is None
    assert found.startswith(key)


def test_the_log_names_the_event_it_does_not_tell() -> None:
    record = fresh("kozel")
    record["fairness"]["log"][6] = record["fairness"]["log"][5]
    assert part(record) == (7, "fairness.log")


def test_a_deal_of_other_tiles_is_found() -> None:
    record = fresh("kozel")
    secret = first(record, "dealt")["secret"]
    secret["0"][0] = secret["1"][0]
    assert part(record) == (2, "secret")
    record = fresh("kozel")
    secret = first(record, "dealt")["secret"]
    secret["0"].append(secret["club"].pop(0))
    assert part(record) == (2, "secret")
    record = fresh("kozel")
    del first(record, "dealt")["secret"]["club"]
    assert part(record) == (1, "secret")


@pytest.mark.parametrize("slug", titles.slugs())
def test_an_event_too_many_or_too_few_is_found(slug: str) -> None:
    length = len(fresh(slug)["events"])
    for place in range(0, length, 1 + length // 50):
        short, long = fresh(slug), fresh(slug)
        del short["events"][place]
        long["events"].insert(place, dict(long["events"][place]))
        for record in (short, long):
            for number, event in enumerate(record["events"], start=1):
                event["number"] = number
            number, _ = part(chained(record))
            # The step that the event belongs to begins before it or with it.
            assert number is not None
            assert place - 4 <= number <= place + 2


def test_the_record_of_a_match_cut_short_says_so() -> None:
    record = fresh("thousand")
    del record["events"][-1]
    assert part(chained(record)) == (len(record["events"]) + 1, "kind")


@pytest.mark.parametrize("slug", titles.slugs())
def test_an_offer_that_is_no_offer_is_found(slug: str) -> None:
    for change in (
        lambda event: event["legal"].append("zz"),
        lambda event: event["legal"].pop(),
        lambda event: event.pop("legal"),
    ):
        record = fresh(slug)
        event = [event for event in record["events"] if "legal" in event][5]
        change(event)
        assert part(record) == (event["number"], "legal")
    record = fresh(slug)
    record["events"][0]["legal"] = []
    assert part(record) == (1, "legal")


@pytest.mark.parametrize("by", ["bot", "club", "forced", "nobody", "", None, 1])
def test_who_is_said_to_have_moved_really_did(by: Any) -> None:
    record = fresh("kozel")
    event = next(event for event in record["events"] if event["kind"] == "played" and event["number"] > 3)
    if event["payload"].get("by") == by:
        event = next(e for e in record["events"] if e["kind"] == "played" and "by" not in e["payload"])
    event["payload"]["by"] = by
    number, key = part(chained(record))
    assert (number, key) == (event["number"], "payload.by")


STRICT = {"muggins": "strict", "claim_seconds": 5}


def claims() -> Iterator[tuple[Record, int, int]]:
    """Live records, the place of each event that ended a claim window, and the seconds that had passed."""
    for seed in range(1, 12):
        record = fresh("allfives", 2, seed, **STRICT)
        for place, event in enumerate(record["events"]):
            if event["kind"] in ("claimed", "burnt"):
                yield fresh("allfives", 2, seed, **STRICT), place, seconds(event) - seconds(record["events"][place - 1])


def seconds(event: dict[str, Any]) -> int:
    hours, minutes, rest = event["at"][11:19].split(":")
    return (int(hours) * 60 + int(minutes)) * 60 + int(rest)


def shifted(record: Record, place: int, by: int) -> Record:
    """The record with all events from a place on so many seconds later."""
    for event in record["events"][place:]:
        minutes, rest = divmod(seconds(event) + by, 60)
        event["at"] = f"{event['at'][:11]}{minutes // 60:02}:{minutes % 60:02}:{rest:02}Z"
    return chained(record)


def test_a_claim_out_of_its_time_is_found() -> None:
    """The owner has the first five seconds, the others the next five, then the points burn. Whole seconds are told, so
    an instant that lies on the border may have been on either side of it."""
    seen = set()
    for record, place, waited in claims():
        event, after = record["events"][place], record["events"][place + 1]
        owner = record["events"][place - 1]["seat"]
        if event["kind"] == "claimed" and event["seat"] == owner:
            kind, right, wrong = "owner", (0, 5), (6, 60)
        elif event["kind"] == "claimed":
            kind, right, wrong = "other", (5, 10), (4, 11)
        elif after["kind"] == "played" and after["at"] == event["at"]:
            kind, right, wrong = "move", (5, 60), (0, 4)
        else:
            kind, right, wrong = "clock", (10, 60), (5, 9)
        if kind in seen or record["events"][place - 1]["kind"] != "played":
            continue
        seen.add(kind)
        for moment in right:
            assert again(shifted(record, place, moment - waited)) == len(record["events"])
            waited = moment
        for moment in wrong:
            shifted(record, place, moment - waited)
            waited = moment
            assert part(record) == (event["number"], "at"), (kind, moment)
    assert seen == {"owner", "other", "move", "clock"}


def test_points_that_wait_need_a_clock() -> None:
    record = fresh("allfives", 2, 1, **STRICT)
    event = next(event for event in record["events"] if event["kind"] in ("claimed", "burnt"))
    event["at"] = None
    assert part(record) == (event["number"], "at")
    event["at"] = "2026-99-99T99:99:99Z"
    with pytest.raises(Unreadable, match=r"events\[\d+\]\.at is not right"):
        again(record)


def test_nothing_burns_where_nothing_waits() -> None:
    record = fresh("kozel")
    record["events"][4].update(kind="burnt")
    assert part(record) == (5, "kind")


# Whatever is changed


VALUES = (
    *(None, True, False, 0, 1, -1, 5, 10**9, "", "0", "25", "77", "L", [], ["00"], {}, {"0": []}, {"a": 1}),
    *("dealt", "played", "redealt", "burnt", "lapsed", "resigned", "forfeited", "voided", "deadline_moved", "claimed"),
    *("bot", "forced", "club", [["25", "R"]], [["00", None]], [[["a"], {}]], [1, 1, 1, 1, 1], "2026-99-99T99:99:99Z"),
)


def places(value: Any, at: Path = ()) -> Iterator[Path]:
    if at:
        yield at
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(item, (*at, key))


def spoil(record: Record, place: Path, random: Random) -> None:
    holder = record
    for key in place[:-1]:
        holder = holder[key]
    kind = random.random()
    if kind < 0.15:
        del holder[place[-1]]
    elif kind < 0.3 and isinstance(holder, list):
        holder.insert(place[-1], json.loads(json.dumps(random.choice(holder))))
    elif kind < 0.4 and isinstance(holder, dict):
        holder[random.choice(("by", "tile", "seat", "more"))] = random.choice(VALUES)
    else:
        holder[place[-1]] = random.choice(VALUES)


def lively(slug: str) -> list[bytes]:
    """Records in which people are late and give up."""
    return [codec.dump(Lively(plan, index).play()) for index, plan in enumerate(plans(titles.get(slug)))]


@pytest.mark.parametrize("slug", titles.slugs())
def test_whatever_is_changed_the_answer_is_a_sentence(slug: str) -> None:
    random = Random(1)
    told = 0
    for data in lively(slug):
        whole = json.loads(data)
        assert again(whole) == len(whole["events"])
        everywhere = [place for place in places(whole) if place[0] not in ("fairness", "match", "seats")]
        for place in random.sample(everywhere, 12):
            record = json.loads(data)
            spoil(record, place, random)
            if record == whole:
                continue
            with pytest.raises((Differs, Unreadable)) as found:
                again(record)
            told += bool(str(found.value))
    assert told > 300
