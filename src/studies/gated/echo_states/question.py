"""Question of Sec. 11 to 13: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=130, sections="11 to 13", tables=("echo_stretch", "echo_exponents", "echo_counterexamples"))
