"""What does a good cell cost?"""
