"""Building and checking opening books."""
