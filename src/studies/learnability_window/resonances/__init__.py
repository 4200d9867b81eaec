"""How do networks respond at several lags?"""
