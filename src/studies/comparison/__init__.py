"""Which recurrent cell learns what, at equal parameters and a learning rate tuned for each?

A study of our own: cells of the literature, from the plain RNN to state spaces and attention, by one method at several
tasks, and what was measured of them before training.
"""
