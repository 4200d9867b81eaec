"""Is the gradient a sum over paths, as Propositions 1 and 2 say?"""
