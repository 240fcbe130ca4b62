"""How to choose a move."""
