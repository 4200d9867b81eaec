"""Does a random reservoir make points linearly separable, as Cover's theorem says of more dimensions?"""
