"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=160, tables=("pixels",), figures={"pixels": ("curve", "pixels"), "attention_pixels": ("attention",)}
)
