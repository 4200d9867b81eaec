"""Statistics that know nothing of networks: stable laws, fits of decays, intervals of proportions, thresholds."""
