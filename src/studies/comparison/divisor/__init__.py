"""How much easier does a common divisor of the lags make the sum?"""
