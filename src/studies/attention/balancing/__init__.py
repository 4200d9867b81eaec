"""Do agents learn here as published ones do?"""
