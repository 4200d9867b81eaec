"""Is any cell good at everything?"""
