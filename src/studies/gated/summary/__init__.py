"""Which cells learn most, see farthest and remember most, at equal size?"""
