"""How much easier does a common divisor make the task?"""
