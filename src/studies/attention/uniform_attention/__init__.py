"""Does uniform attention keep the gradient from falling faster than 1/T, as Theorem 1 says?"""
