"""Jobs of the study."""
