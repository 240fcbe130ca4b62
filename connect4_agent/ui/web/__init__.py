"""A board in the browser, and the JSON interface behind it."""
