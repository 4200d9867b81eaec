"""Do irrelevant inputs saturate an identity recurrence?"""
