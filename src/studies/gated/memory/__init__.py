"""At which spectral radius does a reservoir remember longest, and does it help to project at random?"""
