"""Printed numbers of trained networks: shares of right answers, bits of a character, and settings of training."""

import pandas as pd

Shares = dict[str, tuple[int | None, ...]]

OF_DELAYS: dict[str, tuple[tuple[int, ...], Shares]] = {
    "copy_transfer": (
        (100, 200, 400, 2000, 5000),
        {  # copy, trained at the first delay
            "orth_rnn": (99, 4, 16, 10, 0),
            "exp_rnn": (100, 86, 73, 58, 50),
            "mem_rnn": (99, 99, 99, 92, None),
            "rel_rnn": (100, 99, 99, 99, 99),
            "lstm": (99, 64, 48, 19, 14),
            "h_detach": (100, 91, 77, 51, 42),
            "sab": (99, 95, 95, 95, 95),
            "rel_lstm": (100, 99, 99, 99, 99),
        },
    ),
    "denoised": (
        (100, 300, 500, 1000, 2000),
        {  # denoise
            "orth_rnn": (90, 71, 61, 29, 3),
            "exp_rnn": (34, 25, 20, 16, 11),
            "mem_rnn": (99, 99, 99, 99, None),
            "rel_rnn": (100, 99, 99, 99, 99),
            "lstm": (82, 41, 33, 21, 15),
            "goru": (92, 93, 91, 93, 73),
            "sab": (99, 99, 99, 99, 99),
            "rel_lstm": (100, 99, 99, 99, 99),
        },
    ),
    "copied": (
        (100, 200, 300, 500, 1000, 2000),
        {  # copy
            "lstm": (100, 100, 100, 12, 12, 12),
            "orth_rnn": (100, 100, 100, 100, 80, 11),
            "exp_rnn": (100, 100, 100, 100, 100, 100),
            "mem_rnn": (100, 100, 100, 100, 100, None),
            "sab": (100, 100, 100, 100, 100, 100),
            "rel_rnn": (100, 100, 100, 100, 100, 100),
            "rel_lstm": (100, 100, 100, 100, 100, 100),
        },
    ),
}
"""Delays T by table, and by architecture the share at each; none where memory did not suffice."""
UPDATES_OF_CODE = 200_000
"""Updates on copy and denoise in the authors' code, bhargav104/MemoryNets at 9ae06bb; the paper prints no number."""
OF_ALL_STEPS = {"copy_transfer": ("exp_rnn",)}
"""Architectures by table whose authors' code counts right answers at all steps; the paper leaves the count open."""

OF_DENSE_TASKS: dict[str, tuple[float | None, float | None, float]] = {
    "rnn": (1.56, 66, 90.4),
    "orth_rnn": (1.53, 66, 93.4),
    "exp_rnn": (1.49, 68, 96.6),
    "rel_rnn": (1.43, 69, 92.8),
    "lstm": (1.36, 73, 91.1),
    "h_detach": (None, None, 92.3),
    "sab": (1.37, None, 94.2),
    "rel_lstm": (1.36, 73, 94.3),
}
"""Table 3, by architecture: bits and accuracy of characters of the Penn Treebank, accuracy of permuted MNIST."""

OF_TRAINING: dict[str, dict[str, tuple[str | float | None, ...]]] = {
    "copy": {
        "orth_rnn": ("rmsprop", 0.0002, None, "modrelu", None, None),
        "exp_rnn": ("rmsprop", 0.0002, None, "modrelu", None, None),
        "lstm": ("adam", 0.0002, None, None, None, None),
        "rel_rnn": ("adam", 0.0002, None, "tanh", 10, 10),
    },
    "denoise": {
        "orth_rnn": ("rmsprop", 0.0002, None, "modrelu", None, None),
        "exp_rnn": ("rmsprop", 0.0002, None, "modrelu", None, None),
        "lstm": ("adam", 0.0002, None, None, None, None),
        "goru": ("rmsprop", 0.001, None, None, None, None),
        "rel_rnn": ("rmsprop", 0.0002, None, "modrelu", 10, 10),
    },
    "pixels": {
        "orth_rnn": ("adam", 0.0001, None, "modrelu", None, None),
        "exp_rnn": ("adam", 0.0001, 0.00001, "modrelu", None, None),
        "lstm": (None, 0.0002, None, None, None, None),
        "rel_rnn": ("adam", 0.0003, None, "modrelu", 10, 10),
    },
    "characters": {
        "orth_rnn": ("adam", 0.001, None, "tanh", None, None),
        "exp_rnn": ("adam", 0.003, 0.0003, "tanh", None, None),
        "lstm": (None, 0.0002, None, None, None, None),
        "rel_rnn": ("adam", 0.0003, None, "tanh", 10, 5),
    },
}
"""Tables 6 to 9, by task and architecture: values of `HYPERPARAMETERS`, None for a dash or a blank; no blank rows."""
HYPERPARAMETERS = ("method", "learning_rate", "orthogonal_learning_rate", "nonlinearity", "short_term", "relevant")
"""The optimiser, its learning rates, that of orthogonal matrices last, the activation, ν and ρ."""


def paper_shares(table: str) -> pd.DataFrame:
    """`architecture`, `delay` and the share `paper`, of 1; NaN where memory did not suffice."""
    delays, shares = OF_DELAYS[table]
    rows = [
        {"architecture": name, "delay": delay, "paper": float("nan") if share is None else share / 100}
        for name, percents in shares.items()
        for delay, share in zip(delays, percents, strict=True)
    ]
    return pd.DataFrame(rows)


def printed_of_dense_tasks() -> pd.DataFrame:
    """`architecture`, and the paper's `bits` and `accuracy` of characters and `pixels`, shares of 1; NaN for a dash."""
    rows = pd.DataFrame(OF_DENSE_TASKS, index=["bits", "accuracy", "pixels"]).T.astype(float)
    return (rows / [1, 100, 100]).rename_axis("architecture").reset_index()
