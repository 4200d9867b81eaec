"""A paper's claims compared with what was measured: predicates with tolerances, never opinions.

A claim has conditions; a condition takes a measure of some of the roles that the paper compares (as ConstGate,
SharedGate and DiagGate), each an architecture of a group. A claim that names an optimizer is judged run by run, and
what a reading measures along several directions w counts as their median; any other is judged by tables of all seeds.
Each seed has a status of its own. A condition has a status only if at least `AGREEMENT` of its seeds have it or a
better one; where fewer agree, but more than half of them at least nearly meet it, seeds are split. The median and the
range over seeds are shown: with n seeds the range holds the population's median with probability 1 - 2^{1-n}. A claim
says of which roles its number was tuned, of which it holds by construction, and by which measures it is judged in
intervals that were written after results had been seen. A measure may say by itself that its number was tuned.

A claim that says that something can be, or may be, is a `possibility`: one network in which it occurs shows it. It is
judged by the best seed of its best condition, and its seeds that agree are those in which it occurs.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from learnability.core.errors import lookup, require, require_one_of
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import SHARE, number

STATUSES = ("met", "near", "split", "missed", "unmeasured")
"""Statuses of a condition, the best first; a single seed is never split."""
AGREEMENT = 0.8
"""Share of the seeds that must meet a condition, or nearly meet it, before it counts as met, or near."""
LEAST_MEASURED = 0.5
"""Share of the runs that must give a number, or a condition is unmeasured: what one run of five says is no status."""
BY_CONSTRUCTION = "true by construction"
"""The verdict on a claim that cannot fail, which supports nothing."""
SETTINGS = ("gate", "learning_rate", "recipe", "updates", "start")
"""Settings by which a value may be tuned: chosen so that a role has the paper's number, or after others had been seen.

The last three are of a training: another recipe, more updates, or another start than those that were judged first."""


def read_claims(files: str | Sequence[str]) -> dict[str, Any]:
    """Claims of a paper from one file or several, in order, and what the files say beside the claims."""
    files = [files] if isinstance(files, str) else files
    papers = [load_yaml(Path(file).read_text(encoding="utf-8")) for file in files]
    claims = [with_words(claim, paper.get("words", {})) for paper in papers for claim in paper["claims"]]
    return {key: value for paper in papers for key, value in paper.items()} | {"claims": claims}


def with_words(claim: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """The claim, each of its conditions with the `words` that a reader sees in place of its measure.

    Args:
        claim: an entry of a file of claims.
        words: a phrase by measure, or by measure and what conditions have `at`; `{at}` in a phrase stands for that.
            A phrase that ends with ", %" is of a share, which is then shown in per cent; an empty one shows nothing.

    Example:
        >>> claim = {"conditions": [{"measure": "recall", "at": 5}, {"measure": "loss", "at": "first"}]}
        >>> words = {"recall": "recall at lag {at}, %", "loss": {"first": "loss at the first epoch"}}
        >>> recall, loss = with_words(claim, words)["conditions"]
        >>> print(recall["words"], loss["words"], sep="; ")
        recall at lag 5, %; loss at the first epoch
    """

    def phrase(condition: Mapping[str, Any]) -> dict[str, str]:
        text, at = words.get(condition["measure"]), condition.get("at")
        text = text.get(at) if isinstance(text, dict) else text
        return {} if text is None else {"words": text.replace("{at}", str(at))}

    return {**claim, "conditions": [phrase(condition) | condition for condition in claim["conditions"]]}


class RunTables(dict[str, pd.DataFrame]):
    """Tables by their kind. Those that describe runs have the columns architecture, optimizer and seed.

    Selected rows are kept, since claims ask for the rows of one run hundreds of times; and so is what a measure found,
    since groups share architectures, and claims measures.
    """

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(tables)
        self.found: dict[tuple[Any, ...], Found] = {}
        self._rows: dict[tuple[str, tuple[tuple[str, Any], ...]], pd.DataFrame] = {}

    def rows(self, kind: str, *columns: tuple[str, Any]) -> pd.DataFrame:
        """Rows of a table that have a value in each of these columns; only those of the reading's criterion.

        Args:
            kind: of the table.
            columns: names with values. A column that the table lacks, or whose value is None, chooses nothing.
        """
        if (kind, columns) not in self._rows:
            if columns:
                *rest, (column, value) = columns
                rows = self.rows(kind, *rest)
                rows = rows[rows[column] == value] if column in rows and value is not None else rows
            else:
                rows = self[kind]
                rows = rows[rows["chosen"]] if "chosen" in rows else rows
            self._rows[kind, columns] = rows
        return self._rows[kind, columns]


@dataclass(frozen=True)
class Evidence:
    """Evidence of the run of one role, and of the runs of the other roles with the same seed, along one w.

    Args:
        tables: by kind.
        roles: the architecture in each role, roles in the study's order.
        optimizer, seed: of the run; none where tables are of all runs.
    """

    tables: Mapping[str, pd.DataFrame]
    roles: Mapping[str, str]
    role: str
    optimizer: str | None = None
    seed: int | None = None
    direction: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.tables, RunTables):
            object.__setattr__(self, "tables", RunTables(self.tables))

    def table(self, kind: str) -> pd.DataFrame:
        """Rows of this run, in a table of runs; of the reading's criterion where a table has several."""
        run = (("architecture", self.roles[self.role]), ("optimizer", self.optimizer), ("seed", self.seed))
        return cast(RunTables, self.tables).rows(kind, *run, ("direction", self.direction))

    def of(self, role: str) -> "Evidence":
        """The evidence on another role."""
        return replace(self, role=role)

    def former(self) -> "Evidence":
        """The evidence on the role before this one; of the first, on the last."""
        roles = list(self.roles)
        return self.of(roles[roles.index(self.role) - 1])

    def median(self, measure: Callable[["Evidence"], float]) -> float:
        """Median of a measure over the directions w that give a number; NaN if none does."""
        along = [table["direction"].unique() for table in self.tables.values() if "direction" in table]
        numbers = np.unique(np.concatenate(along)).tolist() if along else []
        values = np.array([measure(replace(self, direction=number)) for number in numbers or [0]])
        values = values[~np.isnan(values)]
        return float(np.median(values)) if len(values) else np.nan

    def of_others(self, measure: Callable[["Evidence"], float]) -> np.ndarray:
        """A measure of the other roles."""
        return np.array([measure(self.of(role)) for role in self.roles if role != self.role])


class Found(NamedTuple):
    """A number for each seed, from tables of all seeds.

    Args:
        values: a number for each seed.
        note: what is to be known of it, or why there is none.
        tuned: names of `SETTINGS` that were tuned, joined by ", "; empty if nothing was.
        is_partial: whether it is over several cases of which some give no number, so that it meets no claim on all.
    """

    values: Sequence[float]
    note: str = ""
    tuned: str = ""
    is_partial: bool = False


Measure = Callable[[Evidence], float]
"""Measure of a run. NaN says that there is nothing to measure, ∞ is a value."""


class Measures(NamedTuple):
    """Measures of a study for its claims.

    Args:
        functions: by name, each a `Measure`, or of evidence on all seeds and with a `Found`; what a condition has `at`
            is passed on by that name.
        roles: those that the study compares, in order.
        comparing: names of functions that hold a role against others.
        nameless: functions and roles whose numbers are of no single network; cells show them without its name.
    """

    functions: dict[str, Callable[..., Any]]
    roles: Sequence[str]
    comparing: Collection[str]
    nameless: Collection[str] = ()


def check_classes(claims: Sequence[Mapping[str, Any]]) -> None:
    """Raise an `InputError` unless every claim has its classes, empty where nothing is of that class.

    Classes are `tuned`, setting (of `SETTINGS`) by role; `after_results`, measures; `by_construction`, roles.
    """
    for claim in claims:
        possibility, where = claim.get("possibility", False), f"{claim['id']}: possibility"
        require(isinstance(possibility, bool), where, "true, or left out", possibility)
        roles = sorted({role for condition in claim["conditions"] for role in condition["of"]})
        names = sorted({condition["measure"] for condition in claim["conditions"]})
        for key, kind, word, choices in (
            ("tuned", dict, "mapping", roles),
            ("after_results", list, "list", names),
            ("by_construction", list, "list", roles),
        ):
            where, entry = f"{claim['id']}: {key}", claim.get(key)
            require(isinstance(entry, kind), where, f"a {word} of {', '.join(choices)}, empty if none", entry)
            for name in claim[key]:
                require_one_of(where, name, choices)
        for setting in claim["tuned"].values():
            require_one_of(f"{claim['id']}: tuned", setting, SETTINGS)


def judge_conditions(
    claims: Sequence[Mapping[str, Any]],
    tables: Mapping[str, pd.DataFrame],
    groups: Mapping[str, Mapping[str, str]],
    measures: Measures,
) -> pd.DataFrame:
    """Measure every condition of every claim.

    Args:
        claims: entries as those of `config/paper_claims.yaml`.
        tables: by kind; of claims with an `optimizer` the first has rows of every run.
        groups: group → role → architecture.
        measures: the study's.

    Returns:
        A row for each claim, group, condition and role: `architecture`, `beside`, those of the other roles if the
        measure compares with them, `median`, `low` and `high` over seeds, `runs`, `seeds` (runs that give a number, ∞
        included), `seeds_met`, `seeds_near` (met or near), `status` by `status_of_seeds`, near at best if it is
        partial, with `seeds_agreeing`, how many seeds have it; the ends of the intervals, `met_low` and the like; and
        its classes, `tuned` (settings, or no), `after_results` and `by_construction`; `words` for the measure, and
        `named`: whether the number is of this architecture alone. If a measure has a note, `note`.

    Raises:
        InputError: by `check_classes`, or for an unknown measure or an interval that is none.
    """
    check_classes(claims)
    evidence = RunTables(tables)
    rows = [
        {
            "id": claim["id"],
            "group": name,
            **(judged := _judge(claim, condition, role, evidence, roles, measures)),
            "tuned": claim["tuned"].get(role, "") or judged["tuned"] or "no",
            "after_results": condition["measure"] in claim["after_results"],
            "by_construction": role in claim["by_construction"],
        }
        for claim in claims
        for name, roles in groups.items()
        for condition in claim["conditions"]
        for role in condition["of"]
    ]
    return pd.DataFrame(rows)


def _judge(
    claim: Mapping[str, Any],
    condition: Mapping[str, Any],
    role: str,
    tables: RunTables,
    roles: Mapping[str, str],
    measures: Measures,
) -> dict[str, Any]:
    name, roles = condition["measure"], {key: roles[key] for key in measures.roles}
    optimizer = claim.get("optimizer")
    measure, label = lookup(measures.functions, "measure", name), name
    if "at" in condition:
        measure, label = partial(measure, at=condition["at"]), f"{name} at {condition['at']}"
    key = (label, *roles.items(), role, optimizer)
    if key not in tables.found:
        tables.found[key] = (
            Found([evidence.median(measure) for evidence in _evidence(tables, roles, role, optimizer)])
            if optimizer
            else measure(Evidence(tables, roles, role))
        )
    result = tables.found[key]
    values = np.array(result.values, float)
    runs = len(values)
    values = values[~np.isnan(values)]
    of_seeds = [_status(value, condition) for value in values]
    enough = len(values) >= LEAST_MEASURED * runs
    status = best_status(of_seeds) if claim.get("possibility") else status_of_seeds(of_seeds if enough else [])
    status = "near" if status == "met" and result.is_partial else status
    return {
        "measure": label,
        "role": role,
        "architecture": roles[role],
        "beside": " ".join(roles[key] for key in roles if key != role) if name in measures.comparing else "",
        "median": float(np.median(values)) if len(values) else np.nan,
        "low": values.min() if len(values) else np.nan,
        "high": values.max() if len(values) else np.nan,
        "runs": runs,
        "seeds": len(values),
        "seeds_met": of_seeds.count("met"),
        "seeds_near": of_seeds.count("met") + of_seeds.count("near"),
        "seeds_agreeing": sum(seed_status in ALIKE[status] for seed_status in of_seeds),
        "status": status,
        **{f"{name}_{end}": value for name in ("met", "near") for end, value in _ends(condition, name)},
        "words": condition.get("words", label.replace("_", " ")),
        "named": not {name, role} & set(measures.nameless),
        **({"note": result.note} if result.note else {}),
        "tuned": result.tuned,
    }


def _ends(condition: Mapping[str, Any], name: str) -> Iterator[tuple[str, float]]:
    """`low` and `high` of an interval of a condition, `met` or `near`; without `near` those of `met`."""
    return zip(("low", "high"), map(float, condition.get(name, condition["met"])), strict=True)


def _evidence(tables: RunTables, roles: Mapping[str, str], role: str, optimizer: str) -> Iterator[Evidence]:
    """Evidence of every seed for which all roles have a run with this optimizer."""
    first, players = next(iter(tables.values())), set(roles.values())
    runs = first[(first["optimizer"] == optimizer) & first["architecture"].isin(players)]
    for seed in sorted(runs["seed"].unique()):
        if set(runs.loc[runs["seed"] == seed, "architecture"]) == players:
            yield Evidence(tables, roles, role, optimizer, int(seed))


ALIKE = {"met": {"met"}, "near": {"met", "near"}, "split": {"met", "near"}, "missed": {"missed"}, "unmeasured": set()}
"""Statuses of a seed that agree with the status of a condition."""


def status_of_seeds(statuses: Sequence[str]) -> str:
    """The status of a condition from those of its seeds.

    Args:
        statuses: met, near or missed, of each seed that gives a number.

    Returns:
        "met" if at least `AGREEMENT` of the seeds meet the condition; "near" if at least as many meet or nearly meet
        it; "split" if fewer, but more than half of the seeds, do; "missed" if not; "unmeasured" without seeds.
    """
    if not statuses:
        return "unmeasured"
    met = sum(status == "met" for status in statuses) / len(statuses)
    near = met + sum(status == "near" for status in statuses) / len(statuses)
    if met >= AGREEMENT:
        return "met"
    return "near" if near >= AGREEMENT else "split" if near > 0.5 else "missed"


def best_status(statuses: Sequence[str]) -> str:
    """The status of a condition of a possibility: the best of its seeds, "unmeasured" without seeds."""
    return min(statuses, key=STATUSES.index, default="unmeasured")


def _status(value: float, condition: Mapping[str, Any]) -> str:
    """The status of one seed."""
    for status in ("met", "near"):
        low, high = condition.get(status, condition["met"])
        require(low <= high, status, "an interval [low, high]", [low, high])
        if low <= value <= high:
            return status
    return "missed"


def verdict(statuses: Sequence[str], possibility: bool = False) -> str:
    """The verdict on a claim from the statuses of its conditions; of a possibility from the best of them."""
    kinds = {best_status(statuses)} if possibility else set(statuses)
    if kinds == {"met"}:
        return "reproduced"
    if kinds == {"unmeasured"}:
        return "not testable"
    return "partly" if kinds & {"met", "near", "split"} else "not reproduced"


def score(claims: Sequence[Mapping[str, Any]], conditions: pd.DataFrame) -> pd.DataFrame:
    """The scorecard: a row for each claim and group, from a table of `judge_conditions`.

    Returns:
        `id`, `group`, `where`, `claim`, `paper` (its value, if it prints one), `measured` (median and range over seeds
        of each condition), `seeds`, `agree`, how many of how many seeds agree on the condition on which they agree
        least (of a possibility, in how many it occurs: "possible: 1 of 3"), `verdict`, `artefact`, and its classes:
        `tuned` by a setting or no,
        `after_results` and `by_construction` yes, in part or no. What holds by construction decides a verdict only
        where nothing else does; reproduced or partly is then `BY_CONSTRUCTION`. If any claim is the `same_as` another,
        which has the same number in another table of the paper, `same_as` is its id. A group gives no row of its own if
        it has no runs for the claim, or asks the same of the same architectures as an earlier one; a claim without any
        run has one row, not testable.
    """
    groups: dict[str, dict[str, list[dict[Any, Any]]]] = {claim["id"]: {} for claim in claims}
    for row in conditions.to_dict("records"):  # a table would be searched for each claim, which takes most of the time
        if row["id"] in groups:
            groups[row["id"]].setdefault(row["group"], []).append(row)
    rows = []
    for claim in claims:
        of_groups = groups[claim["id"]]
        with_runs = {name: group for name, group in of_groups.items() if any(row["runs"] > 0 for row in group)}
        earlier: set[tuple[tuple[str, str], ...]] = set()
        for name, group in (with_runs or dict(islice(of_groups.items(), 1))).items():
            of = tuple((row["architecture"], row["beside"]) for row in group)
            if of in earlier:
                continue
            earlier.add(of)
            free = [row for row in group if not row["by_construction"]]
            evidence = free or group
            outcome = verdict([row["status"] for row in evidence], bool(claim.get("possibility")))
            rows.append(
                {
                    "id": claim["id"],
                    "group": name,
                    "where": claim["where"],
                    "claim": claim["claim"],
                    "paper": claim.get("paper", ""),
                    "measured": in_phrases(group),
                    "seeds": max(row["seeds"] for row in group),
                    "agree": _possible(evidence) if claim.get("possibility") else _agree(evidence),
                    "tuned": _tuned([row["tuned"] for row in group]),
                    "after_results": _share([row["after_results"] for row in group]),
                    "by_construction": _share([row["by_construction"] for row in group]),
                    "verdict": BY_CONSTRUCTION if not free and outcome in ("reproduced", "partly") else outcome,
                    "artefact": claim["artefact"],
                    "same_as": claim.get("same_as", ""),
                }
            )
    table = pd.DataFrame(rows)
    return table if any(table.get("same_as", [])) else table.drop(columns="same_as", errors="ignore")


def _agree(conditions: Sequence[Mapping[Any, Any]]) -> str:
    """Seeds that agree, of all, on the condition on which the smallest share does; empty where none was measured."""
    usable = [row for row in conditions if row["seeds"] > 0]
    if not usable:
        return ""
    least = min(usable, key=_agreement)
    return f"{least['seeds_agreeing']} of {least['seeds']}"


def _possible(conditions: Sequence[Mapping[Any, Any]]) -> str:
    """Number of seeds in which a possibility occurs, by the condition that decides; empty where none was measured."""
    usable = [row for row in conditions if row["seeds"] > 0]
    if not usable:
        return ""
    best = best_status([row["status"] for row in usable])
    most = max((row for row in usable if row["status"] == best), key=_agreement)
    return f"possible: {0 if most['status'] == 'missed' else most['seeds_agreeing']} of {most['seeds']}"


def _agreement(condition: Mapping[Any, Any]) -> float:
    return float(condition["seeds_agreeing"] / condition["seeds"])


def _share(flags: Sequence[bool]) -> str:
    return "yes" if all(flags) else "in part" if any(flags) else "no"


def _tuned(settings: Sequence[str]) -> str:
    """Names of the settings that were tuned, and "in part" if not for all conditions."""
    names = list(dict.fromkeys(name for joined in settings if joined != "no" for name in joined.split(", ")))
    return ", ".join([*names, *(["in part"] if "no" in settings else [])]) if names else "no"


def in_phrases(conditions: Sequence[Mapping[Any, Any]]) -> str:
    """Measured values, a phrase for each condition; words that several in a row share stand before the first."""
    phrases, before = [], ""
    for row in _join(conditions):
        number, words = _phrase(row), row["words"].removesuffix(SHARE)
        phrases.append(f"{words}: {number}" if words and words != before else number)
        before = words
    return "; ".join(phrases)


def _join(rows: Sequence[Mapping[Any, Any]]) -> Iterator[Mapping[Any, Any]]:
    """Rows, of which those in a row that lack a number for the same reason are one, with the names of all."""
    for (_, reason, shows_name), group in groupby(rows, key=lambda row: (row["words"], _reason(row), row["named"])):
        if reason is None or not shows_name:
            yield from group
        else:
            members = list(group)
            yield {**members[0], "architecture": ", ".join(row["architecture"] for row in members)}


def _reason(row: Mapping[Any, Any]) -> str | None:
    """Reason for a missing number; None where there is a number."""
    return f"{row.get('note', '')}" if row["seeds"] == 0 else None


def _phrase(row: Mapping[Any, Any]) -> str:
    """A number with its range over seeds, what is to be known of it, and its status."""
    scale, unit = (100, " %") if row["words"].endswith(SHARE) else (1, "")
    median, low, high = (number(scale * row[name]) for name in ("median", "low", "high"))
    name = f"{row['architecture']} " if row["named"] else ""
    note = f" ({row['note'].replace('; ', ', ')})" if isinstance(row.get("note"), str) and row["note"] else ""
    if row["seeds"] == 0:
        return f"{name}not measured{note}"
    spread = "" if low == high else f" [{low}, {high}]"
    status = "too few seeds" if row["status"] == "unmeasured" else row["status"]
    return f"{name}{median}{unit}{spread}{note}, {status}"
