"""News that travels up. Receivers write rows inside the same transaction; what leaves the process waits for commit.

| signal | sender | arguments |
| --- | --- | --- |
| `match_started` | Match | `match` |
| `turn_opened` | Match | `match`, `turn` |
| `turn_lapsed` | Match | `match`, `turn`, `seat` (the Seat row, counted) |
| `match_ended` | Match | `match`, `outcome` |
"""

from django.dispatch import Signal

match_started = Signal()
turn_opened = Signal()
turn_lapsed = Signal()
match_ended = Signal()
