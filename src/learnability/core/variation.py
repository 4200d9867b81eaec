"""Sensitivity of a result to its numeric settings: each is varied alone, and the results are compared and ranked.

for setting, value: settings with that value → statements → how many verdicts turn, and how far the statements move
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from json import dumps
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from learnability.core.errors import InputError, in_one_line, require

FACTORS = (1 / 3, 3.0)
"""Factors by which settings are varied, both ways."""
REDRAWN = 2
"""Root seeds that a search tries besides its own, to see how far chance moves a statement."""
ROOT_SEED = "root_seed"
"""The setting that all random numbers follow from. It is no quantity: a search replaces it and does not scale it."""
COLUMNS = ["setting", "value", "varied", "turned", "largest_change", "statement", "skipped"]
"""Columns of a table of `vary_settings`."""
NOTHING_LEFT = "no statement is a number there"

Statements = Mapping[str, float]
"""Numbers by name."""
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Variation:
    """Settings in which one number is another.

    Args:
        setting: its place, names and numbers of places joined by dots.
        value, varied: the number before, and in these settings; of several the first that is another.
        settings: all of them.
    """

    setting: str
    value: float
    varied: float
    settings: Any


class Headline(NamedTuple):
    """A headline that a search tries to turn.

    Args:
        numbers: names of the statements that it rests on.
        answer: returns the verdict, in a word or two, from these statements, in order.
        parts: names at the top of the settings that its numbers are computed from; all settings if there is none.
    """

    numbers: tuple[str, ...]
    answer: Callable[..., str]
    parts: tuple[str, ...] = ()

    def judge(self, statements: Statements) -> str:
        """The verdict by these statements, which may be among others."""
        return self.answer(*(statements[name] for name in self.numbers))


def other_seeds(root_seed: int) -> dict[str, list[float]]:
    """Root seeds that a search tries in place of its own: `others` of `vary`."""
    return {ROOT_SEED: [root_seed + further for further in range(1, REDRAWN + 1)]}


def numeric_settings(settings: Any, path: Path = ()) -> Iterator[tuple[Path, float]]:
    """Place and value of each number in nested mappings and sequences; booleans and words are none.

    A sequence of numbers counts as one setting, with its first number: its members are varied together.
    """
    if isinstance(settings, Mapping):
        for name, value in settings.items():
            yield from numeric_settings(value, (*path, name))
    elif _is_number(settings):
        yield path, settings
    elif isinstance(settings, Sequence) and not isinstance(settings, str) and settings:
        if all(_is_number(member) for member in settings):
            yield path, settings[0]
        else:
            for place, value in enumerate(settings):
                yield from numeric_settings(value, (*path, place))


def vary(
    settings: Any,
    factors: Sequence[float] = FACTORS,
    ignored: Sequence[str] = (),
    left_out: Sequence[str] = (),
    others: Mapping[str, Sequence[float]] = MappingProxyType({}),
) -> Iterator[Variation]:
    """Settings with one change each: a number multiplied by a factor, a member of a list left out, a value replaced.

    Whole numbers are rounded, to no less than 1 if they were positive. A sequence of numbers is multiplied as a whole.
    What a factor leaves as it is (0, ∞, or 1 rounded down to 1) is left out.

    Args:
        ignored: names of settings that are not varied, nor what is in them.
        left_out: names of lists, at the top of the settings, of whose members each is left out in turn; the values
            of such a variation are how many there are.
        others: values that replace a setting at the top, by its name. The setting is not multiplied; its variations
            have the value 0 and are varied to 1, 2 and so on.

    Raises:
        InputError: for no factor, or one that is not positive and other than 1.
    """
    fits = len(factors) > 0 and all(factor > 0 and factor != 1 for factor in factors)
    require(fits, "factors", "at least one, each positive and other than 1", list(factors))
    for path, _ in numeric_settings(settings):
        if any(part in ignored for part in path) or (path[:1] and path[0] in others):
            continue
        before = _get(settings, path)
        for factor in factors:
            numbers = list(before) if isinstance(before, Sequence) else [before]
            products = [_scaled(number, factor) for number in numbers]
            changes = [pair for pair in zip(numbers, products, strict=True) if pair[0] != pair[1]]
            if changes:
                replacement = products if isinstance(before, Sequence) else products[0]
                yield Variation(".".join(map(str, path)), *changes[0], _replaced(settings, path, replacement))
    for name in left_out:
        members = list(settings[name])
        for place, member in enumerate(members):
            fewer = members[:place] + members[place + 1 :]
            yield Variation(f"{name} without {member}", len(members), len(fewer), {**settings, name: fewer})
    for name, values in others.items():
        for place, value in enumerate(values, start=1):
            yield Variation(name, 0, place, {**settings, name: value})


def vary_settings(
    settings: Any,
    compute: Callable[[Any], Statements],
    judge: Callable[[Statements], Mapping[str, str]],
    factors: Sequence[float] = FACTORS,
    ignored: Sequence[str] = (),
    left_out: Sequence[str] = (),
    others: Mapping[str, Sequence[float]] = MappingProxyType({}),
) -> pd.DataFrame:
    """Change one setting at a time, and compare the statements and verdicts with the original ones.

    Args:
        settings: nested mappings and sequences, of which every number is varied (`vary`).
        compute: statements of settings; an `InputError`, or an `ArithmeticError` such as a division by
            0, says that these settings are not valid.
        judge: verdicts, by claim, of statements.
        factors, ignored, left_out, others: as of `vary`.

    Returns:
        A row for each variation: the `setting`; its `value` and what it is `varied` to (of a sequence the first that
        changes); how many verdicts are `turned`; the `largest_change` of a statement (`relative_change`, where
        NaN counts as ∞), and which `statement` that is; or why the variation was `skipped`.
    """
    before = compute(settings)
    verdicts, rows = judge(before), []
    for variation in vary(settings, factors, ignored, left_out, others):
        row: dict[str, Any] = {"setting": variation.setting, "value": variation.value, "varied": variation.varied}
        try:
            after = compute(variation.settings)
        except (InputError, ArithmeticError) as error:
            rows.append(row | {"skipped": in_one_line(error)})
            continue
        if before and all(math.isnan(after.get(name, math.nan)) for name in before):
            rows.append(row | {"skipped": NOTHING_LEFT})
            continue
        new_verdicts = judge(after)
        changes = {name: relative_change(before[name], after.get(name, math.nan)) for name in before}
        largest = max(changes, key=lambda name: math.inf if math.isnan(changes[name]) else changes[name], default="")
        row["turned"] = sum(new_verdicts.get(name) != verdict for name, verdict in verdicts.items())
        rows.append(row | {"largest_change": changes.get(largest, 0.0), "statement": largest, "skipped": ""})
    return pd.DataFrame(rows, columns=COLUMNS)


def vary_headlines(
    settings: Any,
    compute: Callable[[Any], Statements],
    headlines: Mapping[str, Headline],
    factors: Sequence[float] = FACTORS,
    ignored: Sequence[str] = (),
    left_out: Sequence[str] = (),
    others: Mapping[str, Sequence[float]] = MappingProxyType({}),
) -> pd.DataFrame:
    """Change one setting at a time, and compare each headline with the original; all share their statements.

    Args:
        settings, factors, ignored, left_out, others: as of `vary_settings`. For a headline with
            `parts` only variations of settings in these parts count.
        compute: takes settings, and returns the statements of all headlines by name. What it raises is kept as in
            `vary_settings`.
        headlines: by the question that they answer.

    Returns:
        Rows of `vary_settings` for each headline, with its `question`.
    """
    cache: dict[str, Statements | InputError | ArithmeticError] = {}

    def behind(headline: Headline, variant: Any) -> Statements:
        key = dumps(variant, sort_keys=True)
        if key not in cache:
            try:
                cache[key] = compute(variant)
            except (InputError, ArithmeticError) as error:
                cache[key] = error
        statements = cache[key]
        if isinstance(statements, Exception):
            raise statements
        return {name: statements[name] for name in headline.numbers}

    def judge(question: str, statements: Statements) -> dict[str, str]:
        return {question: headlines[question].judge(statements)}

    tables = []
    for question, headline in headlines.items():
        of_others = [name for name in settings if headline.parts and name not in (*headline.parts, *others)]
        functions = partial(behind, headline), partial(judge, question)
        table = vary_settings(settings, *functions, factors, [*ignored, *of_others], left_out, others)
        tables.append(table.assign(question=question))
    return pd.concat(tables, ignore_index=True)[["question", *COLUMNS]]


def relative_change(before: float, after: float) -> float:
    """|after - before|/|before|; 0 if both are the same or no number, ∞ if before is 0, NaN if one alone is finite."""
    if before == after or (math.isnan(before) and math.isnan(after)):
        return 0.0
    if not (math.isfinite(before) and math.isfinite(after)):
        return math.nan
    return abs(after - before) / abs(before) if before else math.inf


def most_sensitive(variations: pd.DataFrame, count: int = 2) -> pd.DataFrame:
    """The settings that change most, each by its worst variation.

    Args:
        variations: of `vary_settings`.

    Returns:
        At most `count` rows, one for each setting: the most verdicts turned first, and of as many the largest change,
        where NaN counts as ∞. Settings that were skipped altogether are left out.
    """
    order = ["turned", "largest_change"]
    trials = variations[variations["turned"].notna()]
    places = trials[order].fillna(math.inf).sort_values(order, ascending=False, kind="stable").index
    trials = trials.loc[places]
    return trials.drop_duplicates("setting").head(count).reset_index(drop=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _scaled(value: Any, factor: float) -> Any:
    if isinstance(value, int):
        product = round(value * factor)
        return max(product, 1) if value > 0 else product
    return value * factor


def _get(settings: Any, path: Path) -> Any:
    for part in path:
        settings = settings[part]
    return settings


def _replaced(settings: Any, path: Path, value: Any) -> Any:
    """A copy of the settings with another value at one place."""
    if not path:
        return value
    first, *rest = path
    inner = _replaced(settings[first], tuple(rest), value)
    if isinstance(settings, Mapping):
        return {**settings, first: inner}
    return [inner if place == first else member for place, member in enumerate(settings)]
