"""Dates of files: Snakemake throws away what a job made that is older than what it was made from."""

import os
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

AHEAD = 10
"""Seconds that clocks of machines may differ by: no job that is worth throwing away is shorter."""


def dated_ahead(files: Iterable[str]) -> dict[str, float]:
    """Existing files that are dated in the future, and their dates."""
    latest = time.time() + AHEAD
    dates = {str(file): os.path.getmtime(file) for file in set(files) if Path(file).exists()}
    return {file: date for file, date in sorted(dates.items()) if date > latest}


def refusal(files: Iterable[str]) -> str | None:
    """A refusal of inputs that are dated in the future, before any work is done in vain; None if there are none."""
    ahead = dated_ahead(files)
    if not ahead:
        return None
    (first, date), *rest = ahead.items()
    more = f" and {len(rest)} more" if rest else ""
    moment = datetime.fromtimestamp(date).isoformat(" ", "seconds")
    return f"Inputs must not be dated in the future. Got '{first}' of {moment}{more}; `touch` dates a file as of now."
