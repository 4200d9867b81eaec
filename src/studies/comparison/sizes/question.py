"""Tables that answer the question, and figures that it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=95, tables=("by_size", "orders", "orders_expected"), figure="sizes")
