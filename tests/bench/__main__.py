"""`python -m tests.bench`: measure, and print the tables."""

from __future__ import annotations

import argparse
import sys

from club.stack.lock import AlreadyRunning
from club.stack.process import Failed
from games import titles
from tests.bench import contests, cores, peers
from tests.bench.club import durability, open_club
from tests.bench.plan import FULL, QUICK, Plan
from tests.bench.rounds import CELLS, measure


def main() -> int:
    """Run the benchmark. The exit status tells whether it could, not whether bars were reached."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="one short slice of what is installed: whether it runs at all"
    )
    try:
        if parser.parse_args().quick:
            run(QUICK)
        else:
            for words in peers.install():
                say(words)
            run(FULL)
    except AlreadyRunning as running:
        say(f"Another benchmark is running: process {running}")
        return 1
    except Failed as failure:
        say(str(failure))
        return 1
    return 0


def run(plan: Plan) -> None:
    """Measure everything in `plan`, and print it."""
    say("Opening a club for the benchmark ...")
    with open_club() as club:
        # Models exist only now that the club is configured.
        from tests.bench import loads, report
        from tests.bench.moves import Contest

        contest, promised = Contest(club, plan), durability()
        figures = []
        for clients in plan.clients:
            say(f"Playing over HTTP, clients: {clients} ...")
            figures.append(contest.figures(clients))
        say("Loading positions ...")
        loaded = {slug: loads.measure(slug, contest.trees, plan) for slug in titles.slugs()}
    say("Playing rounds ...")
    played = {(slug, seats): measure(slug, seats, plan) for slug, seats in CELLS}
    say("Playing beside other libraries ...")
    held = contests.hold(plan)
    say("Playing matches on one core and on two ...")
    shared = cores.measure(plan)
    for lines in (
        [report.heading(plan)],
        report.moves(contest, figures, promised),
        report.loads(loaded),
        report.rounds(played),
        report.contests(held),
        report.bars(report.Measured(contest, figures, loaded, played, held, shared)),
    ):
        say("", *lines)


def say(*lines: str) -> None:
    """Print at once: the run takes minutes."""
    print(*lines, sep="\n", flush=True)


sys.exit(main())
