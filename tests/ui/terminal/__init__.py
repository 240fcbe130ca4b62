"""Tests of the board in the terminal."""
