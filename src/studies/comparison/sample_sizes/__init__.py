"""From how many sequences does each cell learn each lag?"""
