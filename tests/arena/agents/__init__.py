"""Tiny programs, most of them misbehaving, each run as an agent of its own; beside them the tests of agents."""
