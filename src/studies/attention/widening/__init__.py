"""Does attention widen what a network can learn from N sequences?"""
