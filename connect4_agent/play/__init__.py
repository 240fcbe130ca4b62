"""How people play: in the terminal and in the browser."""
