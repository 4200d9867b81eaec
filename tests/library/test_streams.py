import itertools

import numpy as np
import pytest

from learnability.core.streams import numpy_generator, seed_sequence

NAMES = [
    (),
    ("inputs",),
    ("noise",),
    ("training", "inputs"),
    ("training", "noise"),
    ("inputs", "training"),
    ("order", 1),
]
KEYS = [(root_seed, seed, *names) for root_seed in (1, 2) for seed in (0, 1, 2) for names in NAMES]


def test_a_name_gives_the_same_stream_again():
    for key in KEYS:
        assert (numpy_generator(*key).random(5) == numpy_generator(*key).random(5)).all()


def test_studies_seeds_and_names_have_streams_of_their_own():
    sequences = [seed_sequence(*key) for key in KEYS]
    assert len({(s.entropy, s.spawn_key) for s in sequences}) == len(KEYS)
    assert len({tuple(s.generate_state(8)) for s in sequences}) == len(KEYS)
    assert len({numpy_generator(*key).random(8).tobytes() for key in KEYS}) == len(KEYS)


def test_streams_are_uncorrelated():
    draws = np.stack([numpy_generator(*key).standard_normal(4000) for key in KEYS])
    correlations = np.corrcoef(draws)[np.triu_indices(len(KEYS), 1)]
    assert abs(correlations).max() < 5 / np.sqrt(4000)


def test_a_run_of_epochs_never_meets_the_same_order():
    orders = [numpy_generator(1, 0, "order", epoch).permutation(20).tolist() for epoch in range(50)]
    assert all(order != other_order for order, other_order in itertools.combinations(orders, 2))


def test_streams_stay_what_they_are():
    # Results are reproducible only as long as these hold.
    assert numpy_generator(20260101, 0, "training", "inputs").integers(0, 1000, 4).tolist() == [449, 599, 406, 24]


def test_negative_seeds_are_refused():
    with pytest.raises(ValueError, match="at least 0"):
        seed_sequence(1, -1, "inputs")
