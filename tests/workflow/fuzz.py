"""Configurations that nobody would write, each with a few settings changed at random.

    PYTHONPATH=src:workflow python -m tests.workflow.fuzz [--cases 2000] [--seed 0] [--plans 40]

draws them from the schema over the quick scale of each study. Each must be refused in one sentence, or accepted; of
those that are accepted some are planned by Snakemake, which must succeed. It prints what was refused and accepted of
each study, and ends with status 1 if anything else happened.
"""

import argparse
import math
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from configuration import check, check_study, typed
from learnability.core.errors import InputError
from learnability.core.yaml_files import load_yaml
from presets import files_below
from studies.settings import whole as settings

from .conftest import merged

ROOT = Path(__file__).parents[2]
STUDIES = {
    "learnability_window": "quick",
    "attention": "quick",
    "gated": "quick",
    "ground_truth": "full",
    "comparison": "full",
}
"""Studies, and the preset of each that is changed."""
ODD: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, 7, 64, -1, 10**6, 2**31, 10**30, 0.0, 0.5, 1.0, -0.5, 1e-300, 1e300),
    *(
        math.nan,
        math.inf,
        "",
        "1",
        "1e-3",
        "[",
        "{",
        "a: b",
        "a\nb",
        "a\0b",
        "x|y",
        "../x",
        "/etc/passwd",
        "~",
        "é",
        "*",
    ),
    *(
        "x" * 300,
        "$",
        r"\frac",
        "<b>",
        "{wildcards}",
        [],
        [0],
        [1],
        [1, 1],
        [3, 2, 1],
        [[1]],
        ["a"],
        {},
        {"a": 1},
        {1: 2},
    ),
]
"""Values that may stand in place of any setting."""
LONGEST = 1000
"""Characters of a refusal."""


class Case(NamedTuple):
    """A configuration, and what was changed in it: keys and values."""

    study: str
    config: dict[str, Any]
    changes: list[tuple[str, Any]]


def configuration_of(study: str) -> dict[str, Any]:
    """The preset of a study that is changed."""
    config = load_yaml((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    for file in files_below(ROOT, {"study": study, "preset": STUDIES[study]}, []):
        config = merged(config, load_yaml(Path(file).read_text(encoding="utf-8")))
    return config


def places(value: Any, schema: Mapping[str, Any], path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Paths to all settings, sections among them, with the schema of each; what nothing is said of has an empty one."""
    if path:
        yield path, schema
    if isinstance(value, Mapping):
        for key, item in value.items():
            rest = schema.get("additionalProperties")
            entry = schema.get("properties", {}).get(key, rest if isinstance(rest, Mapping) else {})
            yield from places(item, entry, (*path, key))


def draw_value(schema: Mapping[str, Any], value: Any, draw: random.Random) -> Any:
    """A value near those that a schema allows: at its bounds, just outside of them, or somewhere."""
    kind = schema.get("type")
    if "enum" in schema:
        return draw.choice(schema["enum"])
    if kind == "boolean":
        return draw.random() < 0.5
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -2))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 1000))
        among = [low, high, low - 1, high + 1, low + 1, value, low + draw.random() * (high - low)]
        choice = draw.choice([number for number in among if isinstance(number, int | float)])
        return round(choice) if kind == "integer" and draw.random() < 0.9 else choice
    if kind == "array" and isinstance(value, list):
        items = [
            draw_value(schema.get("items", {}), value[0] if value else None, draw) for _ in range(draw.randrange(5))
        ]
        return draw.choice([items, sorted(items, key=str), value[1:], value[::-1], value + value[:1], value[:1], []])
    if kind == "object" and isinstance(value, Mapping):
        names = list(value)
        selection = draw.sample(names, draw.randrange(len(names) + 1))
        return draw.choice([{key: value[key] for key in selection}, {**value, "new": draw.choice(ODD)}, dict(value)])
    return draw.choice([value, "auto", "x", *ODD])


def cases(study: str, count: int, seed: int) -> Iterator[Case]:
    """Configurations of a study with one to three settings changed, dropped, or swapped for those of others."""
    draw = random.Random(f"{study} {seed}")
    whole = configuration_of(study)
    schema = settings.schema_of(settings.whole_configuration(*settings.STUDIES))
    # what the study reads: sections of others are checked by the schema alone
    of_others = set(STUDIES) - {study}
    of_study = [place for place in places(whole, schema) if place[0][0] not in of_others]
    places_of_study = [place for place in of_study if place[0][0] == study]
    for _ in range(count):
        config, changes = deepcopy(whole), []
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            path, of_place = draw.choice(places_of_study if places_of_study and draw.random() < 0.7 else of_study)
            section: Any = config
            for key in path[:-1]:
                section = section.get(key) if isinstance(section, dict) else None
            if not isinstance(section, dict) or path[-1] not in section:
                continue  # a section that an earlier change took away
            way = draw.random()
            if way < 0.07:
                value: Any = section.pop(path[-1])
                changes.append((f"without {'.'.join(map(str, path))}", value))
                continue
            if way < 0.3:
                value = deepcopy(draw.choice(ODD))
            elif way < 0.4:
                value = deepcopy(draw.choice(list(section.values())))
            else:
                value = draw_value(of_place, section[path[-1]], draw)
            section[path[-1]] = value
            changes.append((".".join(map(str, path)), value))
        yield Case(study, config, changes)


def refusal(case: Case) -> str | None:
    """The refusal of a configuration before anything runs; None where it is accepted.

    Raises:
        Exception: whatever is no `InputError`.
    """
    try:
        config = typed(case.config)
        check(config)
        check_study(config, ROOT / "workflow" / "rules")
    except InputError as error:
        return str(error)
    return None


def outcome(case: Case, refuse: Callable[[Case], str | None] = refusal) -> tuple[bool, str | None]:
    """Return True for a refused configuration, and the fault of its refusal: no sentence, or another error."""
    try:
        sentence = refuse(case)
    except Exception as error:
        return True, f"{type(error).__name__}: {error}"
    if sentence is not None and ("\n" in sentence or len(sentence) > LONGEST or not sentence.endswith(("'", ".", "?"))):
        return True, f"no sentence: {sentence!r:.300}"
    return sentence is not None, None


def plan_failure(case: Case, folder: Path) -> str | None:
    """The output of Snakemake for a configuration that it cannot plan, in a process of its own; None where it can."""
    file, log = folder / "own.yaml", folder / "log"
    file.write_text(yaml.safe_dump(case.config, allow_unicode=True), encoding="utf-8")
    child = os.fork()
    if not child:
        from snakemake.cli import main

        with log.open("w") as stream:
            for descriptor in (1, 2):
                os.dup2(stream.fileno(), descriptor)
        sys.argv = ["snakemake", "--dry-run", "--cores", "2", "--directory", str(folder), "--configfile", str(file)]
        sys.argv += ["--quiet", "all", "--snakefile", str(ROOT / "Snakefile"), "--workflow-profile", "none"]
        status = 1
        try:
            main(sys.argv[1:])
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            os._exit(status)
    _, status_of_child = os.waitpid(child, 0)
    return None if status_of_child == 0 else log.read_text(encoding="utf-8", errors="replace")[-1500:]


def main() -> int:
    """Draw, refuse, plan and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000, help="of all studies together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plans", type=int, default=40, help="configurations that Snakemake plans, of those accepted")
    parser.add_argument("--studies", nargs="+", default=list(STUDIES), choices=STUDIES)
    arguments = parser.parse_args()
    counts, wrong, valid_cases = Counter[tuple[str, str]](), 0, []
    for study in arguments.studies:
        for case in cases(study, arguments.cases // len(arguments.studies), arguments.seed):
            is_refused, problem = outcome(case)
            if problem is not None:
                wrong += 1
                print(f"{study}: {case.changes!r:.300}\n    {problem:.400}", flush=True)
                continue
            counts[study, "refused" if is_refused else "accepted"] += 1
            if not is_refused:
                valid_cases.append(case)
    draw = random.Random(arguments.seed)
    sample = draw.sample(valid_cases, min(arguments.plans, len(valid_cases)))
    for case in sample:
        with tempfile.TemporaryDirectory() as folder:
            error = plan_failure(case, Path(folder))
        if error is not None:
            wrong += 1
            print(f"{case.study}: not planned with {case.changes!r:.300}\n{error}", flush=True)
    for (study, kind), count in sorted(counts.items()):
        print(f"{study}: {count} {kind}")
    print(f"{len(sample)} of the accepted ones planned; {wrong} failures")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
