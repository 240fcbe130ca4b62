"""How people play: a board in the terminal and in the browser."""
