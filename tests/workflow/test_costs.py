"""Which tests `make check` runs."""

from costs import cheapest


def test_the_cheapest_are_those_that_fit_together() -> None:
    costs = {"a": 3.0, "b": 1.0, "c": 2.0, "d": 4.0}
    assert [cheapest(costs, seconds) for seconds in (0.5, 3, 5.9, 6, 100)] == [
        set(),
        {"b", "c"},
        {"b", "c"},
        {"a", "b", "c"},
        set(costs),
    ]
