"""Learnability windows in gated recurrent networks.

Read from the ground up: `cells` and `tasks`, `training`, `transport` (effective learning rates), `statistic`
(the matched statistic), `stable` (its law), `detection` (sample need and window), `figures` and `claims`.
"the paper" is L. Livi, *Learnability Window in Gated Recurrent Neural Networks*; equation numbers are its own.
"""
