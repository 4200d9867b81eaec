"""Does the spectral radius decide whether a reservoir forgets where it started?"""
