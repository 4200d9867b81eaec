"""Which lags does each cell learn?"""
