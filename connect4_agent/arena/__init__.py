"""How players meet: matches, tournaments and what they prove."""
