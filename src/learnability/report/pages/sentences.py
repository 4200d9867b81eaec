"""Sentences that a person wrote about stored results, with numbers put in and the comparisons that they rest on.

A page is a Jinja template of blocks: `question`, `figure`, `answer`, `text`, `basis` and `sensitive_to`. The
first paragraph of `text` is what a reader sees; the others are folded. A number is
`{{ share | percent }}`. `{% check one < other %}`, anywhere in a sentence, says what must hold for it to be true.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, SupportsFloat

from jinja2 import Environment, StrictUndefined, Template, TemplateError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from learnability.core.errors import InputError, in_one_line
from learnability.report.findings import Finding, in_lines, in_words, listed, number, percent, percents, signed, spread

UNTOLD = "The [stored results](../../reference/{}/findings.md) answer this."
"""The answer where a page has no sentences, with the study in its place."""
ANSWER_BLOCKS = ("answer", "text", "sensitive_to", "basis")
"""Blocks that have numbers."""
FALSE = "\ue000"
"""Marks a check that failed, in the sentence that it stands in; a private character, that no text has."""


class Check(Extension):
    """The tag `{% check … %}`, which is nothing where its comparison holds and `FALSE` where it does not.

    Example:
        >>> template = Environment(extensions=[Check]).from_string("Few{% check share < 0.5 %} learn.")
        >>> template.render(share=0.1)
        'Few learn.'
        >>> template.render(share=0.9) == f"Few{FALSE} learn."
        True
    """

    tags = {"check"}  # noqa: RUF012, as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node:
        """The tag as an output of `FALSE` or nothing."""
        line = next(parser.stream).lineno
        holds = parser.parse_expression()
        mark = nodes.CondExpr(holds, nodes.Const(""), nodes.Const(FALSE), lineno=line)
        return nodes.Output([mark], lineno=line)


def digits(value: SupportsFloat, count: int = 2) -> str:
    """A number with so many digits behind the point."""
    return signed(f"{float(value):.{count}f}")


def whole(value: SupportsFloat) -> str:
    """A count, with a comma at thousands."""
    return signed(f"{float(value):,.0f}")


def _environment() -> Environment:
    environment = Environment(extensions=[Check], undefined=StrictUndefined, autoescape=False)
    filters = (digits, in_words, listed, number, percent, percents, spread, whole)
    environment.filters |= {function.__name__: function for function in filters}
    return environment


class Page:
    """A question and its answer, as a person wrote them.

    Args:
        file: the template.

    Raises:
        InputError: if the template cannot be read, or lacks a block.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self.template: Template = _environment().from_string(file.read_text(encoding="utf-8"))
        except TemplateError as error:
            raise InputError(f"'{file.name}' must be a template. Got {in_one_line(error)}.") from error
        absent = {"question", "figure", *ANSWER_BLOCKS} - self.template.blocks.keys()
        if absent:
            raise InputError(f"'{file.name}' must have the blocks of a page. Got none named {listed(sorted(absent))}.")

    def told(self, numbers: Mapping[str, Any]) -> Finding:
        """The finding, with all sentences.

        Args:
            numbers: by name, as the template has them; `rows` are numbers of each architecture, as of `Finding`.

        Raises:
            InputError: if a check fails, with the sentence, or if a number is missing.
        """
        answer, text, sensitive_to, basis = (self._block(name, numbers) for name in ANSWER_BLOCKS)
        rows = numbers.get("rows", {})
        return self.untold()._replace(answer=answer, text=text, sensitive_to=sensitive_to, basis=basis, rows=rows)

    def untold(self) -> Finding:
        """The question and its figure without any sentence about results."""
        reading, _, figure = self._block("figure", {}).rpartition("/")
        study = self.file.parent.parent.name
        return Finding(self._block("question", {}), UNTOLD.format(study), "", {}, "", (reading, figure))

    def _block(self, name: str, numbers: Mapping[str, Any]) -> str:
        try:
            text = "".join(self.template.blocks[name](self.template.new_context(dict(numbers))))
        except (TemplateError, LookupError, TypeError, ValueError) as error:
            where = f"'{self.file.parent.name}/{self.file.name}'"
            raise InputError(f"{where} must find its numbers in the tables. Got {in_one_line(error)}.") from error
        text = in_lines(text)
        for sentence in re.split(r"(?<=[.?!])\s", text):
            if FALSE in sentence:
                plain = sentence.replace(FALSE, "")
                raise InputError(
                    f"'sentences' must be false where the tables do not bear them out. Got “{plain}”"
                    f" of '{self.file.parent.name}/{self.file.name}', which is not so."
                )
        return text
