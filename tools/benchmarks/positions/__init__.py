"""Seeded sets of positions with their exact scores, a file for each class: moves and score on every line."""
