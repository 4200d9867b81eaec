"""What decides how fast first-order envelopes fall?"""
