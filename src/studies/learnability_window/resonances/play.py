"""Eigenvalues of the mean Jacobian in the unit disc, and the loss, at the epoch that a reader chooses."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from learnability.report.pages.play import CHOSEN, GRID, OTHERS, Play, inline, menu, slider, with_controls

WIDTH = 280
"""Width of the disc, pixels; a phone has room for it."""
PLACE = {"x": "datum.modulus * cos(2 * PI * datum.frequency)", "y": "datum.modulus * sin(2 * PI * datum.frequency)"}
"""Vega expressions of the real and imaginary part of an eigenvalue."""


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Play of `resonances`, `harmonics` and `learning_curve` of the first seed; half a disc has all eigenvalues."""
    seeds = tables["resonances"].groupby("architecture")["seed"].nunique()
    several = seeds.index[seeds >= min(2, seeds.max())]  # without variants of one seed, if there are others
    spectra = tables["resonances"][tables["resonances"]["architecture"].isin(several)]
    seed, period = spectra["seed"].min(), int(tables["harmonics"]["period"].iloc[0])
    spectra, curve = (
        table[(table["seed"] == seed) & (table["optimizer"] == "adamw") & table["architecture"].isin(several)]
        for table in (spectra, tables["learning_curve"])
    )
    epochs = sorted(spectra["epoch"].unique().tolist())
    epoch = slider("epoch", "Epoch", epochs, epochs[0])
    names = spectra["architecture"].unique().tolist()
    network = menu("architecture", "Network", {name: labels.get(name, name) for name in names})
    points = alt.Chart(inline(spectra[["architecture", "epoch", "frequency", "modulus", "harmonic"]]))
    for choice in (epoch, network):
        points = points.transform_filter(choice.test)
    points = points.transform_calculate(**PLACE).transform_filter("datum.modulus > 0")
    square = alt.Scale(domain=[-1.05, 1.05], nice=False)
    half = alt.Scale(domain=[0, 1.05], nice=False)
    is_harmonic = "isValid(datum.harmonic)"
    disc = alt.layer(
        *_spokes(period),
        points.mark_point(filled=True, size=35, opacity=1).encode(
            x=alt.X("x:Q", title="real part", scale=square, axis=alt.Axis(grid=False)),
            y=alt.Y("y:Q", title="imaginary part", scale=half, axis=alt.Axis(grid=False)),
            color=alt.condition(is_harmonic, alt.value(CHOSEN), alt.value(OTHERS)),
        ),
    ).properties(width=WIDTH, height=WIDTH // 2)
    losses = alt.Chart(inline(curve.loc[curve["epoch"].isin(epochs), ["architecture", "epoch", "validation_loss"]]))
    losses = losses.transform_filter(network.test).encode(
        x=alt.X("epoch:Q", scale=alt.Scale(type="symlog", constant=1), axis=alt.Axis(values=epochs)),
        y=alt.Y("validation_loss:Q", title="validation loss"),
    )
    current = losses.transform_filter(epoch.test)
    loss = alt.layer(
        losses.mark_line(color=OTHERS, strokeWidth=1, point=alt.OverlayMarkDef(color=OTHERS)),
        current.mark_point(filled=True, size=70, color=CHOSEN, opacity=1),
    ).properties(width=WIDTH, height=WIDTH // 3)
    return Play(
        f"Move the slider to train a network, and see its eigenvalues move to the {period} spokes as its loss "
        f"falls. Blue eigenvalues lie at a harmonic of the lags and last; the network is of seed {seed}.",
        with_controls(alt.vconcat(disc, loss), [epoch, network]),
    )


def _spokes(period: int) -> list[alt.Chart]:
    """The upper half of the unit circle, and a line to each of its points at a harmonic of the lags."""
    turn = alt.Chart(alt.sequence(0, 181, as_="degree"))
    circle = turn.transform_calculate(x="cos(PI * datum.degree / 180)", y="sin(PI * datum.degree / 180)")
    turn = alt.Chart(alt.sequence(0, period // 2 + 1, as_="harmonic"))
    at = f"2 * PI * datum.harmonic / {period}"
    spokes = turn.transform_calculate(x=f"cos({at})", y=f"sin({at})", middle="0")
    line: dict[str, Any] = {"color": GRID, "strokeWidth": 1}
    return [
        circle.mark_line(**line).encode(x="x:Q", y="y:Q", order="degree:Q"),
        spokes.mark_rule(**line).encode(x="middle:Q", y="middle:Q", x2="x:Q", y2="y:Q"),
    ]
