"""Short records of one round, written and counted by hand, and the shorthand they are written in."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.records.match import Facts, Record

OPTIONS: dict[str, Facts] = {
    "telefon365": {
        "opening_scores": "any",
        "double_blank": "always_10",
        "blocked_check": "at_once",
        "target": 365,
        "hand_cap": 300,
        "knockout": 35,
        "round_limit": None,
    },
    "kozel": {"target": 101, "entry_13": False, "bald": False, "blank_double_rank": "lowest", "round_limit": None},
    "telefon": {"target": 100, "hub_count": "until_first_side_arm", "match_end": "at_once", "round_limit": None},
    "allfives": {
        "target": 100,
        "hub_count": "until_first_side_arm",
        "match_end": "at_once",
        "round_limit": None,
        "first_lead": "forced",
        "muggins": "auto",
        "claim_seconds": 5,
    },
}

PAIRS = [[0, 2], [1, 3]]
SEATS = "ABCD"


def empty_record(title: str, players: int, given: Facts) -> Record:
    """A record of `title` with no event yet."""
    options = {"players": players, **OPTIONS[title]}
    if players == 4 and title != "telefon365":
        options["teams"] = True
    options |= given
    paired = players == 4 and options.get("teams", True)
    return {
        "format": "club-match/1",
        "match": "8f0c1d9e-0000-4000-8000-000000000000",
        "title": title,
        "ruleset": f"{title}/1",
        "pace": "live" if options.get("muggins") == "strict" else "day",
        "options": options,
        "seats": [None] * players,
        "sides": copy.deepcopy(PAIRS) if paired else [[seat] for seat in range(players)],
        "bots": [],
        "events": [],
        "outcome": None,
        "fairness": {},
    }


def hands_of(text: str) -> list[list[str]]:
    """`46 13 / 24 / -`: the hands of A, B, C."""
    return [hand.replace("-", "").split() for hand in text.split("/")]


class Scribe:
    """Writes the record of one round from one line for each event.

    `deal A / B / boneyard` · `void R1 A` · `A 25@L 8 0 5-0 L5R3 : the legal moves` · `A drew 12 left 6` ·
    `A passed` · `A claimed 15 15-0` · `A burnt 15 0-0`. Before a line of a live match stand its seconds: `10"`.
    """

    def __init__(self, title: str, players: int, **given: Any) -> None:
        self.record = empty_record(title, players, given)
        self.seconds: int | None = 0 if self.record["pace"] == "live" else None
        self.attempt = 0

    def write(self, text: str, end: Facts, outcome: Facts) -> Record:
        self.add("match_started", None, {"first_seat": None})
        for line in text.strip().splitlines():
            self.line(line.strip())
        self.add("round_ended", None, {"round": 1, **end, "leader": None})
        self.add("match_ended", None, outcome)
        self.record["outcome"] = copy.deepcopy(outcome)
        return self.record

    def add(self, kind: str, seat: int | None, payload: Facts, secret: Facts | None = None) -> Facts:
        at = None
        if self.seconds is not None:
            at = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        event = {"number": len(self.record["events"]) + 1, "kind": kind, "seat": seat, "at": at}
        event |= {"payload": copy.deepcopy(payload), "secret": secret or {}}
        self.record["events"].append(event)
        return event

    def line(self, line: str) -> None:
        clock, _, rest = line.rpartition('"')
        self.seconds = int(clock) if clock else self.seconds
        words, _, legal = rest.strip().partition(" : ")
        first, second, *more = words.split()
        if first == "deal":
            self.deal(words[5:])
        elif first == "void":
            void = {"round": 1, "attempt": self.attempt, "rule": second, "seat": SEATS.index(more[0]), "tile": None}
            self.add("redealt", None, void)
            self.attempt += 1
        elif second in ("claimed", "burnt"):
            self.add(second, SEATS.index(first), {"points": int(more[0]), "scores": scores_of(more[1])})
        elif second == "passed":
            self.add("passed", SEATS.index(first), {})["legal"] = ["pass"]
        elif second == "drew":
            self.drew(SEATS.index(first), more)
        else:
            self.played(SEATS.index(first), second, *more)["legal"] = legal.split()

    def deal(self, text: str) -> None:
        *hands, club = hands_of(text)
        secret = {str(seat): hand for seat, hand in enumerate(hands)} | {"club": club}
        zeros = [0] * len(self.record["sides"])
        self.add(
            "dealt", None, {"round": 1, "attempt": self.attempt, "leader": None, "scores": zeros, "carried": 0}, secret
        )

    def drew(self, seat: int, more: list[str]) -> None:
        *run, _, left = more
        event = self.add("drew", seat, {"count": len(run), "boneyard": int(left)}, {str(seat): run})
        event["legal"] = ["draw"]

    def played(self, seat: int, move: str, total: str, points: str, scores: str, ends: str) -> Facts:
        wanted = {ends[at]: int(ends[at + 1]) for at in range(0, len(ends), 2)}
        facts = {"tiles": laid(move), "sum": int(total), "points": int(points)}
        return self.add("played", seat, {**facts, "scores": scores_of(scores), "ends": wanted})


def scores_of(text: str) -> list[int]:
    return [int(score) for score in text.split("-")]


def laid(move: str) -> list[list[str | None]]:
    """The tiles of a move and the ends they lie on."""
    return [[tile, end or None] for tile, _, end in (part.partition("@") for part in move.split("+"))]


def a_set_a_draw_and_going_out() -> Record:
    text = """
        deal 24 14 03 01 15 46 34 / 66 06 23 33 44 45 25 / 36 35 16 12 55 22 02 26 00 11 05 56 04 13
        B 23 5 5 0-5 L2R3 : 23
        A 03@R 2 0 0-5 L2R0 : 03@R 24@L 34@R
        B 06@R 8 0 0-5 L2R6 : 06@R 25@L
        A 24@L 10 10 10-5 L4R6 : 24@L 46@R
        B 44@L+66@R 20 20 10-25 L4R6 : 44@L 44@L+66@R 45@L 66@R
        A 46@R 12 0 10-25 L4R4U6D6 : 14@L 34@L 46@L 46@R
        B 45@L 9 0 10-25 L5R4U6D6 : 45@L 45@R
        A 34@R 8 0 10-25 L5R3U6D6 : 14@R 15@L 34@R
        B 25@L 5 5 10-30 L2R3U6D6 : 25@L 33@R
        A drew 36 left 13
        A 36@U 8 0 10-30 L2R3U3D6 : 36@D 36@R 36@U
        B 33@R 11 0 10-30 L2R3U3D6 : 33@R 33@U
    """
    hands = {"hands": [["14", "01", "15"], []], "values": [12, 0], "written": [0, 15], "carried": 0}
    end = {"how": "out", "seat": 1, "winner": 1, **hands, "scores": [10, 45]}
    outcome = {"winners": [1], "places": [2, 1], "scores": [10, 45], "reason": "round_limit"}
    return Scribe("telefon365", 2, round_limit=1).write(text, end, outcome)


def a_redeal_and_a_seka() -> Record:
    text = """
        deal 00 02 33 14 55 22 44 / 11 46 01 25 03 06 66 / 45 34 56 36 15 23 12 / 26 16 13 04 24 05 35
        void R1 A
        deal 05 01 25 56 16 03 26 / 15 14 13 46 35 66 06 / 04 24 23 11 34 45 02 / 12 22 44 33 55 00 36
        C 23 5 5 0-0-5 L2R3 : 23
        A 25@L 8 0 0-0-5 L5R3 : 03@R 25@L 26@L
        B 35@R 10 10 0-10-5 L5R5 : 13@R 15@L 35@L 35@R
        C 45@L 9 0 0-10-5 L4R5 : 45@L 45@R
        A 56@R 10 10 10-10-5 L4R6 : 05@R 56@R
        B 06@R 4 0 10-10-5 L4R0 : 06@R 14@L 46@L 46@R 66@R
        C 04@L 0 0 10-10-5 L0R0 : 02@R 04@L 04@R 24@L 34@L
        A 03@R 3 0 10-10-5 L0R3 : 01@L 01@R 03@L 03@R 05@L 05@R
        B 13@R 1 0 10-10-5 L0R1 : 13@R
        C 02@L 3 0 10-10-5 L2R1 : 02@L 11@R
        A 16@R 8 0 10-10-5 L2R6 : 01@R 16@R 26@L
        B 66@R 14 0 10-10-5 L2R6 : 46@R 66@R
        C 24@L 16 0 10-10-5 L4R6 : 24@L
        A 26@R 6 0 10-10-5 L4R2U6D6 : 26@R
        B 46@U 10 10 10-20-5 L4R2U4D6 : 14@L 46@D 46@L 46@U
        C 34@L 9 0 10-20-5 L3R2U4D6 : 34@L 34@U
        A drew 12 left 6
        A 12@R 8 0 10-20-5 L3R1U4D6 : 12@R
        B 14@R 11 0 10-20-5 L3R4U4D6 : 14@R 14@U 15@R
        C drew 22 44 left 4
        C 44@R 15 15 10-20-20 L3R4U4D6 : 44@R 44@U
        A drew 33 left 3
        A 33@L 18 0 10-20-20 L3R4U4D6 : 33@L
    """
    hands = {"hands": [["05", "01"], ["15"], ["11", "22"]], "values": [6, 6, 6], "written": [0, 0, 0], "carried": 20}
    end = {"how": "blocked", "seat": 0, "winner": None, **hands, "scores": [10, 20, 20]}
    outcome = {"winners": [1, 2], "places": [3, 1, 1], "scores": [10, 20, 20], "reason": "round_limit"}
    return Scribe("telefon365", 3, round_limit=1).write(text, end, outcome)


def a_pass_and_a_block() -> Record:
    text = """
        deal 36 66 02 33 25 24 44 / 14 06 46 22 01 35 16 / 00 05 23 13 26 55 04 / 45 12 03 56 11 34 15 / -
        C 23 5 0 0-0 L2R3 : 23
        D 34@R 6 0 0-0 L2R4 : 03@R 12@L 34@R
        A 25@L 9 0 0-0 L5R4 : 02@L 24@L 24@R 25@L 44@R
        B 35@L 7 0 0-0 L3R4 : 14@R 35@L 46@R
        C 04@R 3 0 0-0 L3R0 : 04@R 13@L
        D 03@R 6 0 0-0 L3R3 : 03@L 03@R
        A 36@R 9 0 0-0 L3R6 : 33@L 33@R 36@L 36@R
        B 16@R 4 0 0-0 L3R1 : 06@R 16@R 46@R
        C 13@R 6 0 0-0 L3R3 : 13@L 13@R
        D passed
        A 33@R 9 0 0-0 L3R3 : 33@L 33@R
    """
    left = [["66", "02", "24", "44"], ["14", "06", "46", "22", "01"], ["00", "05", "26", "55"]]
    hands = {"hands": [*left, ["45", "12", "56", "11", "15"]], "values": [28, 26, 23, 31], "written": [55, 0]}
    end = {"how": "blocked", "seat": 0, "winner": 0, **hands, "carried": 0, "scores": [55, 0]}
    outcome = {"winners": [0], "places": [1, 2], "scores": [55, 0], "reason": "round_limit"}
    return Scribe("telefon", 4, target=365, round_limit=1).write(text, end, outcome)


def claims_and_the_target() -> Record:
    text = """
        deal 12 00 33 25 34 11 / 24 26 15 23 16 35 / 55 66 04 03 13 45 / 05 06 01 02 36 46 56 44 14 22
        3" C 66 12 0 0-0-0 L6R6 : 66
        8" A drew 05 06 left 8
        10" A 06@R 12 0 0-0-0 L6R0 : 06@L 06@R
        13" B 16@L 13 0 0-0-0 L1R0U6D6 : 16@L 26@L
        16" C 13@L 15 0 0-0-0 L3R0U6D6 : 03@R 04@R 13@L
        26" C burnt 15 0-0-0
        34" A 00@R 15 0 0-0-0 L3R0U6D6 : 00@R 05@R 33@L 34@L
        35" A claimed 15 15-0-0
        38" B 23@L 14 0 15-0-0 L2R0U6D6 : 23@L 26@D 26@U 35@L
        40" C 03@R 17 0 15-0-0 L2R3U6D6 : 03@R 04@R
        41" A 33@R 20 0 15-0-0 L2R3U6D6 : 12@L 25@L 33@R 34@R
        46" A claimed 20 35-0-0
        52" B 26@L 24 0 35-0-0 L6R3U6D6 : 24@L 26@D 26@L 26@U 35@R
        54" C drew 01 02 36 left 5
        59" C 36@U 15 0 35-0-0 L6R3U3D6 : 36@D 36@L 36@R 36@U
        68" A claimed 15 50-0-0
    """
    left = [["12", "25", "34", "11", "05"], ["24", "15", "35"], ["55", "04", "45", "01", "02"]]
    hands = {"hands": left, "values": [24, 20, 26], "written": [0, 0, 0], "carried": 0}
    end = {"how": "target", "seat": 0, "winner": 0, **hands, "scores": [50, 0, 0]}
    outcome = {"winners": [0], "places": [1, 2, 2], "scores": [50, 0, 0], "reason": "target"}
    return Scribe("allfives", 3, target=50, muggins="strict").write(text, end, outcome)


BY_HAND = (a_set_a_draw_and_going_out, a_redeal_and_a_seka, a_pass_and_a_block, claims_and_the_target)
