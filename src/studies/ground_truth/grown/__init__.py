"""How does N₅₀ grow with the lag?"""
