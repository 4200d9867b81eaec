"""Is the path through an LSTM's memory close to the identity?"""
