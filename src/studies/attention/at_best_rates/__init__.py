"""Does attention help if each network is trained at its best learning rate?"""
