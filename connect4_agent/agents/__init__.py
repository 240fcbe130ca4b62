"""The agents that take part in games, behind one interface: built-in players, and programs, which are never trusted."""
