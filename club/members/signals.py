"""What the apps above learn from members ("down by call, up by signal")."""

from __future__ import annotations

from django.dispatch import Signal

guest_counted = Signal()
"""Asked before and after a merge, with `guest`: each receiver answers how many seats (int) the guest has.

At 0 there is no question before, and the guest's row is closed after.
"""

guest_merged = Signal()
"""A guest signed in to an account and said yes, with `guest` and `member`: receivers move their rows to the member.

Sent inside the transaction of the merge, so a receiver that raises undoes everything. What would clash (both at one
table) a receiver leaves with the guest, whose row then stays open to its recovery link.
"""

address_confirmed = Signal()
"""An address has become the `member`'s own: mail reaches it from now on. Sent inside the transaction."""
