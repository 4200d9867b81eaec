"""Learnability windows in gated recurrent networks.

Rooms, from the ground up: `core` (tables on disk, random streams, errors), `stats` (stable laws), `cells` and `tasks`,
`networks`, `training`, `transport` (effective learning rates, exact products), `windows` (the matched statistic, its
noise, sample complexities and windows) and `report` (pages). A room imports those below it alone.
"the paper" is L. Livi, *Learnability Window in Gated Recurrent Neural Networks*; equation numbers are its own.
"""
