"""What networks learn from N sequences, and which number that gradients give beforehand foretells it."""
