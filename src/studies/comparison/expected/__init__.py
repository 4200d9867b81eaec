"""Which expectations came true?"""
