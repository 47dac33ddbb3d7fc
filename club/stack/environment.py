"""`make setup`: the virtual environment with the locked packages. Runs under the Python of the machine.

`python3 -m club.stack.environment run` or `dev` brings .venv in step with requirements/<name>.lock.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from pathlib import Path

from club.stack import ROOT
from club.stack.process import environment

VENV = ROOT / ".venv"
PYTHON = VENV / "bin/python"


def main(name: str) -> int:
    """Install what requirements/`name`.lock lists, unless that was done; the exit status."""
    stamp = VENV / f"{name}.installed"
    lock = ROOT / "requirements" / f"{name}.lock"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    works = PYTHON.exists() and succeeds(PYTHON, "-c", "")
    if works and stamp.exists() and stamp.read_text() == wanted:
        return 0
    began = time.monotonic()
    try:
        if not works:
            say("Making the virtual environment ...")
            run(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
        stamp.unlink(missing_ok=True)
        install(lock)
    except subprocess.CalledProcessError as failure:
        say(f"This failed: {' '.join(map(str, failure.cmd))}")
        return 1
    stamp.write_text(wanted)
    say(f"The environment is ready ({time.monotonic() - began:.0f} s).")
    return 0


def install(lock: Path) -> None:
    """Install a lock with uv, which takes seconds; with pip where uv does not work."""
    pip = find_pip()
    uv = VENV / "bin/uv"
    if not uv.exists():
        say("Fetching uv, the installer ...")
        succeeds(*pip, "install", "--quiet", "--require-hashes", "-r", ROOT / "requirements/installer.lock")
    say(f"Installing {lock.relative_to(ROOT)} ...")
    hashes: list[str | Path] = ["--require-hashes", "-r", lock]
    quick = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--system-certs", "--python", PYTHON, *hashes]
    if not (uv.exists() and succeeds(*quick)):
        say("uv did not do it; pip will, which takes a minute or two ...")
        run(*pip, "install", "--quiet", *hashes)


def find_pip() -> list[str | Path]:
    """A pip that installs into the environment: the machine's own, or one that Python carries along."""
    if succeeds(sys.executable, "-m", "pip", "--version", quiet=True):
        return [sys.executable, "-m", "pip", "--python", PYTHON, "--disable-pip-version-check"]
    if not succeeds(PYTHON, "-m", "pip", "--version", quiet=True):
        run(PYTHON, "-m", "ensurepip")
    return [PYTHON, "-m", "pip", "--disable-pip-version-check"]


def run(*argv: str | Path) -> None:
    """Run a program; CalledProcessError when it fails."""
    subprocess.run(argv, check=True, env=environment(), cwd=ROOT)


def succeeds(*argv: str | Path, quiet: bool = False) -> bool:
    """Whether a program ran well."""
    output = subprocess.DEVNULL if quiet else None
    return not subprocess.run(argv, check=False, env=environment(), cwd=ROOT, stdout=output, stderr=output).returncode


def say(words: str) -> None:
    """To the person at the terminal, at once."""
    print(words, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
