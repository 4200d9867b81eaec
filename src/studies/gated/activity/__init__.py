"""Do penalties on activations keep units from saturation, and gradients from vanishing?"""
