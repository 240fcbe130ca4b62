"""Statistics of results: ratings, intervals and sequential tests, as pure functions."""
