"""Words for kinds of noise and transport, and suffixes of the columns of an interval."""

ENDS = ("", "_low", "_high")
"""Suffixes of the columns of a value and of the ends of its 95 % interval."""
NOISES = {"total": "noise of the whole gradient", "matched": "noise of the lag's own part"}
TRANSPORTS = {"exact": "exact transport", "first_order": "first-order transport"}
