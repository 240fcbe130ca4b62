# The C types of evaluators.py.
cimport cython
from . cimport fours, word
from .word cimport bitboard

cdef int DECIDED


cdef class Evaluator:
    cdef int directions
    cdef int line_stride
    cdef bitboard board
    cdef int *steps
    cdef bitboard *starts
    cdef object error
    cdef bint needs_lock

    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil
    cdef int raise_error(self) except -1

    @cython.locals(pairs=bitboard)
    cdef bitboard _windows_in(self, bitboard cells, int step) noexcept nogil

    @cython.locals(cells=bitboard)
    cdef bitboard _alive(self, bitboard discs, bitboard opponent, int step) noexcept nogil


cdef class ThreatParity(Evaluator):
    cdef bitboard odd_rows
    cdef bitboard bottom
    cdef bitboard above_top

    @cython.locals(
        occupied=bitboard, empty=bitboard, playable=bitboard, own_threats=bitboard, threats=bitboard,
        total=int, forced=bitboard, mover_began=bint,
    )
    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil

    @cython.locals(alive=bitboard, total=int)
    cdef int _threats_worth(self, bitboard threats, bitboard others, bint owner_began) noexcept nogil

    @cython.locals(
        total=int, direction=int, step=int, start=bitboard, next_1=bitboard, next_2=bitboard, next_3=bitboard,
        low_any=bitboard, high_any=bitboard, low_one=bitboard, high_one=bitboard, twos=bitboard, ones=bitboard,
    )
    cdef int _windows_worth(self, bitboard discs, bitboard others) noexcept nogil


cdef class Potential(Evaluator):
    @cython.locals(empty=bitboard)
    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil

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
    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil


cdef class LongestRun(Evaluator):
    @cython.locals(longest=int, direction=int, step=int, pairs=bitboard)
    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil


cdef class OpenChains(Evaluator):
    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil

    @cython.locals(
        total=int, direction=int, step=int, alive=bitboard, one=bitboard, two=bitboard, three=bitboard,
    )
    cdef int _sum(self, bitboard discs, bitboard others) noexcept nogil


cdef class Positional(Evaluator):
    cdef bitboard *rings
    cdef bitboard *planes
    cdef int plane_count

    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil

    @cython.locals(
        total=int, rows=int, bit=int, direction=int, step=int, alive=bitboard, two=bitboard, three=bitboard,
    )
    cdef int _sum(self, bitboard discs, bitboard others) noexcept nogil


cdef class FunctionEvaluator(Evaluator):
    cdef object function

    cdef int _value(self, bitboard own, bitboard opponent) noexcept nogil
    cdef int _called(self, bitboard own, bitboard opponent) noexcept with gil
