"""A step to first order for a cell that says nothing but its step: J_t and ⟨B_t, w⟩ by torch's differentiation."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor
from torch.func import jacrev, jvp, vjp, vmap

from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters
from learnability.core.errors import require


@runtime_checkable
class Stepping(Protocol):
    """What is differentiated: see `learnability.cells.Cell`."""

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor: ...

    def output(self, state: Tensor) -> Tensor: ...

    def retained(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None: ...


@dataclass(frozen=True)
class AutomaticLinearization(Linearization):
    """A step to first order by automatic differentiation, at points over any leading dimensions."""

    cell: Stepping
    parameters: Parameters
    state: Float[Tensor, "... state"]
    inputs: Float[Tensor, "... input"]

    def split(self) -> JacobianSplit:
        jacobian = self._jacobian()
        retention = torch.diag_embed(self._retention(jacobian))
        return JacobianSplit(retention, jacobian - retention)

    def diagonals(self) -> Diagonals:
        jacobian = self._jacobian()
        hidden = self.cell.output(self.state).shape[-1]
        of_units = jacobian.shape[-1] == hidden
        require(of_units, "state", f"the {hidden} hidden units, unless the cell has a linearize", jacobian.shape[-1])
        retention = self._retention(jacobian)
        return Diagonals(retention, jacobian.diagonal(dim1=-2, dim2=-1) - retention)

    def along_state(self, vector: Tensor) -> Tensor:
        state, inputs, tangent = self._rows(self.state, self.inputs, vector)
        product = jvp(lambda s: self.cell.step(self.parameters, s, inputs), (state,), (tangent,))[1]
        return product.view(vector.shape)

    def along_parameters(self, direction: Parameters) -> Tensor:
        state, inputs = self._rows(self.state, self.inputs)
        own = {name: p for name, p in self.parameters.items() if name in direction}  # a readout's are not the cell's
        along = {name: direction[name] for name in own}
        product = jvp(lambda p: self.cell.step(self.parameters | p, state, inputs), (own,), (along,))[1]
        return product.view(self.state.shape)

    def pull_back(self, covector: Tensor) -> Tensor:
        state, inputs, cotangent = self._rows(self.state, self.inputs, covector)
        back = vjp(lambda s: self.cell.step(self.parameters, s, inputs), state)[1]
        return back(cotangent)[0].view(covector.shape)

    def gradient(self, covector: Tensor) -> Parameters:
        leading, time = covector.shape[:-2], covector.shape[-2]

        def one(state: Tensor, inputs: Tensor, cotangent: Tensor) -> Parameters:
            back = vjp(lambda p: self.cell.step(p, state, inputs), self.parameters)[1]
            return back(cotangent)[0]

        points = [
            each.expand(*leading, time, -1).reshape(-1, time, each.shape[-1])
            for each in (self.state, self.inputs, covector)
        ]
        found = vmap(one)(*points)
        return {name: each.view(*leading, *each.shape[1:]) for name, each in found.items()}

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        state, inputs, tangent = self._rows(self.state, self.inputs, vector)
        product = jvp(lambda x: self.cell.step(self.parameters, state, x), (inputs,), (tangent,))[1]
        return product.view(*vector.shape[:-1], -1)

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        state, inputs, cotangent = self._rows(self.state, self.inputs, covector)
        back = vjp(lambda x: self.cell.step(self.parameters, state, x), inputs)[1]
        return back(cotangent)[0].view(*covector.shape[:-1], -1)

    def _jacobian(self) -> Float[Tensor, "... state state"]:
        state, inputs = self._rows(self.state, self.inputs)

        def one(s: Tensor, x: Tensor) -> Tensor:
            return self.cell.step(self.parameters, s[None], x[None])[0]

        return vmap(jacrev(one))(state, inputs).view(*self.state.shape, -1)

    def _retention(self, jacobian: Tensor) -> Tensor:
        state, inputs = self._rows(self.state, self.inputs)
        retained = self.cell.retained(self.parameters, state, inputs)
        return jacobian.diagonal(dim1=-2, dim2=-1) if retained is None else retained.view(self.state.shape)

    @staticmethod
    def _rows(*tensors: Tensor) -> list[Tensor]:
        """Points as rows, as a step takes them; where one has more points than another, the latter is repeated."""
        leading = torch.broadcast_shapes(*(tensor.shape[:-1] for tensor in tensors))
        return [tensor.expand(*leading, -1).reshape(-1, tensor.shape[-1]) for tensor in tensors]
