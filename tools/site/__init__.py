"""The board as static files for any web host: `python -m tools.site`."""
