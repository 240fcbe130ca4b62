# The C types of book.py.
cimport cython
from . cimport tuning, word
from .word cimport bitboard

cdef int BLOCK_KEYS


@cython.final
cdef class Section:
    cdef object buffer
    cdef const unsigned char *data
    cdef long long key_count
    cdef long long block_count
    cdef readonly int plies
    cdef long long first_keys
    cdef long long begins
    cdef long long differences
    cdef long long values
    cdef long long indices
    cdef int index_bytes

    @cython.locals(value=int)
    cpdef object find(self, object key)

    @cython.locals(key=bitboard, begin="long long", index="long long", length=int)
    cpdef list block_items(self, long long block)

    @cython.locals(
        low="long long", high="long long", middle="long long", block="long long", passed=bitboard, begin="long long",
        index="long long", last="long long", length=int,
    )
    cdef int _find(self, bitboard key) noexcept nogil

    @cython.locals(length=int)
    cdef int _length(self, long long begin) noexcept nogil

    @cython.locals(difference=bitboard, index="long long")
    cdef bitboard _difference(self, long long begin, int length) noexcept nogil

    @cython.locals(value="long long")
    cdef int _value(self, long long index) noexcept nogil


@cython.final
cdef class Book:
    cdef readonly int width
    cdef readonly int height
    cdef int stride
    cdef bitboard column_mask
    cdef readonly object scores
    cdef readonly object replies
    cdef int score_plies
    cdef int reply_plies
    cdef object read_layer
    cdef object layer

    @cython.locals(own_word=bitboard, occupied=bitboard, discs=int, key=bitboard, canonical=bitboard)
    cpdef object reply(self, object own, object opponent)

    cpdef bint may_know(self, int discs) except -1

    @cython.locals(own_word=bitboard, occupied=bitboard, discs=int, value=object)
    cpdef object score(self, object own, object opponent)

    cdef object _layer(self)

    @cython.locals(mirrored=bitboard, rest=bitboard, _=int)
    cdef bitboard _canonical(self, bitboard key) noexcept nogil
