"""What can a gradient detect, and when?"""
