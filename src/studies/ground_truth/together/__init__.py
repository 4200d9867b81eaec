"""Are six lags learned if a task requires them at once?"""
