"""Question of Sec. 16: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=170, sections="16", tables=("deep_layers", "deep_decay", "deep_curves", "deep_settings"))
