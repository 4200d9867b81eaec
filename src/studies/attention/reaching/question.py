"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=120, tables=("copied", "denoised"), figures={"copied": ("copied",), "denoised": ("denoised",)}
)
