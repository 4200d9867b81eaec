"""Do the statements of the paper's appendices hold?"""
