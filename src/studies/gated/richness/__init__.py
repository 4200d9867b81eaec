"""Are the trajectories of a random reservoir rich: high-dimensional and nonlinear?"""
