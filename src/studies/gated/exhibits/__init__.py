"""Exhibits, one module each; `make(asked)` returns one."""
