"""How a move is chosen: the players."""
