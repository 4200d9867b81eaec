"""Appearance of figures, and the architectures that they show."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import NOT_GIVEN, Colour, Section


class ArchitectureGroup(Section):
    """Architectures in the paper's three roles."""

    const_gate: str
    """The architecture in the role of ConstGate."""
    shared_gate: str
    """The architecture in the role of SharedGate."""
    diag_gate: str
    """The architecture in the role of DiagGate."""
    lstm: str = NOT_GIVEN
    """Stands beside them in figures."""
    gru: str = NOT_GIVEN
    """Stands beside them in figures."""


class Figures(Section):
    """Appearance of figures; a change redraws figures and nothing else."""

    width_mm: Annotated[float, Field(ge=40, le=400)]
    """Width of a figure, mm (a page)."""
    font_size: Annotated[float, Field(ge=7, le=24)]
    """Size of all text, pt."""
    colours: dict[str, Colour]
    """Architecture id → colour, as `#rrggbb`."""
    labels: dict[str, str]
    """Architecture id → its name in figures and tables: a line of text, shown as it is in each of them, without
    mathematics or markup."""
