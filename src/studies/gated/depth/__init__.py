"""Are stacked LSTMs more expressive, and do higher layers see more of the past?"""
