"""Work repeated thousands of times on the same tensors: called as it is, or on CUDA replayed as one graph."""

from collections.abc import Callable
from typing import Generic, TypeVar

import torch

T = TypeVar("T")

WARM_UP = 3
"""Calls before capture: libraries choose their kernels, optimisers make their state."""


class Captured(Generic[T]):
    """A function without arguments; on CUDA its kernels are captured in a graph and launched together from then on.

    Each call does the work once: the first `WARM_UP` run the function on a side stream, the next captures it, and that
    and all later ones replay. The function must not wait for the device, and what it reads must stay at its address:
    tensors changed in place, never replaced. A replay returns the tensors of the capture, filled again.

    Only CUDA can capture; on the CPU each call is the function's own.

    Args:
        function: the work.
        device: `cpu` or `cuda`.
    """

    def __init__(self, function: Callable[[], T], device: str) -> None:
        self._function = function
        self._calls = 0
        self._on_cuda = device == "cuda"

    def __call__(self) -> T:
        """Do the work once."""
        if not self._on_cuda:
            return self._function()
        self._calls += 1
        if self._calls <= WARM_UP:
            return self._warm_up()
        if self._calls == WARM_UP + 1:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._result = self._function()
        self._graph.replay()
        return self._result

    def _warm_up(self) -> T:
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            result = self._function()
        torch.cuda.current_stream().wait_stream(stream)
        return result
