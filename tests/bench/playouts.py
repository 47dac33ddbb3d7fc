"""Random games by another library. Runs in the environment of the peers and knows nothing of the club.

`python playouts.py NAME` says "ready" once the library stands; then every line it reads is a number of seconds to play,
and every line it prints has the moves made and the seconds they took. A move is one that the player is asked for.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import time
from collections.abc import Callable, Mapping

Game = Callable[[], int]
"""Plays one game by random legal moves; returns how many there were."""


def dominoes() -> Game:
    """Four seats, two ends, no boneyard; it passes by itself."""
    from dominoes import Game as Round

    def play() -> int:
        game, moves = Round.new(), 0
        while game.result is None:
            game.make_move(*random.choice(game.valid_moves))
            moves += 1
        return moves

    return play


def open_spiel() -> Game:
    """python_block_dominoes: two seats, two ends, no boneyard; it passes by itself."""
    import pyspiel
    from open_spiel.python.games import block_dominoes

    game = block_dominoes.BlockDominoesGame()
    chance = pyspiel.PlayerId.CHANCE

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.current_player() == chance:
                state.apply_action(random.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def all_fives() -> Game:
    """A match of two seats to 305, with the spinner and scoring; it draws by itself."""
    from src.main.game.Brain import RandomBrain
    from src.main.game.Game import Game as Match
    from src.main.game.Player import Player

    class Counting(RandomBrain):
        moves = 0

        def decide(self, round):
            self.moves += 1
            return super().decide(round)

    def play() -> int:
        brain = Counting()
        with contextlib.redirect_stdout(io.StringIO()):
            Match(Player(brain), Player(brain)).run()
        return brain.moves

    return play


def chess() -> Game:
    from chess import Board

    def play() -> int:
        board = Board()
        while not board.is_game_over():
            board.push(random.choice([*board.legal_moves]))
        return board.ply()

    return play


GAMES: Mapping[str, Callable[[], Game]] = {
    "all-fives-domino": all_fives,
    "chess": chess,
    "dominoes": dominoes,
    "open-spiel": open_spiel,
}
"""By the names of requirements/bench.in."""


def main(name: str) -> None:
    play = GAMES[name]()
    random.seed(1)
    print("ready", flush=True)
    for line in sys.stdin:
        moves, began = 0, time.perf_counter()
        while (seconds := time.perf_counter() - began) < float(line):
            moves += play()
        print(moves, seconds, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
