"""Opening books: the scores and moves of the first plies, for boards of any size that has one."""
