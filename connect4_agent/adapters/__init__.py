"""Other harnesses: each file turns a harness's question into a Position, and a player's choice into its answer."""
