"""The command `learnability`: measure a model of your own from a shell.

    learnability measure model.py:build --data sequences.nc --lags 1 2 4 8 --out measured

`build()` in model.py gives (module, readout) or (step, parameters, readout, state_size), for
`learnability.measure_model`.
"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from numbers import Integral
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

import yaml

from learnability.core.errors import InputError, LearnabilityError, in_one_line, require
from learnability.core.store import reading, write_table
from learnability.own_report import check_report_path
from learnability.tasks import Sequences, read_sequences
from learnability.windows.readings import PARTS, Reading

MISTAKE = 2
"""The exit status after a mistake of the user."""
BUILT: dict[str, Any] = {"step": Callable, "parameters": Mapping, "readout": Callable, "state_size": Integral}
"""What `build` gives, if not a module and its readout."""
KINDS: dict[Any, str] = {bool: "a truth value", str: "text", int: "an integer", float: "a number"}
"""Of the options of a reading; what is none of them is a list of integers."""


class Parser(argparse.ArgumentParser):
    """Ends in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say, those of the process by default.

    Returns:
        The exit status: 0, 2 after a mistake of the user, 1 if a file could not be written. Each ends in one line.
    """
    given = _parser().parse_args(arguments)
    try:
        options = given.sequences, given.reading, given.progress, given.report, given.device, given.precision
        write_measured(given.model, given.data, given.lags, given.out, *options)
    except LearnabilityError as error:
        print(f"learnability: {' '.join(str(error).split())}", file=sys.stderr)
        return MISTAKE if isinstance(error, InputError) else error.status
    return 0


def _parser() -> Parser:
    parser = Parser(prog="learnability", description="Learnability windows of recurrent models.")
    command = parser.add_subparsers(required=True, title="commands", metavar="COMMAND").add_parser(
        "measure",
        help="measure a model of your own",
        description="Measure a recurrent model of your own: tables as CSV, and a figure.",
    )
    command.add_argument(
        "model", metavar="MODEL.py:FUNCTION", help=f"function that gives (module, readout) or ({', '.join(BUILT)})"
    )
    command.add_argument("--data", required=True, metavar="FILE.nc", help="inputs and targets of fresh sequences")
    command.add_argument("--lags", required=True, type=int, nargs="+", metavar="LAG", help="in steps, increasing")
    command.add_argument("--sequences", type=int, metavar="N", help="take the first N of the file (default: all)")
    command.add_argument(
        "--reading",
        metavar="FILE.yaml",
        help="options of `statistic`, `noise` and `detection` (default: each lag along its own gradient)",
    )
    command.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="say on standard error how far long work is (default: on a terminal)",
    )
    command.add_argument("--device", default="cpu", help="where the model runs, as torch names it (default: cpu)")
    command.add_argument(
        "--precision", choices=("double", "single"), default="double", help="in which it runs (default: double)"
    )
    command.add_argument("--report", metavar="FILE", help="also write a report, .md or .html, with the figure in it")
    command.add_argument("--out", required=True, metavar="FOLDER", help="where tables and figure go")
    return parser


def write_measured(
    model: str,
    data: str,
    lags: Sequence[int],
    out: str,
    sequences: int | None = None,
    reading: str | None = None,
    progress: bool | None = None,
    report: str | None = None,
    device: str = "cpu",
    precision: str = "double",
) -> None:
    """Write the tables of `Measured`, `by_lag.csv` of `to_dataframe` and `measured.png` of `plot`; print `summary`.

    Args:
        model: a Python file and a function in it, `model.py:build`.
        data: a file for `learnability.tasks.read_sequences`.
        out: a folder, made if there is none.
        sequences: how many of the file to take, from the first on; None: all.
        reading: a YAML file for `read_reading`; None: `learnability.own_model.OWN_GRADIENT`.
        progress: as of `learnability.measure_model`.
        report: a file for `Measured.report`, which ends in .md or .html; None: no report.
        device, precision: as of `learnability.own_model.measure_step`.

    Raises:
        InputError: before the work, for files, functions or values that are not what they must be.
        WritingFailed: for a file that could not be written.
    """
    folder = Path(out)
    _require_writable("--out", folder)
    if report is not None:
        target = check_report_path("--report", report)
        require(not target.is_dir(), "--report", "a file", report)
        _require_writable("--report", target.parent)
    options = None if reading is None else read_reading(reading)
    inputs, targets, mask = _take(read_sequences(data), sequences)
    built = build_model(model)
    # torch takes seconds: after what is refused at once
    from learnability.own_model import OWN_GRADIENT, measure_model

    asked: dict[str, Any] = {"lags": list(lags), "reading": options or OWN_GRADIENT, "progress": progress, "mask": mask}
    asked |= {"device": device, "precision": precision}
    if len(built) == 2:
        module, readout = built
        measured = measure_model(module, inputs, targets, readout=readout, **asked)
    else:
        step, parameters, readout, state_size = built
        measured = measure_model(step, parameters, readout, inputs, targets, state_size=state_size, **asked)
    figure = measured.plot()
    from learnability.report.style import write_figure

    for name, table in measured._asdict().items():
        write_table(table, folder / f"{name}.csv")
    write_table(measured.to_dataframe(), folder / "by_lag.csv")
    write_figure(figure, folder / "measured.png")
    if report is not None:
        measured.report(report, title=f"Learnability window of {model}")
    print(measured.summary())


def _require_writable(name: str, folder: Path) -> None:
    """Raise `InputError` unless it is a folder, or can become one."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if os.path.lexists(place))
    kind = "a folder" if name == "--out" else "in a folder"
    require(nearest.is_dir(), name, kind, str(folder))
    require(os.access(nearest, os.W_OK), name, f"{kind} that may be written to", str(folder))


def _take(given: Sequences, count: int | None) -> tuple[Any, Any, Any]:
    """Inputs, targets and mask of the first sequences, or `InputError` for too many; None where all targets count."""
    inputs, targets, mask, _ = given
    require(count is None or 1 <= count <= len(inputs), "--sequences", f"in [1, {len(inputs)}]", count)
    return inputs[:count], targets[:count], None if mask is None or mask[:count].all() else mask[:count]


def build_model(model: str) -> tuple[Any, ...]:
    """What the function of `FILE.py:FUNCTION` gives, called without arguments; the file may import its neighbours.

    Raises:
        InputError: for a file or function that is not there or fails, or gives anything else.
    """
    file, _, name = model.rpartition(":")
    path = Path(file).absolute()
    require(path.suffix == ".py" and path.is_file(), "model", "a Python file and a function, model.py:build", model)
    spec = importlib.util.spec_from_file_location(f"model in {path.name}", path)
    assert spec is not None and spec.loader is not None  # of a file that ends in .py
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
        build = getattr(module, name, None)
        functions = ", ".join(key for key, value in vars(module).items() if callable(value) and key[0] != "_")
        require(callable(build), "model", f"a function of {file} ({functions or 'it has none'})", name)
        built = build()  # type: ignore[misc]
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # a script may end the process where it expects to be one
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        place = f", line {lines[-1]}" if lines else ""
        raise InputError(f"'{model}' must run. Got {in_one_line(error)}{place}.") from error
    kinds = tuple(type(each).__name__ for each in built) if isinstance(built, tuple) else type(built).__name__
    holds = isinstance(built, tuple) and len(built) == len(BUILT) and all(map(isinstance, built, BUILT.values()))
    holds |= isinstance(built, tuple) and len(built) == 2 and _is_module(built[0])
    way = f"a function that returns a tuple of a torch.nn.Module and its readout, or of {', '.join(BUILT)}"
    require(holds, model, way, kinds)
    return built


def _is_module(given: object) -> bool:
    """Whether it is a `torch.nn.Module`, without an import of torch."""
    return "torch" in sys.modules and isinstance(given, sys.modules["torch"].nn.Module)


def read_reading(path: str | Path) -> Reading:
    """A reading from YAML: `statistic`, `noise` and `detection`, each with options; others are as by default.

    Raises:
        InputError: for an unreadable file, an unknown option, or a value that it cannot have.
    """
    with reading(path, "a YAML file", yaml.YAMLError):
        given = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    parts = isinstance(given, Mapping) and all(isinstance(options, Mapping) for options in given.values())
    require(parts, str(path), f"a mapping of options under {', '.join(PARTS)}", given)
    for part, options in PARTS.items():
        for field in fields(options):
            if field.name in given.get(part, {}):
                value, wanted = given[part][field.name], KINDS.get(field.type, "a list of integers")
                require(_is(value, field.type), f"{part}.{field.name} of {path}", wanted, value)
    return Reading.of(given, {})


def _is(value: object, kind: object) -> bool:
    """Whether a value of YAML is one of the kind of an option."""
    if kind in KINDS:
        return type(value) in ((int, float) if kind is float else (kind,))
    return isinstance(value, list) and all(_is(each, int) for each in value)
