"""Does it matter where gates start?"""
