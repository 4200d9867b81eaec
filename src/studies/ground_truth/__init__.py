"""From how many sequences is a lag learned, and which number of gradients foretells it?

A study of our own: networks are trained from N sequences, and what they learn is held against windows and noise scales of
L. Livi's [*Learnability Window in Gated Recurrent Neural Networks*](https://arxiv.org/abs/2512.05790) and of
[McCandlish et al. 2018](https://arxiv.org/abs/1812.06162), measured beforehand.
"""
