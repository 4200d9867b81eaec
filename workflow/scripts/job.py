"""What every script shares: the library on the path, one thread, and a log for all that it prints."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_variable] = "1"  # jobs run side by side; one thread each also fixes the order of sums
sys.path.insert(0, os.path.abspath(os.path.join(__file__, "..", "..", "..", "src")))

from learnability.errors import LearnabilityError  # noqa: E402


@contextmanager
def logged(snakemake: Any) -> Iterator[TextIO]:
    """Send all output to the rule's log; yield the terminal. A user's mistake ends in one line, no traceback."""
    terminal = os.fdopen(os.dup(2), "w")
    with open(snakemake.log[0], "w", buffering=1) as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    try:
        yield terminal
    except LearnabilityError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(error.status)


def settings_of(snakemake: Any) -> dict[str, Any]:
    """The settings of the job, as an attribute of what it writes."""
    return {name: value for name, value in snakemake.params.items() if name != "library"}


def run_names(snakemake: Any) -> dict[str, str | int]:
    """Architecture, optimizer and seed of the job, as columns and attributes of what it writes."""
    names = snakemake.wildcards
    return {"architecture": names.architecture, "optimizer": names.optimizer, "seed": int(names.seed)}
