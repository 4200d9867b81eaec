"""Tables of the theory."""

import pandas as pd

from learnability.core.streams import numpy_generator
from studies.attention.theory import parameters, paths, sparse, sums, uniform

MODULES = {"paths": paths, "parameters": parameters, "sums": sums, "uniform": uniform, "sparse": sparse}


def tabulate(root_seed: int) -> dict[str, pd.DataFrame]:
    """All tables, by name.

    Args:
        root_seed: names the streams of random networks, bases and attention, one for each module.
    """
    tables: dict[str, pd.DataFrame] = {}
    for name, module in MODULES.items():
        tables |= module.compute(numpy_generator(root_seed, 0, "theory", name))
    return tables
