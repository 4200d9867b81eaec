"""What do gates do, and what does a reservoir remember that nobody has trained?

The source is D. Bacciu, *Gated Recurrent Models*, handout notes of the lecture *Generative and Deep Learning*
(University of Pisa). Nineteen exhibits show its eighteen sections, each by a figure, tables and an answer. A statement
of the notes that can be false is a claim with a predicate, and its verdict is computed.
"""
