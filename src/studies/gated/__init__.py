"""What do gates do, and what does a reservoir remember that nobody has trained?

The source is D. Bacciu, *Gated Recurrent Models*, handout notes of the lecture *Generative and Deep Learning*
(University of Pisa). Each of its eighteen sections is an exhibit: a figure, tables, an answer, and for each statement
that can be false a number by which it is judged.
"""
