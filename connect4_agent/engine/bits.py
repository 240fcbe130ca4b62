"""Counting and storing bits; bits.pxd holds what of this is inlined into compiled code."""

from array import array
from collections.abc import Iterable, MutableSequence

MACHINE_BITS = 64
"""The bits of the compiled code's integers."""


def popcount(bits: int) -> int:
    """The number of one-bits."""
    return bits.bit_count()


def words(values: Iterable[int], word_bits: int) -> MutableSequence[int]:
    """A sequence of non-negative numbers below 2**word_bits: a typed array where a machine word holds them."""
    return array("Q", values) if word_bits <= MACHINE_BITS else list(values)


def zeros(count: int, word_bits: int) -> MutableSequence[int]:
    """As many zeros, in the same kind of sequence."""
    return array("Q", bytes(8 * count)) if word_bits <= MACHINE_BITS else [0] * count
