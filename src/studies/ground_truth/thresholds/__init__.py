"""From how many sequences is a lag learned?"""
