"""Does each refinement from the RNN to the LSTM help?"""
