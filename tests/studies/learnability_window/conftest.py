import pandas as pd
import pytest

from figure_tables import ARCHITECTURES, tables_of
from learnability.report.style import Style


@pytest.fixture(scope="session")
def style() -> Style:
    colours = dict(zip(ARCHITECTURES, ("#0173b2", "#de8f05", "#029e73"), strict=True))
    labels = dict(zip(ARCHITECTURES, ("ConstGate", "slow SharedGate", "slow DiagGate"), strict=True))
    roles = dict(zip(ARCHITECTURES, ARCHITECTURES, strict=True))
    return Style(ARCHITECTURES, colours, labels, width_mm=175, font_size=7, roles=roles)


@pytest.fixture(scope="session")
def tables() -> dict[str, pd.DataFrame]:
    parts: dict[str, list[pd.DataFrame]] = {}
    for architecture in ARCHITECTURES:
        for seed in range(3):
            for kind, table in tables_of(architecture, seed).items():
                parts.setdefault(kind, []).append(table.assign(architecture=architecture, optimizer="adamw", seed=seed))
    return {kind: pd.concat(tables_of_kind, ignore_index=True) for kind, tables_of_kind in parts.items()}
