"""Over how many steps do networks copy, and denoise?"""
