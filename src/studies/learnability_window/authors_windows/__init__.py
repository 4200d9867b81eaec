"""Do the windows of the author's code come out?"""
