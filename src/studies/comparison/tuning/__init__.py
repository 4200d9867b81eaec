"""What does tuning hide?"""
