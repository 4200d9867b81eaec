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
from learnability.core.yaml_files import load_yaml
from learnability.measurement.report import check_report_path
from learnability.tasks import Sequences, read_sequences
from learnability.windows.readings import PARTS, Reading

MISTAKE = 2
"""The exit status after a mistake of the user."""
STEP_PARTS: dict[str, Any] = {"step": Callable, "parameters": Mapping, "readout": Callable, "state_size": Integral}
"""Parts that a `build` function returns for a step that is a function."""
KINDS: dict[Any, str] = {bool: "a truth value", str: "text", int: "an integer", float: "a number"}
"""Kinds of a reading's options; any other option is a list of integers."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say, those of the process by default.

    Returns:
        The exit status: 0, 2 after a mistake of the user, 1 if a file could not be written. Each ends in one line.
    """
    args = _parser().parse_args(arguments)
    try:
        write_measured(args)
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
        "model", metavar="MODEL.py:FUNCTION", help=f"function that gives (module, readout) or ({', '.join(STEP_PARTS)})"
    )
    command.add_argument("--data", required=True, metavar="FILE.nc", help="inputs and targets of fresh sequences")
    lags_help = "in steps, increasing (default: 1, 2, 4, … as far as the steps go)"
    command.add_argument("--lags", type=int, nargs="+", metavar="LAG", help=lags_help)
    command.add_argument("--sequences", type=int, metavar="N", help="take the first N of the file (default: all)")
    command.add_argument(
        "--reading",
        metavar="FILE.yaml",
        help="options of `statistic`, `noise` and `detection` (default: each lag along its own gradient)",
    )
    command.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="report the progress of long work on standard error (default: on a terminal)",
    )
    command.add_argument("--device", default="cpu", help="where the model runs, as torch names it (default: cpu)")
    command.add_argument(
        "--precision",
        choices=("double", "single"),
        default="double",
        help="precision of the model (default: double)",
    )
    command.add_argument(
        "--first-order",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="measure first-order transport beside exact (default: yes); without it half the time",
    )
    command.add_argument("--report", metavar="FILE", help="also write a report, .md or .html, with the figure in it")
    command.add_argument("--out", required=True, metavar="FOLDER", help="where tables and figure go")
    return parser


def write_measured(args: argparse.Namespace) -> None:
    """Write the tables of `Measured`, `by_lag.csv` of `to_dataframe` and `measured.png` of `plot`; print `summary`.

    Args:
        args: arguments of `measure`, as the parser describes them.

    Raises:
        InputError: before the work, for files, functions or values that are not what they must be.
        WritingFailed: for a file that could not be written.
    """
    folder = Path(args.out)
    _require_writable("--out", folder)
    if args.report is not None:
        target = check_report_path("--report", args.report)
        require(not target.is_dir(), "--report", "a file", args.report)
        _require_writable("--report", target.parent)
    options = {name: getattr(args, name) for name in ("lags", "progress", "device", "precision", "first_order")}
    options |= {} if args.reading is None else {"reading": read_reading(args.reading)}
    inputs, targets, options["mask"] = _take(read_sequences(args.data), args.sequences)
    parts = build_model(args.model)
    # torch takes seconds: after what is refused at once
    from learnability.measurement.model import measure_model

    if len(parts) == 2:
        module, readout = parts
        result = measure_model(module, inputs, targets, readout=readout, **options)
    else:
        step, parameters, readout, state_size = parts
        result = measure_model(step, parameters, readout, inputs, targets, state_size=state_size, **options)
    figure = result.plot()
    from learnability.report.style import write_figure

    for name, table in result._asdict().items():
        write_table(table, folder / f"{name}.csv")
    write_table(result.to_dataframe(), folder / "by_lag.csv")
    write_figure(figure, folder / "measured.png")
    if args.report is not None:
        result.report(args.report, title=f"Learnability window of {args.model}")
    print(result.summary())


def _require_writable(name: str, folder: Path) -> None:
    """Raise `InputError` unless it is a folder, or can become one."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if os.path.lexists(place))
    kind = "a folder" if name == "--out" else "in a folder"
    require(nearest.is_dir(), name, kind, str(folder))
    require(os.access(nearest, os.W_OK), name, f"{kind} that may be written to", str(folder))


def _take(data: Sequences, count: int | None) -> tuple[Any, Any, Any]:
    """Inputs, targets and mask of the first sequences, or `InputError` for too many; None where all targets count."""
    inputs, targets, mask, _ = data
    require(count is None or 1 <= count <= len(inputs), "--sequences", f"in [1, {len(inputs)}]", count)
    return inputs[:count], targets[:count], None if mask is None or mask[:count].all() else mask[:count]


def build_model(model: str) -> tuple[Any, ...]:
    """Outcome of the function in `FILE.py:FUNCTION`, called without arguments; the file may import its neighbours.

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
        parts = build()  # type: ignore[misc]
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # a script may end the process where it expects to be one
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        place = f", line {lines[-1]}" if lines else ""
        raise InputError(f"'{model}' must run. Got {in_one_line(error)}{place}.") from error
    kinds = tuple(type(part).__name__ for part in parts) if isinstance(parts, tuple) else type(parts).__name__
    holds = (
        isinstance(parts, tuple) and len(parts) == len(STEP_PARTS) and all(map(isinstance, parts, STEP_PARTS.values()))
    )
    holds |= isinstance(parts, tuple) and len(parts) == 2 and _is_module(parts[0])
    way = f"a function that returns a tuple of a torch.nn.Module and its readout, or of {', '.join(STEP_PARTS)}"
    require(holds, model, way, kinds)
    return parts


def _is_module(value: object) -> bool:
    """True if `value` is a `torch.nn.Module`; does not import torch."""
    return "torch" in sys.modules and isinstance(value, sys.modules["torch"].nn.Module)


def read_reading(path: str | Path) -> Reading:
    """A reading from YAML: `statistic`, `noise` and `detection`, each with options; others are as by default.

    Raises:
        InputError: for an unreadable file, an unknown option, or a value that it cannot have.
    """
    with reading(path, "a YAML file", yaml.YAMLError):
        document = load_yaml(Path(path).read_text(encoding="utf-8"))
    parts = isinstance(document, Mapping) and all(isinstance(options, Mapping) for options in document.values())
    require(parts, str(path), f"a mapping of options under {', '.join(PARTS)}", document)
    for part, options in PARTS.items():
        for field in fields(options):
            if field.name in document.get(part, {}):
                value, requirement = document[part][field.name], KINDS.get(field.type, "a list of integers")
                require(_is(value, field.type), f"{part}.{field.name} of {path}", requirement, value)
    return Reading.of(document, {})


def _is(value: object, kind: object) -> bool:
    """True if a value of YAML is of the kind of an option."""
    if kind in KINDS:
        return type(value) in ((int, float) if kind is float else (kind,))
    return isinstance(value, list) and all(_is(item, int) for item in value)
