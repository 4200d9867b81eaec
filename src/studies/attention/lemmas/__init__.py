"""Which lemmas hold exactly?"""
