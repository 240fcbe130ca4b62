"""Tools for developers, which the installed package does without."""
