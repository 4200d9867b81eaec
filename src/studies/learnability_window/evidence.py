"""Evidence of the answers: tables of the study by architecture, and words for numbers."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from learnability.report.findings import number, power_of_ten


class Evidence:
    """Tables of the study, and which architectures take the paper's three roles.

    Args:
        tables: by reading and name; the reading is empty where a table is of none.
        groups: role → architecture of each group of architectures, as in `config/config.yaml`.
        labels: names of architectures in tables, in their order.
    """

    def __init__(
        self,
        tables: Mapping[tuple[str, str], pd.DataFrame],
        groups: Mapping[str, Mapping[str, str]],
        labels: Mapping[str, str],
    ) -> None:
        self.tables, self.groups, self.labels = tables, groups, labels
        self.roles = {role: labels[name] for role, name in groups["main"].items()}

    @property
    def three(self) -> list[str]:
        """Labels of the three roles."""
        return list(self.roles.values())

    def table(self, reading: str, name: str) -> pd.DataFrame:
        return self.tables[reading, name]

    def adamw(self, reading: str, name: str) -> pd.DataFrame:
        """Rows of AdamW, by architecture, in the order of the labels, of architectures that are in a group."""
        labels = {self.labels[member] for members in self.groups.values() for member in members.values()}
        rows = self.all_adamw(reading, name)
        return rows[rows.index.isin(labels)]

    def all_adamw(self, reading: str, name: str) -> pd.DataFrame:
        """Rows of AdamW, by architecture, in the order of the labels."""
        table = self.table(reading, name)
        rows = table[table["optimizer"] == "adamw"].set_index("architecture")
        return rows.sort_index(key=lambda names: names.map(list(self.labels.values()).index), kind="stable")

    def count_by_sgd(self, name: str) -> int:
        """Networks of a table that another optimiser than AdamW trained, over all architectures."""
        rows = self.table("", name).drop_duplicates(["optimizer", "architecture"])
        return int(rows.loc[rows["optimizer"] != "adamw", "seeds"].sum())

    def of_roles(self, values: Mapping[str, object]) -> "pd.Series[str]":
        """Values that the paper prints, by the label of each role."""
        return pd.Series({self.roles[role]: str(value) for role, value in values.items()})


def sequences(log_size: float) -> str:
    """10^x sequences, as a number where one can count them."""
    if log_size < 0:
        return "below 1"
    return number(10**log_size) if log_size < 4 else "∞" if np.isposinf(log_size) else power_of_ten(log_size)
