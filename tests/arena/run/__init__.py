"""The tests of runs on disk."""
