"""Colours of pages, for tests: how much two of them differ in brightness, as WCAG 2 defines it."""

from __future__ import annotations

ENHANCED_CONTRAST = 7
"""The least contrast of a text that is easy to read, by WCAG 2."""


def luminance(colour: str) -> float:
    """How bright a colour of the form rgb(0, 0, 0) is, from 0 to 1."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """From 1, none, to 21, black on white."""
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)
