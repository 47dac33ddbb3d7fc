"""Rules of the whole code that no type and no import can tell."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.reading import APPS, ROOT, breaches, called, named, templates, tracked

# Time: PostgreSQL has the only clock (reliability.md 1, B11); deadlines are rows, never tasks that wait (B10).

LONGEST = 300
CLOCKS = {
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "timezone.now",
    "timezone.localdate",
    "time.time",
    "time.time_ns",
    "time.localtime",
    "time.gmtime",
    "time.ctime",
    "time.strftime",
}
DEADLINES = ("games", "notifications", "club/afterwords", "club/moderation", "club/lobby")
OWN_CLOCK = {
    "games/templatetags/pieces.py": "how long is left, for the eye",
    "games/templatetags/say.py": "whether a day is today, for the eye",
    "notifications/backends.py": "names of mail files",
}


def asks_own_clock(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(f"{(node.module or '').rpartition('.')[2]}.{name.name}" in CLOCKS for name in node.names)
    if isinstance(node, ast.keyword):
        return node.arg in {"auto_now", "auto_now_add"}
    bare_local_time = called(node).endswith("localtime") and isinstance(node, ast.Call) and not node.args
    return bare_local_time or (isinstance(node, ast.Attribute) and named(node) in CLOCKS)


def test_nothing_about_deadlines_asks_the_clock_of_its_own_machine():
    assert not breaches(asks_own_clock, DEADLINES, OWN_CLOCK)


def waits_long(node: ast.AST) -> bool:
    """A task for later: a Redis broker delivers it again and again until then."""
    if isinstance(node, ast.Constant):
        return node.value in {"eta", "countdown"}
    if not isinstance(node, ast.keyword) or node.arg not in {"eta", "countdown"}:
        return False
    seconds = node.value.value if isinstance(node.value, ast.Constant) else None
    return node.arg == "eta" or not isinstance(seconds, int) or seconds > LONGEST


def test_no_task_waits_longer_than_five_minutes():
    assert not breaches(waits_long, APPS, {})


# Words: names and texts are shown as they were written, since no rule of case fits all four languages.

CASES = {"upper", "lower", "title", "capitalize", "swapcase"}
OWN_CASE = {
    "games/codes.py": "room codes are signs, not words",
    "games/management/commands/selfplay.py": "options of a command, typed by programs",
}


def changes_case(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CASES


def test_no_text_changes_its_case():
    assert not breaches(changes_case, APPS, OWN_CASE)


def lines_with(pattern: str, files: list) -> list[str]:
    wanted = re.compile(pattern, re.IGNORECASE)
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if wanted.search(line)
    ]


def test_no_template_changes_the_case_of_a_text():
    assert not lines_with(r"\|\s*(upper|lower|title|capfirst)\b|filter\s+(upper|lower|title|capfirst)\b", templates())


def test_no_style_and_no_script_changes_the_case_of_a_text():
    static = [path for path in tracked() if path.suffix in {".css", ".js", ".html"}]
    assert not lines_with(r"text-transform|to(Locale)?(Upper|Lower)Case", static)


def test_no_template_has_a_style_or_a_script_inside():
    """Pages are read as they are served by test_access.py; this also holds for parts that no page there shows."""
    pages = [path for path in templates() if "email" not in path.parts]
    assert not lines_with(r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:|<script(?![^>]*\ssrc=)", pages)


# The repository speaks of the project alone.

PLACES = r"/(work|root|home|Users)/|\.\./shared|/tmp/(?!club-)"
INDEXES = r"pythonhosted|[p]ypi\b|index[-_]url|artifactory|devpi|trusted-host"


@pytest.mark.parametrize("pattern", [PLACES, INDEXES], ids=["places", "indexes"])
def test_no_file_names_a_machine_or_an_index(pattern):
    own = ROOT / "tests" / "architecture" / "test_code.py"
    texts = [path for path in tracked() if path != own and b"\0" not in path.read_bytes()]
    assert not lines_with(pattern, texts)


# The rules can be broken.


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (asks_own_clock, "datetime.now(UTC)"),
        (asks_own_clock, "datetime.datetime.now()"),
        (asks_own_clock, "timezone.now()"),
        (asks_own_clock, "Field(default=timezone.now)"),
        (asks_own_clock, "Field(auto_now=True)"),
        (asks_own_clock, "from django.utils.timezone import now"),
        (asks_own_clock, "from time import time"),
        (asks_own_clock, "time.time()"),
        (asks_own_clock, "timezone.localtime()"),
        (waits_long, "task.apply_async(eta=soon)"),
        (waits_long, "task.apply_async(countdown=301)"),
        (waits_long, "task.apply_async(countdown=soon)"),
        (waits_long, "task.apply_async(**{'eta': soon})"),
        (changes_case, "name.upper()"),
        (changes_case, "f(x).title()"),
    ],
)
def test_a_breach_is_found(rule, code):
    assert any(map(rule, ast.walk(ast.parse(code))))


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (asks_own_clock, "clock.now()"),
        (asks_own_clock, "time.monotonic()"),
        (asks_own_clock, "timezone.localtime(at)"),
        (waits_long, "task.apply_async(countdown=300)"),
        (changes_case, "page.title"),
    ],
)
def test_what_is_right_is_let_pass(rule, code):
    assert not any(map(rule, ast.walk(ast.parse(code))))
