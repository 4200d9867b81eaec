"""Does first order describe gradients?"""
