# The C types of evaluator.py.
cimport cython
from . cimport word
from .word cimport bitboard


cdef class Evaluator:
    cdef int directions
    cdef bitboard board
    cdef int *steps
    cdef bitboard *starts

    cdef int _value(self, bitboard own, bitboard opponent) except? -1

    @cython.locals(pairs=bitboard)
    cdef bitboard _windows_in(self, bitboard cells, int step) noexcept nogil

    @cython.locals(cells=bitboard)
    cdef bitboard _alive(self, bitboard discs, bitboard opponent, int step) noexcept nogil

    @cython.locals(
        fours=bitboard, direction=int, step=int,
        below_1=bitboard, below_2=bitboard, above_1=bitboard, above_2=bitboard,
    )
    cdef bitboard _fours(self, bitboard discs, bitboard empty) noexcept nogil
