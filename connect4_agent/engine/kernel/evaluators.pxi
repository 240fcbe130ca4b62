# The C types of evaluators.py.
cimport cython
from . cimport word
from .word cimport bitboard
from .evaluator cimport Evaluator


cdef class Potential(Evaluator):
    @cython.locals(empty=bitboard)
    cdef int _value(self, bitboard own, bitboard opponent) except? -1

    @cython.locals(
        total=int, twos=bitboard, threes=bitboard, direction=int, step=int, below_1=bitboard, above_1=bitboard,
    )
    cdef int _sum(self, bitboard discs, bitboard empty) noexcept nogil


cdef class Windows(Evaluator):
    @cython.locals(
        total=int, direction=int, step=int, start=bitboard,
        cell_1=bitboard, cell_2=bitboard, cell_3=bitboard, other_1=bitboard, other_2=bitboard, other_3=bitboard,
        no_own=bitboard, no_other=bitboard, both_low=bitboard, both_high=bitboard, one_low=bitboard, one_high=bitboard,
        threes=bitboard, twos=bitboard, other_threes=bitboard,
    )
    cdef int _value(self, bitboard own, bitboard opponent) except? -1


cdef class Called(Evaluator):
    cdef object function

    cdef int _value(self, bitboard own, bitboard opponent) except? -1
