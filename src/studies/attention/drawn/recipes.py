"""Marks of networks by their recipe: filled by public code, hollow as printed."""

from matplotlib.lines import Line2D

from studies.attention.trained_tables import PRINTED

BY_CODE = Line2D([], [], color="k", marker="o", linestyle="", label="recipe of public code")
AS_PRINTED = Line2D([], [], color="k", marker="o", linestyle="", markerfacecolor="w", label="recipe as printed")


def face(recipe: str, colour: str) -> str:
    """Colour inside a mark: white for networks trained as printed."""
    return "w" if recipe == PRINTED else colour
