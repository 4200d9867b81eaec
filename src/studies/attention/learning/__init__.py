"""Which networks learn to copy and to denoise, and how fast?"""
