"""Tests of its searches."""
