"""Tiny agents, most of them misbehaving, each run as a program of its own."""
