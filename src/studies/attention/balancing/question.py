"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=230, tables=("cart_pole",), figures={"cart_pole": ("cart_pole", "game_curves")})
