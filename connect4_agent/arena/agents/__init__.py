"""The agents of games: a player in this process, or a program."""
