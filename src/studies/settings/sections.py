"""Base of all sections of a configuration, and the kinds of values that settings take.

Pydantic is imported by the workflow and by studies alone: the library installs without it.
"""

from collections.abc import Hashable
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import Len
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

Item = TypeVar("Item")


class Section(BaseModel):
    """Named settings of exact types; other names are errors."""

    model_config = ConfigDict(
        extra="forbid", strict=True, use_attribute_docstrings=True, frozen=True, allow_inf_nan=False
    )


class OpenSection(Section):
    """Named settings, beside which others may be given, which are checked by what they are settings of."""

    model_config = ConfigDict(extra="allow")


NOT_GIVEN: Any = Field(default=None)
"""A setting that may be left out."""


def _check_distinct(values: list[Hashable]) -> list[Hashable]:
    if len(set(values)) < len(values):
        raise PydanticCustomError("distinct", "a list without duplicates")
    return values


def _check_zero(values: list[float]) -> list[float]:
    if 0 not in values:
        raise PydanticCustomError("with_zero", "a list with 0 in it")
    return values


def _check_increasing(values: list[float]) -> list[float]:
    if values != sorted(set(values)):
        raise PydanticCustomError("increasing", "increasing")
    return values


Count = Annotated[int, Field(ge=1)]
Whole = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(gt=0, le=1)]
Fraction = Annotated[float, Field(ge=0, le=1)]
Between = Annotated[float, Field(gt=0, lt=1)]
Probability = Annotated[float, Field(ge=0, lt=1)]

Filled = Annotated[list[Item], Len(1)]
Distinct = Annotated[list[Item], AfterValidator(_check_distinct), Field(json_schema_extra={"uniqueItems": True})]
SomeDistinct = Annotated[Distinct[Item], Len(1)]
"""A list of at least one, without duplicates."""
WithZero = Annotated[
    Distinct[Item],
    AfterValidator(_check_zero),
    Field(json_schema_extra={"uniqueItems": True, "contains": {"enum": [0]}}),
]

INCREASING = AfterValidator(_check_increasing)
"""Of a list, in its annotation."""

PATTERNS = {
    r"^[a-z][a-z0-9_]*$": "small letters, digits and _, with a letter first",
    r"^([a-z][a-z0-9_]*)?$": "small letters, digits and _, with a letter first, or empty",
    r"^[a-z][a-z0-9_.]*$": "small letters, digits, _ and ., with a letter first",
    r"^[A-Za-z_][A-Za-z0-9_.]*(:[A-Za-z_][A-Za-z0-9_]*)?$": "a name, or a class of your own as package.module:Name",
    r"^([A-Za-z0-9_][A-Za-z0-9_./-]*)?$": "a folder below results/, of letters, digits, _, ., / and -, or empty",
    r"^#[0-9a-fA-F]{6}$": "a colour as #rrggbb",
}
"""Patterns of text, and what they ask for in words."""
NAME, NAME_OR_NONE, DOTTED_NAME, NAME_OR_CLASS, FOLDER_OR_NONE, COLOUR = PATTERNS

Name = Annotated[str, Field(pattern=NAME, max_length=64)]
NameOrNone = Annotated[str, Field(pattern=NAME_OR_NONE, max_length=64)]
DottedName = Annotated[str, Field(pattern=DOTTED_NAME, max_length=64)]
NameOrClass = Annotated[str, Field(pattern=NAME_OR_CLASS)]
FolderOrNone = Annotated[str, Field(pattern=FOLDER_OR_NONE, max_length=200)]
Colour = Annotated[str, Field(pattern=COLOUR)]

Draw = Literal["xavier", "kaiming", "linear", "units", "hundredth"]
SmallDraw = Literal["linear", "units", "small", "zeros"]
Distribution = Literal["normal", "uniform"]
