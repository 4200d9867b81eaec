"""Which network ends with the smallest loss?"""
