"""How long does a leaky unit remember?"""
