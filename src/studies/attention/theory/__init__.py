"""Statements of the paper's appendix A, computed: one module for each group of them.

`mem_rnn` the network; `paths` Propositions 1 and 2, Lemmas 1 to 6, Corollary 1; `parameters` Lemmas 7 and 8;
`sums` Lemmas 9 to 12, Proposition 3, and where the proof of Proposition 4 fails; `uniform` Proposition 4 and Theorem 1,
`exponents` what becomes of their powers of T;
`sparse` Theorem 2.
"""
