"""Are lags detected before they are learned, with attention as without?"""
