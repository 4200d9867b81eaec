"""Which networks classify images whose pixels come in a random order?"""
