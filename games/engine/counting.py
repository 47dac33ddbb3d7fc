"""What an open sum is made of, for those who want to see it counted (domino-common 7)."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.contract import Phrase, Tiles, gettext_noop
from games.engine.dominoes import PIPS, End, HubCount, Layout, ends, is_double, open_sum


@dataclass(frozen=True, slots=True)
class Part:
    """What one place counts. `tile` is written as it lies.

    `end` is None where a double counts as a whole: the opening double alone, and the closed hub.
    """

    end: End | None
    tile: str
    count: int


def parts(layout: Layout, hub_count: HubCount) -> tuple[Part, ...]:
    """Everything that counts, the ends in the order L R U D and the hub last; together `open_sum`."""
    line, hub = layout.line, layout.hub
    if len(line) == 1 and is_double(line[0]):
        return (Part(None, line[0], PIPS[line[0]]),)
    outermost: dict[End, str] = {"L": line[0], "R": line[-1]} if line else {}
    outermost |= {end: arm[-1] for end, arm in zip("UD", layout.arms, strict=True) if arm}
    wanted = ends(layout)
    found = [Part(end, tile, PIPS[tile] if is_double(tile) else wanted[end]) for end, tile in outermost.items()]
    # What the ends leave over is the hub's, whatever the way of counting it.
    if hub and (rest := open_sum(layout, hub_count) - sum(part.count for part in found)):
        found.append(Part(None, hub, rest))
    return tuple(found)


def why_hub(layout: Layout, hub_count: HubCount) -> Phrase | None:
    """Why the closed hub counts, or why it does not; None where there is none."""
    if layout.hub is None:
        return None
    text = gettext_noop("Closed, so it counts nothing: {t}.")
    if hub_count == "until_first_side_arm":
        counts = gettext_noop("Closed, but it counts until a side arm starts: {t}.")
        text = gettext_noop("A side arm has started, so it counts no more: {t}.") if any(layout.arms) else counts
    elif hub_count == "until_both_side_arms":
        counts = gettext_noop("Closed, but it counts until both side arms start: {t}.")
        text = gettext_noop("Both side arms have started, so it counts no more: {t}.") if all(layout.arms) else counts
    return Phrase(text, {"t": Tiles((layout.hub,))})
