# The C types of playouts.py.
cimport cython
from . cimport fours, word
from .word cimport bitboard

cdef unsigned long long RANDOM_MASK


cdef class Playouts:
    cdef int line_stride
    cdef bitboard bottom
    cdef bitboard board
    cdef unsigned long long state
    cdef readonly long long plies
    cdef object poll
    cdef long long poll_mask

    @cython.locals(mover=bitboard, waiting=bitboard, playable=bitboard, points=int, skipped=int)
    cdef int _finish(self, bitboard own, bitboard opponent) except -1

    @cython.locals(state="unsigned long long")
    cdef int _random_below(self, unsigned long long count) noexcept nogil
