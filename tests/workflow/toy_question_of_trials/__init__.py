"""How long are the lags that are learned?"""
