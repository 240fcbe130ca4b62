"""A board as a picture: SVG, and the scripts and styles that reports and pages share."""
