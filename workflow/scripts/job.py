"""Start of every script: the library on the path, a log for its output, one thread so that sums keep their order."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
sys.path.insert(0, os.path.abspath(os.path.join(__file__, "..", "..", "..", "workflow")))
sys.path.insert(0, os.path.abspath(os.path.join(__file__, "..", "..", "..", "src")))

from record import last_words, write_provenance
from worker import run_in_copy

run_in_copy()  # with a worker, this process goes no further
signal.signal(signal.SIGINT, lambda *_: signal.raise_signal(signal.SIGTERM))  # what training heeds ends all else


@contextmanager
def logged(snakemake: Any) -> Iterator[TextIO]:
    """Send all output to the rule's log; yield the terminal. What a user can mend ends in one line, no traceback."""
    terminal = os.fdopen(os.dup(2), "w")
    with open(snakemake.log[0], "w", buffering=1) as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    try:
        yield terminal
        write_provenance(snakemake)
    except Exception as error:
        print(last_words(error), file=sys.stderr)
        sys.exit(getattr(error, "status", 1))
