"""Numbers of states that trained networks attend to, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.attending.recalls import is_learned


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: how many states count, of all networks and by experiment and model.

    `learned` are networks that recall enough of the `symbols` when they copy and denoise; `kept` counts the states that
    RelRNN keeps, by task.
    """
    table = tables["attended"].assign(model=lambda rows: rows["architecture"].map(labels))
    of_symbols = table["experiment"].str.match("copy|denoise")
    has_learned = is_learned(table, tables["learning_speed"])
    sizes = tables["hyperparameters"].query("architecture == 'rel_rnn'").set_index("task")
    return {
        "kept": sizes["short_term"] + sizes["relevant"],
        "learned": table.loc[of_symbols & has_learned, "measured"],
        "symbols": table.loc[of_symbols, "measured"],
        "others": table.loc[~of_symbols, "measured"],
        "tasks": table.loc[~of_symbols, "experiment"].unique(),
        "steps": table["steps"],
        "seeds": table["seeds"],
        "text_steps": table.loc[table["experiment"] == "characters", "steps"].max(),
        "own": table.set_index(["experiment", "model"])["measured"],
    }
