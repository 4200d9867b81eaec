"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=120, tables=("copied", "denoised"), figures=("copied", "denoised"))
