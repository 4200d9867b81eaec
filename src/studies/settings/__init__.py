"""Settings of a configuration, as models; those of a study or of a question are in its folder."""
