"""Which browser the tests drive. `python -m tests.chromium` gets one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = ("Chromium", "Google Chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """The path of a Chromium: the one CHROMIUM names, the machine's, or the one playwright fetched."""
    if named := os.environ.get("CHROMIUM"):
        return named
    for name in NAMES:
        if found := shutil.which(name):
            return found
    for name in MAC_APPLICATIONS:
        program = Path(f"/Applications/{name}.app/Contents/MacOS/{name}")
        if program.exists():
            return str(program)
    return _fetched()


def _fetched() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.executable_path
    return program if Path(program).exists() else None


def _fetch() -> bool:
    """Ask playwright for one; it needs the network."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        return not subprocess.run(command, stdout=sys.stderr, timeout=300, check=False).returncode
    except subprocess.TimeoutExpired:
        return False


def main() -> int:
    """Print what pytest's marker expression needs besides: nothing, or that browser tests stay out."""
    if find() or _fetch():
        return 0
    print("No Chromium found and none could be fetched: the browser tests do not run.", file=sys.stderr)
    print("and not browser")
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
