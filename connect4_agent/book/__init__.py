"""The opening book: what is known about the first plies of the 7x6 game."""
