"""Is a reservoir cheaper to train than a network by BPTT, at equal numbers of units?"""
