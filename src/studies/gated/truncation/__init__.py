"""What do gradients that are cut after K steps miss, and what do they save?"""
