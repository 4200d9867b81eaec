"""L. Livi, *Learnability Window in Gated Recurrent Neural Networks*: its figures, tables, claims and theory."""
