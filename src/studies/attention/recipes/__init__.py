"""Does the recipe of the authors' code train better than what the paper prints?"""
