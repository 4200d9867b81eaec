"""Does an LSTM count, where a GRU of as many parameters does not?"""
