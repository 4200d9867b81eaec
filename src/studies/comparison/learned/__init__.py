"""Which cells learn which task?"""
