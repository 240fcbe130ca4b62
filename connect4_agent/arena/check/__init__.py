"""The check: it says whether an agent keeps the protocol, and what to repair."""
