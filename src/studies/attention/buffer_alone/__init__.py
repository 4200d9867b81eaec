"""Is attention to the short-term buffer enough?"""
