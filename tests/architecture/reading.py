"""Reading the code of the club, for rules that no type and no import can tell."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = ("club", "games", "notifications")


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the repository, as git has it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return tuple(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


def templates() -> list[Path]:
    return [path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"}]


@cache
def modules(*folders: str) -> tuple[tuple[str, ast.Module], ...]:
    """The modules under these folders as syntax trees, by path; migrations are made by Django."""
    paths = sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts
    )
    return tuple((str(path.relative_to(ROOT)), ast.parse(path.read_text())) for path in paths)


def found(wrong: Callable[[ast.AST], bool], *folders: str) -> Iterator[tuple[str, int]]:
    """Path and line of every node that is `wrong`."""
    for path, tree in modules(*folders):
        for node in ast.walk(tree):
            if wrong(node):
                yield path, getattr(node, "lineno", 0)


def breaches(wrong: Callable[[ast.AST], bool], folders: tuple[str, ...], allowed: dict[str, str]) -> list[str]:
    """Where a rule is broken, but for the `allowed` files (path, and why); and allowances that nobody needs."""
    places = list(found(wrong, *folders))
    broken = [f"{path}:{line}" for path, line in places if path not in allowed]
    return broken + [f"{path} needs no allowance" for path in allowed if path not in {path for path, _ in places}]


def called(node: ast.AST) -> str:
    """The name of what a call calls: `f` of `f()`, `a.f` of `a.f()` and `x.a.f()`; empty for everything else."""
    if not isinstance(node, ast.Call):
        return ""
    return named(node.func)


def named(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{named(node.value).rpartition('.')[2]}.{node.attr}"
    return ""
