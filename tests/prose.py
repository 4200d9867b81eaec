"""Sentences of Markdown, and what a reader stumbles over in them."""

import re
from collections.abc import Iterator

MOST_WORDS = 30
"""Words of a sentence."""
WORDS = {
    r"foret(?:ell|old)\w*": "predict",
    r"h(?:e|o)ld\w* against": "compared with",
    r"h(?:a|u)ng\w* on": "depends on",
    r"decades?": "orders of magnitude",
    r"(?:goes|go) with the square": "scales as T²",
    r"a guess": "chance level",
    r"(?:that|those) of|theirs": "the noun again",
}
"""Words to avoid, and what to say instead."""
ABBREVIATIONS = ("al", "Fig", "Eq", "Sec", "App", "vs", "e.g", "i.e")
MATHEMATICS = r"\$\$.*?\$\$|\$[^$]*\$|``[^`]*``|`[^`]*`"
"""Formulas and code, each of which counts as a word."""
OUTSIDE = r"^(?:```|~~~).*?^(?:```|~~~)|<!--.*?-->|^ *(?:\||#|!\[|>>>|\.\.\. |    ).*?$"
"""Code, comments, tables, headings and pictures."""


def sentences(markdown: str) -> Iterator[str]:
    """Sentences of all paragraphs and entries of lists; what stands behind a colon is one of its own."""
    text = re.sub(OUTSIDE, "", markdown, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(MATHEMATICS, "X", text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^]]*)\](?:\([^)]*\)|\[[^]]*\])", r"\1", text)
    text = re.sub(r"<[^>]+>|\*+", "", re.sub(r"^\s*(?:[*-]|\d{1,2}\.)\s", "\n\n", text, flags=re.MULTILINE))
    ends = "".join(rf"(?<!\b{re.escape(word)}\.)" for word in ABBREVIATIONS) + r"(?<=[.!?:])\s+"
    for paragraph in re.split(r"\n\s*\n", text):
        yield from filter(None, (" ".join(part.split()) for part in re.split(ends, paragraph)))


def faults(sentence: str) -> list[str]:
    """What is wrong with a sentence, in words.

    Example:
        >>> faults("Of the two, that of the LSTM is -0.5.")
        ["opens with 'Of'", "says 'that of' for the noun again", "writes '-0' with a hyphen for a minus sign"]
    """
    count = len(re.findall(r"\S*\w\S*", sentence))
    notes = [f"has {count} words"] if count > MOST_WORDS else []
    notes += [f"opens with '{match[1]}'" for match in re.finditer(r"^(Of|With)\b", sentence)]
    for pattern, instead in WORDS.items():
        notes += [f"says '{match[0]}' for {instead}" for match in re.finditer(rf"\b(?:{pattern})\b", sentence, re.I)]
    hyphens = re.finditer(r"(?:(?<=^)|(?<=[\s(=^|,]))-\d", sentence)
    notes += [f"writes '{match[0]}' with a hyphen for a minus sign" for match in hyphens]
    return notes + [
        f"writes '{match[0]}' for a power of ten" for match in re.finditer(r"\b\d[.\d]*e[+-]?\d+", sentence)
    ]
