"""Benchmarks: figures measured side by side in one run, given as ratios."""
