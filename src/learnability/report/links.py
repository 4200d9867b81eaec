"""Addresses within pages."""

import re


def heading_anchor(heading: str) -> str:
    """Anchor of a heading, as forges and the site name it.

    Example:
        >>> heading_anchor("2. Is any cell good at everything?")
        '2-is-any-cell-good-at-everything'
    """
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")
