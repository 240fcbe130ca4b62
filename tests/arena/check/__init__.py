"""The tests of the compliance check."""
