"""From how many sequences is a lag learned, and which quantity computed from gradients predicts it?

A study of our own: networks are trained from N sequences, and what they learn is compared with what was measured
before, the windows of L. Livi's [*Learnability Window in Gated Recurrent Neural Networks*][livi] and the noise scale
of [McCandlish et al. 2018][mccandlish].

[livi]: https://arxiv.org/abs/2512.05790
[mccandlish]: https://arxiv.org/abs/1812.06162
"""
