"""Do networks that have not learned learn with more updates?"""
