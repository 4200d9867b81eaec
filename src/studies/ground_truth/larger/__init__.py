"""Do the small networks speak for larger ones?"""
