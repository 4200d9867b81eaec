"""Does the order of cells hold at other sizes?"""
