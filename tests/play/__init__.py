"""Tests of what people play at."""
