"""How the parts hang together: imports, migrations, signals, titles, and the settings of a club for strangers."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.questioner import NonInteractiveMigrationQuestioner
from django.db.migrations.state import ProjectState
from django.dispatch import Signal
from importlinter.cli import lint_imports

from games import titles
from tests.architecture.pages import Page
from tests.architecture.reading import APPS, ROOT, called, modules, templates
from tests.services import Services

# Imports (architecture.md 3)


def test_every_import_points_down(capsys):
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0, capsys.readouterr().out


def contract(name: str) -> dict:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return next(found for found in config["tool"]["importlinter"]["contracts"] if found["name"] == name)


def test_every_module_of_games_has_its_layer():
    """A module without a layer could import anything."""
    layers = {name.strip() for layer in contract("Inside games")["layers"] for name in layer.split("|")}
    present = {
        path.stem for path in (ROOT / "games").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert present - {"__init__", "migrations"} - layers == set()


def test_every_app_has_its_layer_and_every_title_its_independence():
    layers = contract("Down by call, up by signal")["layers"]
    local = {name for name in settings.INSTALLED_APPS if name.split(".")[0] in APPS} - {"club"}
    assert local - set(layers) == set()
    assert set(contract("Titles do not know each other")["modules"]) == {
        f"games.titles.{slug}" for slug in titles.slugs()
    }


# Migrations


def test_no_migration_is_missing():
    loader = MigrationLoader(None)
    detector = MigrationAutodetector(
        loader.project_state(), ProjectState.from_apps(apps), NonInteractiveMigrationQuestioner()
    )
    assert not detector.changes(graph=loader.graph)


# Signals: "down by call, up by signal"

SIGNALS = ("club.members.signals", "games.signals")


def signals() -> Iterator[tuple[str, str, Signal]]:
    for module in SIGNALS:
        for name, value in vars(import_module(module)).items():
            if isinstance(value, Signal):
                yield module, name, value


def described(module: str, name: str) -> set[str]:
    """The words in code marks where the module tells of a signal: in a row of its table, or below its line."""
    source = (ROOT / f"{module.replace('.', '/')}.py").read_text()
    row = re.search(rf"^\| `{name}` \|(.*)\|$", source, re.MULTILINE)
    below = re.search(rf'^{name} = Signal\(\)\n"""(.*?)"""', source, re.MULTILINE | re.DOTALL)
    told = row or below
    return set(re.findall(r"`([\w.]+)`", told[1])) if told else set()


def sendings(name: str) -> list[set[str]]:
    """The arguments of each sending of a signal in the code."""
    return [
        {keyword.arg or "**" for keyword in node.keywords}
        for _, tree in modules(*APPS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) in {f"{name}.send", f"{name}.send_robust"}
    ]


@pytest.mark.parametrize(("module", "name", "signal"), [pytest.param(*found, id=found[1]) for found in signals()])
def test_a_signal_is_described_sent_as_described_and_heard(module, name, signal):
    words, sent = described(module, name), sendings(name)
    assert words, "say in the module what it means and what it carries"
    assert sent, "nobody sends it"
    assert all(arguments <= words for arguments in sent), (sent, words)
    assert signal.receivers, "nobody hears it"


def test_every_signal_stands_where_signals_are_looked_for():
    made = {path for path, tree in modules(*APPS) for node in ast.walk(tree) if called(node) == "Signal"}
    assert made == {f"{module.replace('.', '/')}.py" for module in SIGNALS}


# Titles: one folder of rules, one of templates

PARTS = ["board.html", "moves.html", *[f"rules.{language}.html" for language, _ in settings.LANGUAGES]]


@pytest.mark.parametrize("slug", titles.slugs())
def test_a_title_is_whole(slug):
    pages = ROOT / "templates" / "titles" / slug
    assert [part for part in PARTS if not (pages / part).exists()] == []
    assert list((ROOT / "games" / "titles" / slug / "examples").glob("*.yaml")), "worked examples are missing"
    symbols = (ROOT / "templates" / "pieces" / "symbols.svg.html").read_text()
    assert f'id="mark-{slug}"' in symbols


def test_every_folder_of_a_title_is_a_title():
    for folder in (ROOT / "games" / "titles", ROOT / "templates" / "titles"):
        assert {path.name for path in folder.iterdir() if path.is_dir()} - {"__pycache__"} == set(titles.slugs())


RULES = [path for path in templates() if path.match("titles/*/rules.*.html")]


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name} {path.name}")
def test_rules_pages_hold_nothing_from_elsewhere(path):
    assert not Page(path.read_text()).faults


# A club for strangers (security.md 1 and 2)

ASK = """
import json, sys, django
django.setup()
from django.test import Client

client = Client(headers={"host": "club.example"})
page = client.get("/login/", secure=True)
sheet = page.text.split('rel="stylesheet" href="')[1].split('"')[0]
answers = {
    "plain": client.get("/login/"),
    "page": page,
    "sheet": client.get(sheet, secure=True),
    "stranger": Client(headers={"host": "evil.example"}).get("/login/", secure=True),
    "foreign": Client(headers={"host": "club.example"}, enforce_csrf_checks=True).post("/theme/", secure=True),
    "mailbox": client.get("/dev/mail/", secure=True),
}
json.dump({
    name: {
        "status": answer.status_code,
        "headers": dict(answer.headers),
        "cookies": answer.cookies.output(header="").splitlines(),
    }
    for name, answer in answers.items()
}, sys.stdout)
"""


@pytest.fixture(scope="module")
def production(stack: Services, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a club for strangers."""
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "club.config.settings.prod",
        "PYTHONPATH": str(ROOT),
        "SECRET_KEY": "".join(map(chr, range(33, 127))),
        "ALLOWED_HOSTS": "club.example",
        "SITE_URL": "https://club.example",
        "SMTP_HOST": "mail.club.example",
        **stack.environment,
        "CLUB_VAR": str(tmp_path_factory.mktemp("production")),
    }


def run(environment: dict[str, str], *argv: str | Path) -> str:
    done = subprocess.run([sys.executable, *argv], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_settings_for_strangers_pass_every_check(production):
    run(production, "manage.py", "check", "--deploy", "--fail-level", "WARNING")


@pytest.fixture(scope="module")
def asked(production: dict[str, str]) -> dict[str, dict]:
    run(production, "manage.py", "collectstatic", "--no-input", "--verbosity", "0")
    return json.loads(run(production, "-c", ASK))


def test_a_page_for_strangers_has_every_header(asked):
    page = asked["page"]
    assert page["status"] == 200
    assert page["headers"]["Strict-Transport-Security"].startswith("max-age=31536000; includeSubDomains")
    assert "connect-src 'self' wss://club.example;" in page["headers"]["Content-Security-Policy"] + ";"
    assert page["headers"]["Cache-Control"] == "private, no-store"
    for name in ("X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy"):
        assert name in page["headers"]
    assert "Server" not in page["headers"]


def test_cookies_are_bound_to_the_host_and_to_tls(asked):
    (csrf,) = asked["page"]["cookies"]
    assert csrf.strip().startswith("__Host-csrf=")
    assert "Secure" in csrf
    assert "Path=/;" in csrf + ";"
    assert "Domain" not in csrf
    text = (ROOT / "club" / "config" / "settings" / "prod.py").read_text()
    assert 'SESSION_COOKIE_NAME = "__Host-sid"' in text


def test_what_is_not_for_this_club_is_turned_away(asked):
    assert (asked["plain"]["status"], asked["plain"]["headers"]["Location"]) == (301, "https://club.example/login/")
    assert asked["stranger"]["status"] == 400
    assert asked["foreign"]["status"] == 403
    assert asked["mailbox"]["status"] == 404


def test_static_files_are_named_by_their_content_and_kept_for_ever(asked):
    assert asked["sheet"]["status"] == 200
    kept = set(asked["sheet"]["headers"]["Cache-Control"].split(", "))
    assert {"public", "immutable", "max-age=31536000"} <= kept or {"public", "immutable", "max-age=315360000"} <= kept
