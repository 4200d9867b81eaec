"""Recurrent cells of the literature compared: equal parameters, a tuned rate each, several tasks, one method."""
