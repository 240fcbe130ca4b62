"""Many positions at once: labels, exact scores, and how well a policy plays."""
