"""The kernel compiled for boards of up to 64 bits.

The modules below are not compiled. The compiled ones find them here when they say `from . import word`; of `word`,
`fours` and `tuning` they use the C instead, which the .pxd files of these names declare.
"""

from .. import fours, order, tuning, values, word

__all__ = ["fours", "order", "tuning", "values", "word"]
