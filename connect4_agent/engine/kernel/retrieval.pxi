# The C types of retrieval.py.
cimport cython
from . cimport word
from .word cimport bitboard

cdef int PATTERN_WORDS
cdef unsigned long long WORD_MASK
cdef unsigned long long MIX_1
cdef unsigned long long MIX_2
cdef unsigned long long PATTERN_STEP


@cython.locals(value="unsigned long long")
cdef unsigned long long mixed(unsigned long long key, unsigned long long offset) noexcept nogil

cdef unsigned long long place_of(unsigned long long value, unsigned long long bits) noexcept nogil

cdef unsigned long long pattern_of(unsigned long long value, unsigned long long index) noexcept nogil


cdef class Retrieval:
    cdef object buffer
    cdef const unsigned char *data
    cdef object lengths_buffer
    cdef const unsigned char *lengths
    cdef int plane_count
    cdef bitboard *begins
    cdef bitboard *sizes
    cdef bitboard *offsets
    cdef int number_count
    cdef int *numbers
    cdef int contexts
    cdef int *is_read
    cdef int *ordered
    cdef int *counts
    cdef int *firsts

    cpdef int find(self, unsigned long long key, int context) except -1

    @cython.locals(
        row=int, code_word=int, skipped=int, rank=int, plane=int, value="unsigned long long", place="unsigned long long",
        first="unsigned long long", shift=int, found="unsigned long long", index=int,
    )
    cdef int _find(self, unsigned long long key, int context) noexcept nogil

    @cython.locals(found="unsigned long long", byte="unsigned long long", index=int)
    cdef unsigned long long _bits(self, unsigned long long first, int shift) noexcept nogil

    @cython.locals(begin=int, row=int, place=int, first=int, length=int, index=int)
    cdef void _read_code(self, int context) noexcept nogil
