"""News that travels up. Receivers write rows inside the same transaction; what leaves the process waits for commit.

The sender is `Match`, or `Table` for `table_expired`.

| signal | arguments |
| --- | --- |
| `table_expired` | `table` |
| `turn_opened` | `match`, `turn`, `seat` (the Seat row) |
| `turns_closed` | `match`, `turns` (Turn rows) |
| `turn_lapsed` | `match`, `turn`, `seat` (the Seat row, figures updated) |
| `deadline_moved` | `match`, `turn` (with its new `due_at`), `seat` |
| `match_ended` | `match`, `outcome` |
"""

from django.dispatch import Signal

table_expired = Signal()
turn_opened = Signal()
turns_closed = Signal()
turn_lapsed = Signal()
deadline_moved = Signal()
match_ended = Signal()
