"""Do cells that remember more learn more?"""
