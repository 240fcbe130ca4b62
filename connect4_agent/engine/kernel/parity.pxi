# The C types of parity.py.
cimport cython
from . cimport word
from .word cimport bitboard
from .evaluator cimport Evaluator

cdef int DECIDED


cdef class ThreatParity(Evaluator):
    cdef bitboard odd_rows
    cdef bitboard bottom
    cdef bitboard above_top

    @cython.locals(
        occupied=bitboard, empty=bitboard, playable=bitboard, own_threats=bitboard, threats=bitboard,
        total=int, forced=bitboard, mover_began=bint,
    )
    cdef int _value(self, bitboard own, bitboard opponent) except? -1

    @cython.locals(alive=bitboard, total=int)
    cdef int _threats_worth(self, bitboard threats, bitboard others, bint owner_began) noexcept nogil

    @cython.locals(
        total=int, direction=int, step=int, start=bitboard, next_1=bitboard, next_2=bitboard, next_3=bitboard,
        low_any=bitboard, high_any=bitboard, low_one=bitboard, high_one=bitboard, twos=bitboard, ones=bitboard,
    )
    cdef int _windows_worth(self, bitboard discs, bitboard others) noexcept nogil
