"""A study that is nothing but new files: which symbol came some steps ago?"""
