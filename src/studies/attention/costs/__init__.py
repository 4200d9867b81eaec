"""What does attention cost as sequences grow?"""
