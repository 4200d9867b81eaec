"""Pages whose sentences have checks: what holds is told, and what does not is named."""

from pathlib import Path

import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.report.pages.sentences import Page

PAGE = """
{% block question %}Which is larger?{% endblock %}
{% block figure %}paper/sizes{% endblock %}
{% block answer %}One is{% check one > other %}, by {{ (one - other) | digits(1) }}.{% endblock %}
{% block text %}
There are
two. The other one is small{% check other < 1 %}, say
{{ other | percent }}.

All are {{ names | listed }}.
{% endblock %}
{% block basis %}Two {{ names | listed }}.{% endblock %}
{% block sensitive_to %}nothing.{% endblock %}
"""
NUMBERS = {"one": 2.0, "other": 0.5, "names": ["a", "b"], "rows": {"size": pd.Series({"a": "2"})}}


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return write(tmp_path, PAGE)


def write(folder: Path, text: str) -> Page:
    file = folder / "study" / "sizes" / "page.md.j2"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return Page(file)


def test_sentences_are_told_in_paragraphs_with_their_numbers(page: Page) -> None:
    finding = page.told(NUMBERS)
    assert finding.question == "Which is larger?" and finding.figure == ("paper", "sizes")
    assert finding.answer == "One is, by 1.5."
    assert finding.text == "There are two. The other one is small, say 50 %.\n\nAll are a and b."
    assert finding.rows == NUMBERS["rows"] and finding.how_sure == "Two a and b. nothing."


@pytest.mark.parametrize(
    ("number", "sentence"), [({"one": 0.1}, "One is, by −0.4."), ({"other": 1.5}, "The other one is small, say 150 %.")]
)
def test_a_sentence_that_is_not_so_is_named(page: Page, number: dict[str, float], sentence: str) -> None:
    with pytest.raises(InputError, match=r"'sentences' must be false .* of 'sizes/page.md.j2'") as error:
        page.told(NUMBERS | number)
    assert f"“{sentence}”" in str(error.value)


def test_a_page_without_sentences_has_its_question_and_figure(page: Page) -> None:
    finding = page.untold()
    assert (finding.question, finding.text, finding.sensitive_to) == ("Which is larger?", "", "")
    assert "(../../reference/study/findings.md)" in finding.answer


def test_a_number_that_is_missing_is_named(page: Page) -> None:
    with pytest.raises(InputError, match=r"'sizes/page.md.j2' must find its numbers .* 'other' is undefined"):
        page.told({name: value for name, value in NUMBERS.items() if name != "other"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("{% block figure %}paper/sizes{% endblock %}", ""), "none named figure"),
        (("one > other", "one >"), "must be a template. Got TemplateSyntaxError"),
    ],
)
def test_a_page_that_is_none_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        write(tmp_path, PAGE.replace(*change))
