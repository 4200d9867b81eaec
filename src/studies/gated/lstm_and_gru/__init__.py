"""Which is better, an LSTM or a GRU?"""
