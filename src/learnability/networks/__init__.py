"""A cell with its readout, its stored weights, and the two frozen on sequences."""
