"""What did the networks learn?"""
