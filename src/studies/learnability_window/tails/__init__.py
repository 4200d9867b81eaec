"""Is the noise of gradients heavy-tailed?"""
