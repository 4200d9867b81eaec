"""Does any such quantity order architectures as they learn?"""
