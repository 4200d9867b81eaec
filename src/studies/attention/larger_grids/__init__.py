"""Do agents with memory that learned a small grid succeed on a larger one?"""
