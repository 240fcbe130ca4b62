"""Other harnesses: each file turns one's question into a Position and a Player's choice into its answer."""
