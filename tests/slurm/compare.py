"""Run a preset through the Slurm of this machine, and compare what it leaves with a local run.

    PYTHONPATH=src python -m tests.slurm.compare FOLDER --configfile config/quick.yaml --locally OTHER

FOLDER takes a copy of the project; OTHER is a copy that has run, such as `undisturbed` of `tests.workflow.kills`.
"""

import argparse
import tempfile
from pathlib import Path

from tests.workflow.conftest import Project
from tests.workflow.kills import compare, preset

from .cluster import slurm
from .conftest import finish, submit


def main() -> None:
    """Print the number of submissions, and of files that are the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--configfile", nargs="+", type=Path, required=True)
    parser.add_argument("--locally", type=Path, required=True)
    arguments = parser.parse_args()
    project = Project(arguments.folder, preset(arguments.configfile))
    with tempfile.TemporaryDirectory(prefix="slurm") as folder, slurm(Path(folder)):
        output = finish(submit(project.folder), timeout=None)
    print(f"{output.count('has been submitted with SLURM jobid')} submissions.")
    compare(project.folder, arguments.locally)


if __name__ == "__main__":
    main()
