"""The forms of the kernel that its tests run in."""

from __future__ import annotations

import pytest

from connect4_agent.engine.kernel import forms

each_form = pytest.mark.parametrize("form", [*forms.WORD_BITS, forms.PLAIN])
"""Runs a test in every form; a compiled one is skipped where nothing was compiled."""


def forms_for(width: int, height: int) -> list[str]:
    """The forms that are there and can hold a board of this size, the plain one last."""
    compiled = [form for form in forms.WORD_BITS if forms.fits(form, width, height) and forms.is_available(form)]
    return [*compiled, forms.PLAIN]
