"""Functions that must map rows to rows, one for each sequence: how they are called and what they must not do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from learnability.cells import Parameters
from learnability.core.errors import InputError, in_one_line, require
from learnability.measurement.functions import almost_equal, call_with_copies, same_random_numbers, says_types
from learnability.measurement.place import Place

FULLY_CHECKED = 2
"""Steps at which each function runs four times; later it runs once, and again for some sequences."""
SOME_SEQUENCES = 16
"""About so many sequences have a function run again, others at each step."""


@dataclass(frozen=True)
class RowMap:
    """A function that must map each row on its own, without chance and without memory.

    Args:
        name: of the function, for errors.
        place: where it runs.
        size: numbers that it gives for a row; 0: it gives one number, without an axis.
        parameters: θ at that place, if the function takes them before the rows.
    """

    name: str
    function: Callable[..., object]
    place: Place
    size: int
    parameters: Parameters | None = None

    def __call__(self, rows: Mapping[str, Tensor], t: int) -> Tensor:
        """Outcome at step t of rows by name; `InputError` unless it is one finite tensor that rows alone decide."""
        full, even, odd = slice(None), slice(0, None, 2), slice(1, None, 2)
        with same_random_numbers():
            outcome = self._outcome(rows, full, t)
        if t > FULLY_CHECKED:
            stride = max(2, len(outcome) // SOME_SEQUENCES)
            sample = slice(t % stride, None, stride)
            try:  # a function that draws at random, or remembers, differs here too; the calls below tell which
                if almost_equal(outcome[sample], self._outcome(rows, sample, t)):
                    return outcome
            except InputError:
                pass
        with same_random_numbers():
            again = self._outcome(rows, full, t)
        if not almost_equal(outcome, again):
            raise InputError(
                f"'{self.name}' must give the same twice, but it keeps something from call to call: all that it keeps "
                f"belongs in the state, which it takes and gives (buffers through torch.func.functional_call). "
                f"Got another at t = {t}."
            )
        if not almost_equal(outcome, self._outcome(rows, full, t)):
            raise InputError(
                f"'{self.name}' must give the same twice (module.eval() ends dropout). Got another at t = {t}."
            )
        if not all(almost_equal(outcome[part], self._outcome(rows, part, t)) for part in (even, odd)):
            raise InputError(
                f"'{self.name}' must take each sequence on its own (module.eval() ends batch statistics). "
                f"Got others without every second sequence, at t = {t}."
            )
        return outcome

    def _outcome(self, rows: Mapping[str, Tensor], index: slice, t: int) -> Tensor:
        """Outcome of some rows; `InputError` unless it is one finite tensor of the right shape and type."""
        selection = {label: self.place.take(tensor[index]) for label, tensor in rows.items()}
        outcome = self._call(selection)
        if not isinstance(outcome, Tensor):
            kind = type(outcome).__name__
            raise InputError(
                f"'{self.name}' must give one tensor (torch.cat joins several into one state). Got a {kind}."
            )
        count = len(selection["state"])
        expected, axes = ((count, self.size), "(sequence, state_size)") if self.size else ((count,), "(sequence,)")
        require(tuple(outcome.shape) == expected, self.name, f"a map to {axes} = {expected}", tuple(outcome.shape))
        way = "torch.view_as_real(state).flatten(1)" if outcome.is_complex() else "module.double()"
        require(outcome.dtype == self.place.dtype, self.name, f"a map to {self.place.name} ({way})", outcome.dtype)
        if not torch.isfinite(outcome).all():
            raise InputError(f"'{self.name}' must give finite numbers. Got others at t = {t}.")
        return outcome.to("cpu", torch.float64)

    def _call(self, rows: Mapping[str, Tensor]) -> object:
        parameters = [] if self.parameters is None else [self.parameters]
        try:
            return call_with_copies(self.function, *parameters, *rows.values())
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            took = ", ".join(f"{label} {tuple(tensor.shape)}" for label, tensor in rows.items())
            single = ", or set precision='single'" if self.place.dtype == torch.float64 else ""
            hint = f" (convert its weights to {self.place.name}{single})" if says_types(error) else ""
            if self.parameters is not None and isinstance(error, TypeError):
                hint = " as (parameters, state, input)"
                if isinstance(getattr(self.function, "__self__", None), nn.Module):
                    hint += ", and a method of a module does not: give a module whose `forward(x, state)` calls it"
            raise InputError(
                f"'{self.name}' must take {self.place.name} {took}{hint}. Got {in_one_line(error)}"
            ) from error
