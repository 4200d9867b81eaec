"""Figures of the theory render from their tables, with what the tables say in the headline."""

from importlib import import_module

import pytest

from drawn import generator
from learnability.report.style import Style, write_figure
from studies.attention.theory import paths, sparse, sums, uniform

TABLES = {
    "theory_paths": lambda: paths.compute(generator()),
    "theory_sums": lambda: sums.compute(generator()),
    "theory_exponents": lambda: {"exponents": uniform.exponent_table(2000)},
    "theory_sparse": lambda: sparse.compute(generator()),
}
SAID = {
    "theory_paths": "the derivative, to ",
    "theory_sums": "is 300,000 times the whole",
    "theory_exponents": "fails outside the solid circle",
    "theory_sparse": "down to 0.02 of",
}


@pytest.mark.parametrize("name", TABLES)
def test_a_figure_of_the_theory_renders(name, tmp_path):
    style = Style((), {}, {}, width_mm=85, font_size=7)
    figure = import_module(f"studies.attention.figures.{name}").draw(TABLES[name](), style)
    write_figure(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 5000
    assert figure.get_figwidth() == pytest.approx(85 / 25.4)
    assert SAID[name] in " ".join(figure.get_suptitle().split())
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes if ax.get_label() != "<colorbar>")
