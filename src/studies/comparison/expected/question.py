"""What the question is answered from, and what it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=90, tables=("expectations", "choices"), figure="expectations")
