"""`python -m ludometer` is the command line."""

import sys

from ludometer.cli import main

sys.exit(main())
