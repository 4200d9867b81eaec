"""What the question is answered from, and what it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=30, tables=("rates", "tuning"), figure="tuned")
