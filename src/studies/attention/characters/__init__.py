"""Which networks predict the next character of a text?"""
