"""Table 1 of the paper and further tables: a module for each subject, in it a function for each table."""

from collections.abc import Callable

import pandas as pd

from studies.learnability_window.conclusions import conclusions
from studies.learnability_window.opening import detected_before_learned
from studies.learnability_window.tables import networks, resonances, tasks, through_training, transport, windows
from studies.learnability_window.theory import bounds, optimizers, residuals

TABLES: dict[str, Callable[..., pd.DataFrame]] = {
    "table_1": networks.decay_fits,
    "learning_rates": networks.learning_rates,
    "learned": networks.learned,
    "windows": windows.windows,
    "windows_by_direction": windows.windows_by_direction,
    "window_order": windows.window_order,
    "echoes": windows.echoes,
    "task_lags": windows.task_lags,
    "spread": windows.spread,
    "null_control": windows.null_control,
    "complexity_and_share": windows.complexity_and_share,
    "floor": windows.floor,
    "windows_by_option": windows.windows_by_option,
    "conclusions": lambda crossed, labels: conclusions(crossed),
    "conditioning": networks.conditioning,
    "transport_by_lag": transport.transport_by_lag,
    "transport_check": transport.transport_check,
    "scaling": windows.scaling,
    "through_training": through_training.through_training,
    "detection_order": through_training.detection_order,
    "resonances": resonances.resonances,
    "harmonics_and_loss": resonances.harmonics_and_loss,
    "distance_from_comb": resonances.distance_from_comb,
    "common_divisor": tasks.common_divisor,
    "detected_before_learned": lambda windows, responses, labels, root_seed: detected_before_learned(
        windows, responses, root_seed
    ),
    "appendix_f": lambda sample_complexity, labels: bounds.tabulate(sample_complexity),
    "appendix_h": lambda sample_complexity, labels: residuals.tabulate(sample_complexity),
    "appendix_i": lambda envelope, spectrum, labels: optimizers.tabulate(envelope, spectrum),
}
"""Functions that make a table each, from tables of runs, labels, and settings that its rule names."""

NOTES: dict[str, Callable[[pd.DataFrame], list[str]]] = {
    "transport_by_lag": transport.transport_in_words,
    "scaling": windows.scaling_in_words,
}
"""Functions that say in words what a table shows, computed from it."""


def notes(name: str, table: pd.DataFrame) -> list[str]:
    """`NOTES` of a table, none where there are none."""
    return NOTES[name](table) if name in NOTES else []
