"""The tests of class tournaments."""
