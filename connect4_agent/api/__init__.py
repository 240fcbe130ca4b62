"""What Python programs use; the package itself has all of the public names."""
