"""What is left at twice the steps?"""
