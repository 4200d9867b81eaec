"""Agents with memory in MiniGrid: Appendix B and Table 4 of Kerg et al. 2020."""
