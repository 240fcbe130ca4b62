"""Boards for people: in the terminal and in the browser."""
