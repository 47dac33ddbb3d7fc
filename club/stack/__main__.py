"""`python -m club.stack`: the whole club on this machine, until Ctrl-C."""

import sys

from club.stack.opening import main

sys.exit(main())
