"""Which size matters more for the gradient: of the relevant set (ρ) or of the short-term buffer (ν)?"""
