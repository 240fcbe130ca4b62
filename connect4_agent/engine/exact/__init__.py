"""Proven results: scores, analyses and the quality of moves."""
