"""Why a position, a column or a move is worth what it is, proven."""
