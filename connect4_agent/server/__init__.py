"""Requests and replies as lines, and the server that answers them."""
