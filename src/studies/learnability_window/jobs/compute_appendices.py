"""Statements of the paper's appendices, computed, and one of the tables as a page."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from learnability.core.streams import numpy_generator
from learnability.report.typeset import as_markdown


def make(modules: Mapping[str, str], page: str, root_seed: int) -> dict[str, Any]:
    """Tables `appendix_x.name` of each letter, and the page of the appendix whose table is `page`."""
    outputs: dict[str, Any] = {}
    for letter, name in modules.items():
        module = import_module(f"studies.learnability_window.theory.{name}")
        for table, frame in module.compute(numpy_generator(root_seed, 0, "theory", name)).items():
            outputs[f"appendix_{letter}.{table}.csv"] = frame
            if f"appendix_{letter}_{table}" == page:
                outputs[f"appendix_{letter}.md"] = as_markdown(frame)
    return outputs
