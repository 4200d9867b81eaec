"""Figures of the question, a module with `draw(tables, style)` for each."""
