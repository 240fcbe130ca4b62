"""Games between agents: matches, tournaments and what they prove."""
