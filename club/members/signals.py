"""What the apps above learn from members ("down by call, up by signal")."""

from __future__ import annotations

from django.dispatch import Signal

guest_counted = Signal()
"""Asked before a merge, with `guest`: each receiver answers how many of its rows (int) belong to the guest.

The sum is what the person is asked about; at 0 there is no question.
"""

guest_merged = Signal()
"""A guest signed in to an account and said yes, with `guest` and `member`: receivers move their rows to the member.

Sent inside the transaction of the merge, so a receiver that raises undoes everything. A receiver leaves with the guest
what would clash (both at one table) and answers how many rows it left (None counts as 0). If nothing was left
anywhere, the guest's row is closed; otherwise it stays open to its recovery link.
"""

renaming = Signal()
"""A member is about to show a new name, with `member` and `name`: a receiver may refuse by raising `text.BadText`."""
