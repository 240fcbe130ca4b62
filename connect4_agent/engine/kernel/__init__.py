"""The kernel: hot code only, in plain Python, compiled where possible."""
