"""The game: positions, their notation and pictures, and what scores mean."""
