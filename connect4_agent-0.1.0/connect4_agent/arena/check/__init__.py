"""Whether an agent keeps the protocol."""
