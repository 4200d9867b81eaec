"""Does attention keep gradients from vanishing, as a theory says, and what does it help to learn?

The paper is G. Kerg et al., [*Untangling tradeoffs between recurrence and self-attention in neural networks*][kerg]
(NeurIPS 2020, [arXiv 2006.09471](https://arxiv.org/abs/2006.09471)). Each statement of its appendix is computed, and
compared with automatic differentiation, exact fractions or recursions. Of its experiments there are gradients at
earlier steps of untrained networks, what they cost, and networks that copy, denoise, and name images and characters.

[kerg]: https://papers.nips.cc/paper/2020/hash/e2065cb56f5533494522c46a72f1dfb0-Abstract.html
"""
