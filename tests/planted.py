"""Files of other users."""

import os
from pathlib import Path

import pytest


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a path another user's, or, where only root could, this process another user."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
