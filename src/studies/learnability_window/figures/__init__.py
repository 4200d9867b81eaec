"""One module a figure, each with `draw(tables, style) -> Figure`; `panels` holds what several share."""
