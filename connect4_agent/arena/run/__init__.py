"""A run on disk: its description, its games and what the solver says of them."""
