"""Does anything before training tell which cell will learn?"""
