"""The word that holds a board, arrays of words, and bit tricks.

Here a word is Python's own integer, which has no width. A compiled form has a machine word of a fixed
width; its word.pxd declares the same names in C, and its other modules get those instead.
"""


def from_int(value: int) -> int:
    """Return a non-negative Python integer as a word; a compiled form raises OverflowError if it does not fit."""
    return value


def to_int(word: int) -> int:
    """Return a word as a Python integer."""
    return word


def zeros(count: int) -> list[int]:
    """Return an array of zeros. The caller owns it and releases it."""
    return [0] * count


def nothing() -> list[int]:
    """Return no array: what an owner has instead of one that was released."""
    return []


def words(values: list[int]) -> list[int]:
    """Return an array of these words. The caller owns it and releases it."""
    return list(values)


def ints(values: list[int]) -> list[int]:
    """Return an array of these small integers. The caller owns it and releases it."""
    return list(values)


def view_bytes(buffer: bytes) -> bytes:
    """Return the bytes of a buffer, which the caller keeps alive and unchanged."""
    return buffer


def number(data: bytes, begin: int, length: int) -> int:
    """Return the number that is stored in this many bytes from `begin` on, at most 8, the lowest byte first."""
    return int.from_bytes(data[begin : begin + length], "little")


def release(array: list[int]) -> None:
    """Give an array of words back; the interpreter does so by itself."""


def release_ints(array: list[int]) -> None:
    """Give an array of small integers back; the interpreter does so by itself."""


def popcount(bits: int) -> int:
    """Return the number of one-bits."""
    return bits.bit_count()


def parity(bits: int) -> int:
    """Return 1 if the number of one-bits is odd, otherwise 0."""
    return bits.bit_count() & 1


def lowest_index(bits: int) -> int:
    """Return the index of the lowest one-bit of a number that is not 0."""
    return (bits & -bits).bit_length() - 1


def bit_length(number: int) -> int:
    """Return the number of bits without leading zeros, of a count of at most 64 bits."""
    return number.bit_length()


def prefetch(array: list[int], index: int) -> None:
    """Tell the processor that this entry is needed soon; nothing to do here."""


def yield_to_threads() -> object:
    """Let other Python threads run from now on, in compiled code; return what `resume` needs."""
    return None


def resume(yielded: object) -> None:
    """Be the only running Python thread again."""
