"""Recurrent agents that learn from rewards: environments, rollouts, and proximal policy optimisation."""
