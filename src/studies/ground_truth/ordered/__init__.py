"""Does any such quantity rank architectures by the sequences that they need?"""
