"""Device and precision in which a user's functions run; all else is on the processor, in double precision."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from learnability.core.errors import InputError, in_one_line, require_one_of
from learnability.measurement.functions import call_with_copies

PRECISIONS = {"double": torch.float64, "single": torch.float32}
"""Precisions in which a step and a readout run."""


@dataclass(frozen=True)
class Place:
    """A device and a type of numbers."""

    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    dtype: torch.dtype = torch.float64

    @classmethod
    def of(cls, device: str | torch.device, precision: str) -> "Place":
        """Place of a device, as torch names it, and a precision; `InputError` if torch has no such device here."""
        require_one_of("precision", precision, PRECISIONS)
        try:
            canonical = torch.empty(0, device=device, dtype=PRECISIONS[precision]).device
        except Exception as error:
            rule = f"a device that torch has here, in {precision} precision"
            reason = in_one_line(error).split(". ")[0].rstrip(".")  # torch lists all that it was not compiled with
            raise InputError(f"'device' must be {rule}. Got {device!r}: {reason}.") from error
        return cls(canonical, PRECISIONS[precision])

    @property
    def name(self) -> str:
        """Name of the type of numbers, "float64" or "float32"."""
        return str(self.dtype).removeprefix("torch.")

    def take(self, tensors: Any) -> Any:
        """A tensor, or tensors by name, on the device and in the precision."""
        if isinstance(tensors, dict):
            return {name: tensor.to(self.device, self.dtype) for name, tensor in tensors.items()}
        return tensors.to(self.device, self.dtype)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Outcome of a function that runs at this place, on the processor and in double precision."""
        outcome = call_with_copies(function, *map(self.take, arguments))
        return outcome.to("cpu", torch.float64)

    @contextmanager
    def by_default(self) -> Iterator[None]:
        """Make tensors without a type or a device, first states of zeros, say, of this type and on this device."""
        before = torch.get_default_dtype()
        torch.set_default_dtype(self.dtype)
        try:
            with self.device:
                yield
        finally:
            torch.set_default_dtype(before)


PROCESSOR = Place()
"""The place by default: the processor, in double precision."""
