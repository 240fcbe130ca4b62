# The C types of plans.py.
cimport cython
from . cimport fours, word
from .word cimport bitboard

cdef int MAX_FORCED
cdef int MAX_POSITIONS
cdef int MAX_FORCED_POSITIONS


@cython.final
cdef class Memory:
    cdef unsigned long long mask
    cdef int shift
    cdef bitboard key_mask
    cdef bitboard multiplier
    cdef bitboard *keys
    cdef int *numbers
    cdef int *filled
    cdef int count

    cdef void _clear(self) noexcept nogil

    @cython.locals(slot="unsigned long long")
    cdef inline unsigned long long _slot(self, bitboard key) noexcept nogil

    @cython.locals(slot="unsigned long long")
    cdef inline void _store(self, bitboard key, int number) noexcept nogil


@cython.final
cdef class Plans:
    cdef int width
    cdef int height
    cdef int line_stride
    cdef bitboard board
    cdef bitboard bottom
    cdef bitboard *columns
    cdef Memory memory
    cdef readonly int nodes
    cdef readonly long long positions
    cdef int budget
    cdef bint is_cut
    cdef bitboard *line
    cdef bitboard kept
    cdef bitboard *answers
    cdef int *order
    cdef bint wins
    cdef int depth
    cdef bitboard *path
    cdef int failed_at
    cdef bitboard taken
    cdef bitboard ends
    cdef bitboard spares
    cdef bitboard answered

    @cython.locals(own_word=bitboard, other_word=bitboard, most=int, length=int, index=int)
    cpdef list forced_line(self, object own, object other)

    @cython.locals(
        occupied=bitboard, playable=bitboard, wins=bitboard, others=bitboard, key=bitboard, slot="unsigned long long",
        threatened=bitboard, rest=bitboard, move=bitboard, after=bitboard, end=int,
    )
    cdef int _force(self, bitboard own, bitboard other, int most, int begin) noexcept nogil

    @cython.locals(index=int)
    cpdef use(self, object kept, list answers, list columns)
    cpdef int run(self, object own, object other, bint wins, int budget) except -1
    cdef int _start(self, bitboard own, bitboard other, bint wins, int budget) noexcept nogil

    @cython.locals(
        occupied=bitboard, playable=bitboard, key=bitboard, slot="unsigned long long", threats=bitboard, longest=int,
        rest=bitboard, move=bitboard, after=bitboard, plies=int,
    )
    cdef int _withstand(self, bitboard own, bitboard other) noexcept nogil

    @cython.locals(threatened=bitboard, must=bitboard, reply=bitboard, plies=int)
    cdef inline int _answer(self, bitboard own, bitboard other, bitboard move, bitboard playable) noexcept nogil

    @cython.locals(must=bitboard, safe=bitboard, reply=bitboard, quiet=bitboard)
    cdef inline bitboard _reply(
        self, bitboard occupied, bitboard threatened, bitboard move, bitboard playable
    ) noexcept nogil

    @cython.locals(cells=bitboard, column=int, free=bitboard, kept=bitboard)
    cdef bitboard _odd_columns(self, bitboard occupied) noexcept nogil

    @cython.locals(index=int)
    cdef bitboard _first(self, bitboard cells) noexcept nogil

    @cython.locals(own_word=bitboard, other_word=bitboard, occupied=bitboard, playable=bitboard, reply=bitboard, threatened=bitboard)
    cpdef object reply(self, object own, object other, object move)

    @cython.locals(
        own_word=bitboard, other_word=bitboard, occupied=bitboard, rest=bitboard, threats=bitboard, longest=int,
        best=bitboard, reply=bitboard, move=bitboard, after=bitboard, plies=int,
    )
    cpdef list longest_play(self, object own, object other)

    @cython.locals(own_word=bitboard, other_word=bitboard)
    cpdef object find(self, object own, object other, bint wins, long long budget)

    @cython.locals(index=int)
    cdef void _forget_path(self) noexcept nogil

    cdef bint _proves(self, bitboard own, bitboard other, tuple rule, bint wins) except -1

    @cython.locals(own_word=bitboard, other_word=bitboard)
    cdef object _mend(self, object own, object other, bint wins, list failed, long long most)

    @cython.locals(index=int)
    cdef list _failure(self)

    @cython.locals(kept_before=bitboard)
    cdef list _pairings(self, object occupied, object kept)
