"""`python -m learnability`, the command without an installation."""

import sys

from learnability.command import main

sys.exit(main())
