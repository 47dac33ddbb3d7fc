"""`python -m tests.titles.released SLUG`: the records of a title's current rules, made once."""

import sys

from tests.titles.released import write

try:
    for slug in sys.argv[1:]:
        print(write(slug).name)
except FileExistsError as error:
    sys.exit(str(error))
except KeyError as error:
    sys.exit(f"there is no title {error}")
