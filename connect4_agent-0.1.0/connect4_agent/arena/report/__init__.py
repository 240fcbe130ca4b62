"""The report on a run's games: as values, as text and as a page."""
