"""The smallest loss, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """The smallest validation loss of all networks, and whose it is."""
    losses = tables["last_losses"].set_index("architecture")["validation_loss"].rename(labels)
    return {"loss": losses.min(), "best": losses.idxmin()}
