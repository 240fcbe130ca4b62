# The C types of chains.py.
cimport cython
from . cimport word
from .word cimport bitboard
from .evaluator cimport Evaluator


cdef class LongestRun(Evaluator):
    cdef int _value(self, bitboard own, bitboard opponent) except? -1

    @cython.locals(longest=int, direction=int, step=int, pairs=bitboard)
    cdef int _longest(self, bitboard discs) noexcept nogil


cdef class OpenChains(Evaluator):
    cdef int _value(self, bitboard own, bitboard opponent) except? -1

    @cython.locals(
        total=int, direction=int, step=int, alive=bitboard, one=bitboard, two=bitboard, three=bitboard,
    )
    cdef int _sum(self, bitboard discs, bitboard others) noexcept nogil


cdef class Positional(Evaluator):
    cdef bitboard *rings
    cdef bitboard *planes
    cdef int plane_count

    cdef int _value(self, bitboard own, bitboard opponent) except? -1

    @cython.locals(
        total=int, rows=int, bit=int, direction=int, step=int, alive=bitboard, two=bitboard, three=bitboard,
    )
    cdef int _sum(self, bitboard discs, bitboard others) noexcept nogil
