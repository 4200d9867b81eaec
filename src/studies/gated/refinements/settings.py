"""Settings of Sec. 3 to 5."""

from studies.settings.sections import Count, Section, Share


class Settings(Section):
    """Secs. 3 to 5: what cells learn, in the order in which gates are added to them."""

    accuracy: Share
    """Share of the symbols from which they count as learned."""
    sequences: Count
    """Sequences on which states are measured after training."""
