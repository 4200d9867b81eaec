"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=220, tables=("games",), figures={"games": ("games", "game_curves")})
