"""What the tests of Telefon and All Fives share: positions as their pages write them, and checks of their examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from games.engine import notation
from games.engine.contract import Event, IllegalMove, Phrase, Seat, SeatName, SideName, State, Sum, Tiles, Title
from games.engine.dominoes import EMPTY, TILES, Layout, ends, lay, open_sum, points, read_placement
from games.engine.options import complete
from games.engine.rounds import play
from games.engine.rounds import position as rounds
from games.engine.rounds.position import Game, Round
from tests.titles.conftest import SeededChance

CHANCE = SeededChance("fives")

Given = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """A title as these tests ask it. `state` makes its position of the shared one, `table` the other way round."""

    title: Title
    game: Game[Any]
    state: Callable[[rounds.State[Any]], State]
    table: Callable[[State], rounds.State[Any]]

    def options(self, given: Given) -> Given:
        """The complete options of an example: those it names, the defaults for the rest."""
        names = {option.name for option in self.title.OPTIONS}
        seats = given.get("players") or len(given.get("hands", "AB"))
        chosen = {key: given[key] for key in given if key in names}
        return complete(self.title.OPTIONS, seats, chosen, live=True)

    def position(self, given: Given, **more: Any) -> State:
        """The position an example gives, in the second round, A to act unless `more` says otherwise."""
        typed = self.game.options(**self.options(given))
        scores = by_side(typed, given.get("scores", {}))
        standing = Round(typed, scores, number=given.get("round", 2), leader=seat_of(given.get("opened", "A")))
        held = given.get("hands", {})
        hands = tuple(hand(held.get(name, "-")) for name in "ABCD"[: typed.players])
        layout = table(given.get("table", "-"))
        laid = tuple((tile, typed.players - 1) for tile in on_table(layout))
        made = rounds.State(standing, 0, hands, hand(given.get("boneyard", "-")), layout, laid)
        return self.state(replace(made, **more))

    def play(self, state: State, seat: Seat, move: str) -> tuple[Event, ...]:
        return self.title.decide(state, seat, move, CHANCE)

    def after(self, state: State, *events: Event) -> State:
        for event in events:
            state = self.title.evolve(state, event)
        return state

    def played(self, state: State, *moves: tuple[Seat, str]) -> State:
        """The position after some moves."""
        for seat, move in moves:
            state = self.after(state, *self.play(state, seat, move))
        return state

    def refused(self, state: State, seat: Seat, move: str) -> str:
        """The sentence with which a move is refused."""
        with pytest.raises(IllegalMove) as error:
            self.play(state, seat, move)
        return error.value.reason.text

    def ended(self, state: State, how: str, seat: Seat) -> Event:
        """The count of a round that ends in this position."""
        return play.round_ended(self.game, self.table(state), how, seat)

    def told(self, event: Event) -> list[str]:
        return [said(phrase) for phrase in self.title.describe(event)]

    def why(self, state: State, event: Event) -> list[str]:
        return [said(phrase) for phrase in self.title.explain(state, event)]


def read_examples(module: ModuleType, name: str) -> list[Given]:
    return yaml.safe_load((Path(module.__file__ or "").parent / "examples" / name).read_text("utf-8"))


def of_check(examples: list[Given], check: str) -> Any:
    """All examples of one check, a test each."""
    chosen = [example for example in examples if example["check"] == check]
    return pytest.mark.parametrize("example", chosen, ids=[example["id"] for example in chosen])


def seat_of(name: str) -> Seat:
    return "ABCD".index(name)


def hand(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split())


def table(text: str) -> Layout:
    return EMPTY if text == "-" else notation.layout(text)


def on_table(layout: Layout) -> list[str]:
    return [min(tile, tile[::-1]) for tile in (*layout.line, *layout.arms[0], *layout.arms[1])]


def side_names(typed: Any) -> list[str]:
    return ["".join("ABCD"[seat] for seat in seats) for seats in typed.sides]


def by_side(typed: Any, values: dict[str, int]) -> tuple[int, ...]:
    return tuple(values.get(name, 0) for name in side_names(typed))


def said(phrase: Phrase) -> str:
    """A sentence with names, tiles and sums put in the plainest way."""
    plain: dict[type, Callable[[Any], str]] = {
        SeatName: lambda v: "ABCD"[v.seat],
        SideName: lambda v: f"side {v.side}",
        Tiles: lambda v: " ".join(v.tiles),
        Sum: lambda v: " + ".join(f"{number} ({tile})" if tile else str(number) for number, tile in v.terms),
    }
    values = {key: plain.get(type(value), str)(value) for key, value in phrase.values.items()}
    return phrase.text.format(**values)


# The checks of the examples


def check_opener(desk: Desk, example: Given) -> None:
    given = example["given"]
    typed = desk.game.options(**desk.options(given))
    seat, tile = desk.game.first_lead(typed, tuple(hand(held) for held in given["hands"].values()))
    assert {"by": "ABCD"[seat], "tile": tile} == example["then"]


def check_move(desk: Desk, example: Given) -> None:
    """A move with tiles left in every hand and in the boneyard, so that nothing but itself can end the round."""
    given, do, then = example["given"], example["do"], example["then"]
    seat, state = seat_of(do["by"]), with_unseen_tiles(desk, given, do)
    if "illegal" in then:
        assert then == {"illegal": True}
        assert desk.refused(state, seat, do["play"])
        return
    assert then.keys() <= {"sum", "points", "scores", "match_winner", "telephone", "ends", "table"}
    played, *_ = events = desk.play(state, seat, do["play"])
    after = desk.after(state, *events)
    layout = desk.table(desk.after(state, played)).layout
    assert played.payload["points"] == then["points"]
    assert played.payload["sum"] == then.get("sum", played.payload["sum"])
    assert played.payload["ends"] == then.get("ends", played.payload["ends"])
    if "table" in then:
        assert layout == table(then["table"])
    if "telephone" in then:
        assert (int(layout.hub[0]) if layout.hub else "none") == then["telephone"]
    if "scores" in then:
        assert desk.title.scores(after) == by_side(desk.table(after).round.options, then["scores"])
    assert winner(desk, after) == then.get("match_winner", "none")


def with_unseen_tiles(desk: Desk, given: Given, do: Given) -> State:
    """The example's position, with the tiles that nobody sees shared out; the mover holds what it plays."""
    tiles = [min(part[:2], part[1::-1]) for part in do["play"].split("+")]
    state = desk.position(given)
    unseen = [tile for tile in TILES if tile not in (*tiles, *on_table(desk.table(state).layout))]
    others = {name: " ".join(unseen[place * 3 : place * 3 + 3]) for place, name in enumerate("AB", start=1)}
    hands = {**others, do["by"]: " ".join((*tiles, unseen[0]))}
    return desk.position({**given, "hands": hands, "boneyard": " ".join(unseen[9:])}, turn=seat_of(do["by"]))


def winner(desk: Desk, state: State) -> str:
    """The side that has won the match, `none` while it runs."""
    outcome = desk.title.outcome(state)
    if outcome is None:
        return "none"
    (side,) = outcome.winners
    return side_names(desk.table(state).round.options)[side]


def check_turn(desk: Desk, example: Given) -> None:
    """All but A hold a tile that fits, so no draw blocks the round."""
    given, then = example["given"], example["then"]
    hands = {"A": given["hand"], **dict.fromkeys("BCD"[: given["players"] - 1], "33")}
    state, drawn = desk.position({**given, "hands": hands}), ()
    if desk.title.legal_moves(state, 0) == ("draw",):
        assert desk.title.forced_move(state, 0) == "draw"
        (drew,) = desk.play(state, 0, "draw")
        state, drawn = desk.after(state, drew), tuple(drew.secret["0"])
    assert drawn == hand(then["drawn"])
    forced = desk.title.forced_move(state, 0)
    assert ("choose" if forced is None else forced.split("@")[0]) == str(then["must"])
    assert desk.title.legal_moves(state, 0) == tuple(then.get("plays", ["pass"]))
    assert desk.table(state).boneyard == hand(then.get("boneyard", "-" if drawn else given["boneyard"]))


def check_blocked(desk: Desk, example: Given) -> None:
    """B lays the last tile of the line; what follows shows whether the round is blocked."""
    given = example["given"]
    *line, last = given["table"].split()
    hands = {**given["hands"], "B": f"{given['hands']['B']} {last}"}
    state = desk.position({**given, "table": " ".join(line), "hands": hands}, turn=1)
    kinds = [event.kind for event in desk.play(state, 1, f"{last}@R")]
    assert ("round_ended" in kinds) is example["then"]["blocked"]


def check_hand_end(desk: Desk, example: Given) -> None:
    given, then = example["given"], example["then"]
    assert then.keys() <= {"winner", "written", "scores", "leader", "match_winner"}
    if "out" in given:
        state, ended, after = gone_out(desk, given)
    else:
        # These positions were chosen for their arithmetic: no line of tiles leads to some of them.
        state = desk.position(given)
        ended = desk.ended(state, "blocked", seat_of(given["blocker"]))
        after = desk.after(state, ended)
    payload, names = ended.payload, side_names(desk.table(state).round.options)
    won = "none" if payload["winner"] is None else names[payload["winner"]]
    assert won == then["winner"]
    assert payload["written"] == [then["written"] if name == won else 0 for name in names]
    assert desk.title.scores(after) == tuple(payload["scores"])
    if "scores" in then:
        assert dict(zip(names, payload["scores"], strict=True)) == then["scores"]
    assert winner(desk, after) == then.get("match_winner", "none")
    assert payload["leader"] == (seat_of(then["leader"]) if "leader" in then else None)


def gone_out(desk: Desk, given: Given) -> tuple[State, Event, State]:
    """The position before the last tile, the end of the round, and the position after it."""
    seat = seat_of(given["out"])
    state = desk.position(given, turn=seat)
    held = {tile for tiles in desk.table(state).hands for tile in tiles}
    lying, move = move_worth(desk, given.get("last_move_points", 0), held)
    hands = {**given["hands"], given["out"]: move[:2]}
    state = desk.position({**given, "hands": hands, "table": lying}, turn=seat)
    _, ended, *_ = events = desk.play(state, seat, move)
    return state, ended, desk.after(state, *events)


def move_worth(desk: Desk, wanted: int, held: set[str] = frozenset()) -> tuple[str, str]:
    """A table and a move on it that makes so many points, none of the tiles in `held`."""
    count = desk.game.hub_count(desk.game.options(**desk.options({})))
    for lying in (*TILES, "55 52"):
        layout = table(lying)
        free = set(TILES) - held - set(on_table(layout))
        for move in sorted(f"{tile}@{end}" for tile in free for end, face in ends(layout).items() if str(face) in tile):
            placement = read_placement(move)
            if points(open_sum(lay(layout, *placement, branching=True), count)) == wanted and held.isdisjoint(
                on_table(layout)
            ):
                return lying, move
    raise AssertionError("there is no such move")


def check_rotation(desk: Desk, example: Given) -> None:
    given, leads = example["given"], [example["given"]["first_opener"]]
    while len(leads) < given["hands_played"]:
        names = "ABCD"[: given["players"]]
        hands = dict.fromkeys(names, "12")
        state = desk.position({"players": given["players"], "opened": leads[-1], "hands": hands})
        ended = desk.ended(state, "out", len(leads) % len(names))
        leads.append("ABCD"[ended.payload["leader"]])
    assert leads == example["then"]["openers"]


def check_deal(desk: Desk, example: Given) -> None:
    options = desk.options(example["given"])
    state = desk.after(desk.title.initial(options), *desk.title.setup(options, CHANCE))
    seen = desk.title.view(state, 0)
    assert set(seen.counts) == {example["then"]["hand"]}
    assert len(seen.counts) == example["given"]["players"]
    assert seen.boneyard == example["then"]["boneyard"]


def check_count(desk: Desk, example: Given) -> None:
    seen = desk.title.view(desk.position(example["given"]), None)
    assert seen.sum == example["then"]["sum"]
    assert {end.end: end.face for end in seen.ends} == example["then"]["ends"]
