"""How much of the gradient arrives at early steps, before training?"""
