"""What takes part in games: a player in this process, or a program."""
