"""Does dropout make a recurrence noisy, and does it help?"""
