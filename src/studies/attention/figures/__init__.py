"""Figures, one module each; `draw(tables, style)` returns one."""
