"""Statements of tables that are made by hand, with numbers on the borders and none that are 0 or 1 by chance."""

import numpy as np
import pandas as pd
import pytest

from studies.gated.echo_states import measure as echo_states
from studies.gated.identity import measure as identity
from studies.gated.memory import measure as memory
from studies.gated.mini_batches import measure as mini_batches
from studies.gated.richness import measure as richness
from studies.gated.separability import measure as separability
from studies.gated.truncation import measure as truncation


def of(rows) -> dict[str, float]:
    """Statements of seed 0 by name."""
    return {name: value for name, seed, value in rows if seed == 0}


def test_the_identity_deviates_by_the_largest_of_its_norms_and_networks_by_those_of_the_longest_lag() -> None:
    kinds = pd.DataFrame({"irrelevant": irrelevant, "steps": [0, 2, 4]} for irrelevant in identity.IRRELEVANT)
    states = kinds.explode("steps").astype({"steps": int}).assign(size=3.0, slope=0.5, seed=0)
    readouts = states.merge(pd.Series([*identity.READERS], name="reader"), how="cross").assign(accuracy=1.0)
    norms = [(0.0, 1, 0.1), (0.0, 9, -0.3), (0.5, 1, 7.0), (0.5, 9, -2.0), (3.0, 1, 5.0), (3.0, 9, 1.0)]
    gradients = pd.DataFrame(norms, columns=["scale", "lag", "log_norm"]).assign(seed=0)
    tables = dict(zip(identity.TABLES, (readouts, states, gradients), strict=True))
    values = of(identity._statements(tables, 0))
    assert values["identity_deviates"] == pytest.approx(1 - 10**-0.3)  # 0.499, more than 10^0.1 - 1 = 0.259
    assert values["rnn_decades"] == 1.5 and values["rnn_largest_decades"] == 1


def test_separable_shares_are_compared_with_those_of_inputs_and_of_linear_states() -> None:
    columns = ["reads", "units", "separable", "deviation", "dimensions", "points"]
    rows = [
        (separability.RESERVOIR, 30, 0.9, 1.0, 18, 20),
        (separability.RESERVOIR, 5, 0.4, 2.5, 5, 20),
        (separability.LINEAR, 5, 0.3, 0.0, 5, 20),
        (separability.LINEAR, 30, 0.6, 0.0, 20, 20),
        (separability.INPUTS, 0, 0.2, 0.0, 2, 20),
    ]
    values = of(separability._statements(pd.DataFrame(rows, columns=columns).assign(seed=0), 0))
    assert values == pytest.approx(
        {
            "separable_beyond_inputs": 0.7,
            "separable_beyond_linear": 0.3,
            "deviation_from_cover": 2.5,
            "dimensions_over_units": 0.9,
        }
    )


def test_costs_of_windows_are_those_of_the_whole_sequence_over_the_shortest_but_for_a_pass() -> None:
    costs = pd.DataFrame({"window": [2, 4, 8], "kept": [1.0, 9, 4], "update": [2.0, 9, 10], "pass": [3.0, 9, 2]})
    assert of(truncation._of_costs(costs, 0)) == {
        "larger_windows_kept": 4,
        "larger_windows_update": 5,
        "pass_in_short_windows": 1.5,
    }


def test_the_full_batch_is_compared_with_the_best_of_all_smaller_ones() -> None:
    noise = pd.DataFrame({"seed": 0, "bias": [1e-16, 3e-16, 2e-16]})
    losses = pd.DataFrame(
        [
            (size, moment, loss)
            for moment, of_sizes in {
                mini_batches.EPOCHS: [4.0, 3, 2, 9],
                mini_batches.UPDATES: [8.0, 3, 2, 5],
            }.items()
            for size, loss in zip([1, 4, 16, 64], of_sizes, strict=True)
        ],
        columns=["batch_size", "compared", "loss"],
    ).assign(seed=0)
    slopes = pd.DataFrame({"seed": [0], "slope": [-0.9]})
    tables = dict(zip(mini_batches.TABLES[:3], (noise, slopes, losses), strict=True))
    assert of(mini_batches._statements(tables, 0)) == {
        "batch_bias": 3e-16,
        "batch_variance_slope": -0.9,
        "full_over_mini_equal_sequences": 4.5,
        "smallest_over_full_equal_updates": 1.6,
    }


def test_richness_is_stated_of_spectral_radii_below_1_alone() -> None:
    rows = [
        (kind, scale, radius, size * scale)
        for kind, size in ((richness.RESERVOIR, 3.0), (richness.LINEAR, 2.0))
        for scale in (1.0, 2.0)
        for radius in (0.5, 1.0)
    ]
    table = pd.DataFrame(rows, columns=["kind", "input_scale", "radius", "dimension"])
    table = table.assign(seed=0, units=10, components=table["dimension"], unexplained=table["radius"])
    values = of(richness._statements(table, {"input_scales": [1.0, 2.0]}, 0))
    assert values["nonlinear_share_weak"] == 0.5 and values["dimension_over_linear_strong"] == 1.5
    assert "radius_raises_dimension_weak" not in values  # one radius has no rank


def test_echo_states_are_counted_among_products_that_contract_and_memory_up_to_a_radius_of_1() -> None:
    exponents = pd.DataFrame(
        [
            ("none", 0.5, -1.0, True, True, 2.0),
            ("none", 1.0, 0.0, True, True, 4.0),
            ("none", 1.5, 0.5, True, True, 8.0),
            ("weak", 0.5, -1.0, True, True, 2.0),
            ("weak", 0.7, -0.5, True, True, 1.0),
            ("weak", 1.0, -0.1, False, True, 6.0),
            ("weak", 1.5, 0.5, False, True, 5.0),
            ("strong", 0.5, -1.0, True, True, 3.0),
            ("strong", 1.0, -1.0, True, False, 12.0),
            ("strong", 1.5, -1.0, False, True, 4.0),
        ],
        columns=["input", "radius", "exponent", "echo_states", "decided", "forgotten_after"],
    )
    stretch = pd.DataFrame(
        [
            (name, radius, lag, radius * lag, 2.0 * lag)
            for name in ("none", "weak", "strong")
            for radius in (0.5, 1.0, 1.5)
            for lag in (1, echo_states.LINEAR_LAG)
        ],
        columns=["input", "radius", "lag", "stretch", "linear"],
    )
    cases = [(case, step, 0.1 * step, 0.2 * step) for case in (echo_states.BELOW, echo_states.AT) for step in (1, 3)]
    counterexamples = pd.DataFrame(cases, columns=["case", "step", "distance", "stretch"])
    parts = (stretch, exponents, counterexamples)
    tables = {name: table.assign(seed=0) for name, table in zip(echo_states.TABLES, parts, strict=True)}
    values = of(echo_states._statements(tables, 0))
    assert values["expanding_among_echo_states"] == pytest.approx(2 / 6)
    assert values["echo_states_among_contracting"] == pytest.approx(4 / 6)
    assert values["distance_though_products_vanish"] == pytest.approx(0.3)
    assert values["product_left_though_states_meet"] == pytest.approx(0.6)
    assert values["lasts_longer_near_1_weak"] == 3 and values["lasts_longer_near_1_strong"] == 4
    assert values["radius_orders_memory"] == pytest.approx(0.5)  # of ranks 2, 1, 3
    assert [values[f"echo_states_above_1_{name}"] for name in ("none", "weak", "strong")] == [1, 0, 0]
    assert values["linear_weak"] == values["linear_strong"] == 0.5


def test_readouts_of_every_radius_count_at_the_largest_penalty_and_at_the_smallest() -> None:
    readouts = pd.DataFrame(
        [
            (0.3, 1.0, 4e-14, 1.0, 1.0),
            (0.9, 1.0, 1e-14, 1.0, 1.0),
            (0.3, 1e-9, 1.0, 2.0, 3.0),
            (0.9, 1e-9, 1.0, 2.0, 5.0),
        ],
        columns=["radius", "penalty", "difference", "error_solved", "error_inverted"],
    )
    capacity = {
        "units": 10,
        "radius": [0.3, 0.9, 0.3, 0.9],
        "input_scale": [0.1, 0.1, 1, 1],
        "capacity": [2.0, 6, 4, 3],
    }
    reads = [memory.INPUTS, memory.RESERVOIR, memory.RESERVOIR]
    kinds = [f"{memory.RESERVOIR}, no bias", f"{memory.RESERVOIR}, bias"]
    suffixes = [(0.3, k, -k) for k in range(4)] + [(0.9, k, y) for k, y in enumerate([9, 5, 7, 1])]
    tables = {
        "memory_totals": pd.DataFrame(capacity),
        "memory_narma": pd.DataFrame({"reads": reads, "radius": [np.nan, 0.3, 0.9], "error": [0.6, 0.4, 0.3]}),
        "memory_products": pd.DataFrame({"reads": kinds, "explained": [0.1, 0.7]}),
        "memory_readouts": readouts,
        "memory_washout": pd.DataFrame(
            {"start": ["0", "0", "0", *["anywhere"] * 3], "washout": [0, 5, 9] * 2, "error": [3.0, 9, 2, 8, 9, 2]}
        ),
        "memory_suffixes": pd.DataFrame(suffixes, columns=["radius", "common", "distance"]),
        "memory_neighbours": pd.DataFrame({"radius": [0.9, 0.3, 0.6], "share": [0.1, 0.8, 0.5]}),
    }
    values = of(memory._statements({name: table.assign(seed=0) for name, table in tables.items()}, 0))
    assert values == pytest.approx(
        {
            "capacity_over_units": 0.6,
            "longest_memory_at_weak": 0.9,
            "longest_memory_at_strong": 0.3,
            "narma_of_inputs_over_reservoir": 2,
            "narma_best_at": 0.9,
            "product_without_bias": 0.1,
            "product_with_bias": 0.7,
            "inverse_agrees_at_large_penalty": 4e-14,
            "inverse_over_solved_at_small_penalty": 2.5,
            "without_washout_over_with_zero": 1.5,
            "without_washout_over_with_anywhere": 4,
            "longer_suffix_closer": -0.8,
            "neighbour_shares_suffix_middle": 0.5,
            "small_over_middle_radius": 1.6,
        },
        rel=1e-12,
        abs=0,
    )
