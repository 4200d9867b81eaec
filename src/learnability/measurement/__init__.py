"""Measurement of a user's own recurrent model: `learnability.measure_model` and all that it needs.

A measurement gives `measured`: tables, with their views in `limits`, `figure` and `report`.
"""
