"""Does a mini-batch give the full gradient with less noise, and does training gain by it?"""
