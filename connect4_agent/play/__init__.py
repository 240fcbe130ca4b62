"""A board in the terminal, for people and agents."""
