"""The front page: what the project found, in one picture of three panels made from stored tables."""
