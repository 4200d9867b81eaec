"""Figures of the ground truth."""
