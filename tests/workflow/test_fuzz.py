"""A few of the configurations of the command `python -m tests.workflow.fuzz`, which tries thousands."""

import pytest

from learnability.core.errors import InputError

from .fuzz import STUDIES, Case, cases, configuration_of, outcome, refusal


@pytest.mark.parametrize("study", STUDIES)
def test_what_nobody_would_write_is_refused_in_one_sentence_or_accepted(study: str) -> None:
    results = {str(case.changes): outcome(case) for case in cases(study, 20, 1)}
    assert not {changes: wrong for changes, (_, wrong) in results.items() if wrong is not None}
    assert 0 < sum(is_refused for is_refused, _ in results.values()) < len(results)


@pytest.mark.parametrize("study", STUDIES)
def test_what_is_changed_at_random_is_accepted_as_it_is(study: str) -> None:
    assert refusal(Case(study, configuration_of(study), [])) is None


@pytest.mark.parametrize("wrong", [KeyError("x"), InputError("two\nlines."), InputError("x" * 2000), InputError("no")])
def test_what_is_no_sentence_is_seen(wrong: Exception) -> None:
    def said(case: Case) -> str | None:
        if isinstance(wrong, InputError):
            return str(wrong)
        raise wrong

    assert outcome(Case("gated", {}, []), said)[1] is not None
