"""Opening books: reading them, and the data files."""
