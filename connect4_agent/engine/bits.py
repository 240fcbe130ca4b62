"""Counting and storing bits; bits.pxd holds what of this is inlined into compiled code."""

from array import array
from collections.abc import Iterable, MutableSequence
from typing import cast

MACHINE_BITS = 64
"""The bits of the compiled code's integers."""


def popcount(bits: int) -> int:
    """The number of one-bits."""
    return bits.bit_count()


def words(values: Iterable[int], word_bits: int) -> MutableSequence[int]:
    """A sequence of non-negative numbers below 2**word_bits: a typed array where a machine word holds them."""
    return array("Q", values) if word_bits <= MACHINE_BITS else list(values)


def zeros(count: int, word_bits: int) -> MutableSequence[int]:
    """As many zeros, in the same kind of sequence; memory is taken only as they are written over."""
    if word_bits > MACHINE_BITS:
        return [0] * count
    if count == 0:
        return array("Q")
    import mmap  # noqa: PLC0415  # a server that never searches has no use for it

    size = 8 * count
    if hasattr(mmap, "MAP_PRIVATE"):  # a process that forks must not share its tables; Windows knows no forks
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    else:
        pages = mmap.mmap(-1, size)
    return cast("MutableSequence[int]", memoryview(pages).cast("Q"))


def lowest_index(bits: int) -> int:
    """The place of the lowest one-bit of a number that is not 0."""
    return (bits & -bits).bit_length() - 1


def bit_length(bits: int) -> int:
    """The number of bits without leading zeros."""
    return bits.bit_length()


def prefetch(table: MutableSequence[int], index: int) -> None:
    """Tell the processor that this entry is needed soon; nothing to do here."""
