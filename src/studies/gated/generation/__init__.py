"""Is it harder to continue a series than to predict its next value?"""
