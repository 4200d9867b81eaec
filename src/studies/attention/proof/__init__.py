"""Where does the proof of Theorem 1 fail?"""
