"""Statements of the paper's appendices, computed: one module each.

A `expansion`, B `jacobians`, C `concentration`, D `divergence`, E `information`, F `lemmas` and `bounds`,
G `inversion`, H `residuals`, I `optimizers`. Where a statement does not hold, docs/errata.md says so.
"""
