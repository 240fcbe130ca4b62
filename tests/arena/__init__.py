"""The tests of the arena."""
