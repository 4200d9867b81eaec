"""Does each layer of a deep reservoir have a time scale of its own?"""
