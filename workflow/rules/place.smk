# Place of the project: rules import src/ and workflow/, and read config/, beside the Snakefile. Where Snakemake reads the
# Snakefile from a repository, as in `module: snakefile: github(…)`, these come out of it into Snakemake's cache.

import os
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path


def repository_of(source):
    """Git database of a source file, or None where it is no file of one."""
    if hasattr(source, "repo_path"):  # gitfile(…)
        return source.repo_path
    return source.hosted_repo.repo_clone if hasattr(source, "host") else None  # github(…), gitlab(…)


def unpack(source):
    """Folder with the project's code and configuration, as of the commit of a source file, from its repository."""
    from git import Repo

    repository = Repo(repository_of(source))
    commit = repository.commit(source.ref).hexsha
    folder = Path(workflow.sourcecache.cache_path) / "learnability" / commit
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=folder.parent))
        with tempfile.TemporaryFile() as archive:
            repository.archive(archive, commit, path=["src", "workflow", "config", "envs"])
            archive.seek(0)
            with tarfile.open(fileobj=archive) as files:
                files.extractall(staging, filter="data")
        try:
            staging.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(staging)
    return folder


def find_project(source):
    """Root of the project that a folder of rules is of."""
    if repository_of(source) is not None:
        return unpack(source)
    root = Path(source.get_path_or_uri(secret_free=True)).parents[1]
    if not (root / "src").is_dir():
        sys.exit(
            f"Configuration: rules import src/, so the Snakefile must be in a clone. Got '{root}/workflow/Snakefile'."
        )
    return root


ROOT = find_project(workflow.current_basedir)
WORKFLOW = ROOT / "workflow"
IS_MODULE = not workflow.modifier.is_main_snakefile()
sys.path[:0] = [str(WORKFLOW), str(ROOT / "src")]

from learnability.core.errors import InputError


def or_exit(ask, *arguments):
    """The answer of `ask`; where it raises an `InputError`, the run ends with that line."""
    try:
        return ask(*arguments)
    except InputError as error:
        sys.exit(f"Configuration: {error}")
