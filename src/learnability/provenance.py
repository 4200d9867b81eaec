"""Volatile facts about a run: never part of an artefact whose digest counts, always beside it."""

import platform
from datetime import UTC, datetime
from importlib.metadata import version

PACKAGES = ("torch", "numpy", "scipy", "pandas", "xarray")


def provenance() -> dict[str, object]:
    """Host, processor, Python and package versions, and the time now (UTC)."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "processor": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in PACKAGES},
    }
