"""Table 4 as printed: mean returns of agents after 5,000,000 frames, where they were trained and on a larger grid.

The text does not say whether agents read their mission. Who does not can go to the right one of the four doors of
GoToDoor in a quarter of the episodes at best.
"""

import pandas as pd

FRAMES = 5_000_000
TESTED_ON = {
    "RedBlueDoors-6x6": "RedBlueDoors-8x8",
    "GoToObject-6x6-N2": "GoToObject-8x8-N2",
    "MemoryS7": "MemoryS13",
    "GoToDoor-5x5": "GoToDoor-8x8",
    "Fetch-5x5-N2": "Fetch-8x8-N3",
    "DoorKey-5x5": "DoorKey-16x16",
}
"""The larger grid, by that of training, as the package `minigrid` names them."""
_TRAIN = {"mem_lstm": (0.97, 0.85, 0.4, 0.17, 0.42, 0.94), "rel_lstm": (0.97, 0.84, 0.94, 0.25, 0.5, 0.93)}
_TEST = {"mem_lstm": (0.95, 0.66, 0.24, 0.11, 0.44, 0.31), "rel_lstm": (0.95, 0.74, 0.3, 0.15, 0.45, 0.44)}


def paper_returns() -> pd.DataFrame:
    """`trained_on`, `tested_on`, `architecture`, and the returns `train_paper` and `test_paper`."""
    rows = [
        (*grids, name, train, test)
        for name, returns in _TRAIN.items()
        for grids, train, test in zip(TESTED_ON.items(), returns, _TEST[name], strict=True)
    ]
    return pd.DataFrame(rows, columns=["trained_on", "tested_on", "architecture", "train_paper", "test_paper"])
