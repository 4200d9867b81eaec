"""Figures of the theory render from their tables, with what the tables say in the headline."""

import pytest

from attention_evidence import draw_of
from drawn import generator
from learnability.report.findings import number
from learnability.report.style import Style, write_figure
from studies.attention.theory import parameters, paths, sparse, sums, uniform

TABLES = {
    "theory_paths": lambda: paths.compute(generator()),
    "theory_sums": lambda: sums.compute(generator()),
    "theory_exponents": lambda: {"exponents": uniform.exponent_table(2000)},
    "theory_lemmas": lambda: sums.compute(generator()) | parameters.compute(generator()),
    "theory_sparse": lambda: sparse.compute(generator()),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_figure_of_the_theory_renders(name, tmp_path):
    style = Style((), {}, {}, width_mm=175, font_size=7)
    figure = draw_of(name)({f"theory_{table}": rows for table, rows in TABLES[name]().items()}, style)
    write_figure(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 5000
    assert figure.get_figwidth() == pytest.approx(175 / 25.4)
    assert figure.get_suptitle()
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes if ax.get_label() != "<colorbar>")


def test_a_panel_has_the_largest_error_of_the_sum_over_paths_of_its_network():
    """Alone it can catch an error that is not relative, or of another form of the derivative."""
    table = paths.compute(generator())["paths"]
    figure = draw_of("theory_paths")({"theory_paths": table}, Style((), {}, {}, width_mm=175, font_size=7))
    networks = table["network"].unique()
    for ax, network in zip(figure.axes, networks, strict=True):
        rows = [row for row in table.to_dict("records") if row["network"] == network]
        largest = number(max(row["by_paths"] / row["total"] for row in rows)).replace(" ", "\N{NO-BREAK SPACE}")
        assert [text.get_text() for text in ax.texts] == [f"relative error of\nthe sum over paths:\nat most {largest}"]
