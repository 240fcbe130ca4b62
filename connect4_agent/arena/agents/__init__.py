"""The agents that take part in games, behind one interface: built-in players, Python objects and programs."""
