"""Another workflow takes this one for a module of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from .conftest import RESULTS, Project

FIGURE = RESULTS / "gradient_step" / "figures" / "figure_01.png"
OUTER = """
configfile: "{project}/config/config.yaml"
configfile: "own.yaml"

module windows:
    snakefile: "{project}/workflow/Snakefile"
    config: config

use rule * from windows as windows_*

rule copy_figure:
    default_target: True
    input: "{figure}"
    output: "copy.png"
    shell: "cp {{input}} {{output}}"
"""


def test_another_workflow_gets_a_figure(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any], full: dict[str, Any], tmp_path: Path
) -> None:
    project = new_project(full)
    roles = miniature["architecture_groups"]["main"]
    own = miniature | {"runs": {"adamw": ["diag_gate"], "sgd": [], "sgd_momentum": []}}
    own["architecture_groups"] = {"main": dict.fromkeys(roles, "diag_gate")}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(own))
    (tmp_path / "Snakefile").write_text(OUTER.format(project=project.folder, figure=FIGURE))
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "copy.png").read_bytes() == (tmp_path / FIGURE).read_bytes()
    assert not (project.folder / "results").exists()
