"""The tests of the wire protocol."""
