"""G. Kerg et al., *Untangling tradeoffs between recurrence and self-attention in neural networks*: its theory."""
