"""What is measured rather than asserted: speed, strength and punctuality."""
