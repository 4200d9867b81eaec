"""Figures, one module for each exhibit; `draw(tables, style)` returns one."""
