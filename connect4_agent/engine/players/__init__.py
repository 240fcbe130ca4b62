"""The players, which choose moves."""
