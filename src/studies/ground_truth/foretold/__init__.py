"""Does any quantity computed from gradients predict N₅₀?"""
