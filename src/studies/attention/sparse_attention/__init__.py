"""Does sparse attention keep the gradient, and by how much, as Theorem 2 says?"""
