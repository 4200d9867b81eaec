"""Settings of the process's memory, and the share of it that one block of work may take."""

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # names of glibc's mallopt
LARGEST_HEAP_BLOCK = 2**25  # glibc takes no more
BLOCK_BYTES = 2**28
"""Memory of one block of work, by default; results and whatever is kept on purpose come on top."""


def keep_freed_memory() -> None:
    """Hold on to freed memory rather than give it back and fetch it again.

    Array code frees and takes the same megabytes all the time, and a page fetched again costs more than the arithmetic
    on it. Where the C library is not glibc nothing happens, and nothing but speed depends on it.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(TRIM_THRESHOLD, 2**31 - 1)
        mallopt(MMAP_THRESHOLD, LARGEST_HEAP_BLOCK)


def items_within(item_bytes: int, block_bytes: int) -> int:
    """Number of items of a size that a block holds, at least one."""
    return max(1, block_bytes // max(1, item_bytes))
