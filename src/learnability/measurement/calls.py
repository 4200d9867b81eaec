"""Calls of a module for one step, whichever form of x it takes, with parameters that are given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn
from torch.func import functional_call

from learnability.measurement.states import describe, is_state, map_tensors


class Refused(Exception):
    """Description of what a module gave where a state was expected."""


class Failed(Refused):
    """Error of a module's call, in one line."""


class Stateless(Refused):
    """Description of outputs that a module of whole sequences gave without a state."""


@dataclass(frozen=True)
class Call:
    """A call of a module for one step.

    Args:
        of_sequences: True if x is (sequence, time, input), of one step, rather than (sequence, input).
        axes: place of the sequences in each tensor of the state of a module of whole sequences; by default the first.
    """

    module: nn.Module
    of_sequences: bool = False
    axes: Sequence[int] = ()

    def __call__(self, parameters: Mapping[str, Tensor], x: Float[Tensor, "sequence *input"], *state: Any) -> Any:
        """Outcome of the module; for a module of whole sequences without the axis of time, sequences first."""
        if not self.of_sequences:
            return _call_with(self.module, parameters, x, *state)
        outputs, after = self.over_time(parameters, x.unsqueeze(1), *state)
        return outputs[:, 0], self._move_axes(after, lambda tensor, axis: tensor.movedim(axis, 0))

    def over_time(
        self, parameters: Mapping[str, Tensor], x: Float[Tensor, "sequence time *input"], *state: Any
    ) -> tuple[Tensor, Any]:
        """Outputs and next state of a module of whole sequences, in the module's own axes."""
        arguments = [
            self._move_axes(argument, lambda part, axis: part.movedim(0, axis).contiguous()) for argument in state
        ]
        outcome = _call_with(self.module, parameters, x, *arguments)
        if isinstance(outcome, Tensor) and outcome.shape[:2] == x.shape[:2]:
            raise Stateless(describe(outcome))
        is_pair = isinstance(outcome, (tuple, list)) and len(outcome) == 2 and isinstance(outcome[0], Tensor)
        if not is_pair or outcome[0].shape[:2] != x.shape[:2] or not is_state(outcome[1]):
            raise Refused(f"{describe(outcome)}, which is no pair of outputs (sequence, time, …) and next state")
        return outcome[0], outcome[1]

    @property
    def weights(self) -> dict[str, Tensor]:
        """The module's own parameters."""
        return dict(self.module.named_parameters())

    def _move_axes(self, state: Any, move: Callable[[Tensor, int], Tensor]) -> Any:
        """A state with the axis of sequences of each tensor in another place."""
        if state is None:
            return None
        axes = iter(self.axes)
        return map_tensors(lambda tensor: move(tensor, next(axes, 0)), state)


def _call_with(module: nn.Module, parameters: Mapping[str, Tensor], *arguments: Any) -> Any:
    """Outcome of a module with other parameters, also where it holds them in dicts and lists."""
    replacements = {
        id(parameter): parameters[name] for name, parameter in module.named_parameters() if name in parameters
    }
    put_back: list[tuple[Any, Any, Tensor]] = []
    for part in module.modules():
        for name, container in vars(part).items():
            if name in ("_parameters", "_buffers", "_modules") or not isinstance(container, (dict, list)):
                continue
            for key, parameter in list(container.items() if isinstance(container, dict) else enumerate(container)):
                if isinstance(parameter, nn.Parameter) and id(parameter) in replacements:
                    put_back.append((container, key, parameter))
                    container[key] = replacements[id(parameter)]
    try:
        return functional_call(module, dict(parameters), arguments)
    finally:
        for container, key, parameter in put_back:
            container[key] = parameter
