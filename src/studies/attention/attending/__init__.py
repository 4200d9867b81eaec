"""To how many states does a trained network attend?"""
