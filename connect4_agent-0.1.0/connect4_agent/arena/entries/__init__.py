"""Entries: how a program that was handed in is copied, built and started."""
