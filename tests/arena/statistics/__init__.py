"""The tests of the report."""
