# The C types of layer.py.
cimport cython
from . cimport fours, tuning, word
from .word cimport bitboard

cdef unsigned long long WORD_MASK
cdef unsigned long long MIX_1
cdef unsigned long long MIX_2
cdef unsigned long long PATTERN_STEP
cdef int UNKNOWN


@cython.locals(value="unsigned long long")
cdef unsigned long long mix(unsigned long long key) noexcept nogil

cdef unsigned long long pattern_start(unsigned long long value, unsigned long long bits) noexcept nogil

cdef unsigned long long pattern_word(unsigned long long value, unsigned long long index) noexcept nogil


@cython.final
cdef class Retrieval:
    cdef object buffer
    cdef const unsigned char *data
    cdef int plane_count
    cdef bitboard *begins
    cdef bitboard *sizes
    cdef int *counts
    cdef int *numbers

    cpdef int find(self, unsigned long long key) except -1

    @cython.locals(
        value="unsigned long long", pattern_1="unsigned long long", pattern_2="unsigned long long",
        pattern_3="unsigned long long", pattern_4="unsigned long long", code_word=int, first=int, shorter=int, plane=int,
        count=int, start="unsigned long long", byte="unsigned long long", shift=int, bits="unsigned long long",
    )
    cdef int _find(self, unsigned long long key) noexcept nogil

    @cython.locals(bits="unsigned long long", byte="unsigned long long", index=int)
    cdef unsigned long long _bits(self, unsigned long long first, int shift) noexcept nogil


@cython.final
cdef class Layer:
    cdef readonly int width
    cdef readonly int height
    cdef int stride
    cdef readonly int plies
    cdef readonly long long count
    cdef Retrieval stored
    cdef bitboard bottom
    cdef bitboard board
    cdef bitboard *columns

    @cython.locals(own_word=bitboard, opponent_word=bitboard, ahead=int)
    cpdef object score(self, object own, object opponent, int max_ahead=*)

    @cython.locals(score=int)
    cpdef object immediate_score(self, object own, object opponent)

    @cython.locals(occupied=bitboard, playable=bitboard, dangers=bitboard, empties=int)
    cdef int _immediate_score(self, bitboard own, bitboard opponent) noexcept nogil

    @cython.locals(occupied=bitboard, playable=bitboard, move=bitboard, best=int, key=bitboard)
    cdef int _score(self, bitboard own, bitboard opponent, int ahead, int low, int high) noexcept nogil

    @cython.locals(mirrored=bitboard, cells=bitboard, column=int)
    cdef bitboard _mirrored(self, bitboard discs) noexcept nogil

    @cython.locals(surplus=int)
    cdef bint _is_reachable(self, bitboard own, bitboard opponent) noexcept nogil

    @cython.locals(tops=bitboard, cells=bitboard, cell=bitboard, row=int)
    cdef bint _comes_off(self, bitboard first, bitboard second) noexcept nogil
