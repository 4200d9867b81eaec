"""Volatile facts about a run: never part of an artefact whose digest counts, always beside it."""

import platform
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("torch", "numpy", "scipy", "pandas", "xarray", "gymnasium", "minigrid")


def provenance() -> dict[str, object]:
    """Host, processor, Python, versions of the packages that the job's environment has, and the time now (UTC)."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "processor": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": dict(_installed()),
    }


def _installed() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        with suppress(PackageNotFoundError):  # an environment has what its jobs import, and no more
            yield package, version(package)
