"""Do gates learn when to write and when to forget?"""
