"""Question of Sec. 10.1: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=110, sections="10.1", tables=("counting_runs", "counting_lengths"))
