"""The tests of entries: copied, built and started."""
