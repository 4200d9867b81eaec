"""Do networks of twice the size require as much data?"""
