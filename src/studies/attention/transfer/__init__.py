"""Do networks that copy over one delay copy over longer ones?"""
