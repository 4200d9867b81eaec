"""Which exhibits there are, in the order of the notes. It imports nothing that is slow, for rules read it."""

from typing import NamedTuple


class Declared(NamedTuple):
    """An exhibit.

    Args:
        sections: of the notes.
        tables: names of what its module makes, in order.
        experiments: whose networks it shows, at all learning rates that they are trained at.
        windows: whether it also shows their windows through training.
        searched: architectures with which its settings are varied, if not with all.
    """

    sections: str
    tables: tuple[str, ...]
    experiments: tuple[str, ...] = ()
    windows: bool = False
    searched: tuple[str, ...] = ()


EXHIBITS = {
    "identity": Declared("1", ("identity_readouts", "identity_states", "identity_gradients")),
    "gates": Declared(
        "2", ("gates_held", "gates_units", "gates_written", "gates_switch", "gates_probes"), ("selective",)
    ),
    "refinements": Declared(
        "3 to 5", ("refinements_steps", "refinements_ends", "refinements_curves", "refinements_rates"), ("selective",)
    ),
    "carousel": Declared("4", ("carousel_paths",), ("selective",)),
    "depth": Declared(
        "6", ("depth_layers", "depth_profiles", "depth_losses", "depth_shares", "depth_rates"), ("depth",)
    ),
    "dropout": Declared("7.1", ("dropout_losses", "dropout_noise", "dropout_shares", "dropout_curves"), ("dropout",)),
    "activity": Declared(
        "7.2",
        ("activity_units", "activity_gradients", "activity_shares", "activity_curves"),
        ("activity_sum", "activity_denoise"),
    ),
    "mini_batches": Declared("8.1", ("batch_noise", "batch_slopes", "batch_losses", "batch_curves")),
    "truncation": Declared(
        "8",
        ("truncation_shares", "truncation_losses", "truncation_curves", "truncation_costs"),
        ("truncation_0", "truncation_4", "truncation_8", "truncation_16"),
    ),
    "lstm_and_gru": Declared(
        "9 and 10",
        ("gru_interpolation", "lstm_gru_costs", "lstm_gru_losses", "lstm_gru_shares", "lstm_gru_curves"),
        (
            "compared_sum_lstm",
            "compared_sum_gru",
            "compared_few_lstm",
            "compared_few_gru",
            "compared_denoise_lstm",
            "compared_denoise_gru",
        ),
    ),
    "counting": Declared("10.1", ("counting_runs", "counting_lengths")),
    "richness": Declared("11 and 12", ("richness_dimensions",)),
    "echo_states": Declared("11 to 13", ("echo_stretch", "echo_exponents", "echo_counterexamples")),
    "memory": Declared(
        "14 and 15",
        (
            "memory_curves",
            "memory_totals",
            "memory_narma",
            "memory_products",
            "memory_readouts",
            "memory_washout",
            "memory_suffixes",
            "memory_neighbours",
        ),
    ),
    "training_cost": Declared("14", ("cost_trainings", "cost_curves")),
    "separability": Declared("15", ("separability_shares",)),
    "deep_reservoirs": Declared("16", ("deep_layers", "deep_decay", "deep_curves", "deep_settings")),
    "generation": Declared(
        "17", ("generation_growth", "generation_times", "generation_example"), ("lorenz", "mackey_glass")
    ),
    "summary": Declared(
        "18",
        ("cells", "cells_by_lag", "cells_rates"),
        ("summary",),
        True,
        ("rnn", "lstm", "gru", "lstm_slow", "gru_slow", "reservoir", "sparse_reservoir", "leaky_reservoir"),
    ),
}
