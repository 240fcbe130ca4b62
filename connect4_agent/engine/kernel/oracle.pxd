# The C types of oracle.py.
cimport cython
from . cimport fours, tuning, word
from .word cimport bitboard
from .solver cimport Solver

cdef int FULL
cdef int PENDING
cdef int UNKNOWN


@cython.final
cdef class Oracle:
    cdef int width
    cdef int line_stride
    cdef bitboard board
    cdef bitboard bottom
    cdef bitboard *columns
    cdef int *order
    cdef object book
    cdef object solver
    cdef int max_bounded

    cpdef int score(self, object own, object opponent, object poll) except? -1000000

    @cython.locals(own_word=bitboard, opponent_word=bitboard, score=int)
    cpdef int bounded(self, object own, object opponent, object poll, int floor) except? -1000000

    @cython.locals(
        own_word=bitboard, opponent_word=bitboard, occupied=bitboard, playable=bitboard, wins=bitboard, empties=int,
        index=int, column=int, move=bitboard, score=int,
    )
    cpdef bint score_columns(self, object own, object opponent, object poll, list scores) except -1

    @cython.locals(
        count="Py_ssize_t", own_words="bitboard *", opponent_words="bitboard *", scores="int *", bounds="int *", index="Py_ssize_t", score=int,
    )
    cpdef list score_many(self, list owns, list opponents, Solver solver, object poll, bint weak)

    @cython.locals(
        pending="Py_ssize_t", number="Py_ssize_t", own=bitboard, opponent=bitboard, occupied=bitboard, playable=bitboard,
        wins=bitboard, empties=int, is_known=bint, column=int, move=bitboard, score=int,
    )
    cdef Py_ssize_t _look_up_many(
        self, bitboard *owns, bitboard *opponents, Py_ssize_t count, int *scores, int *bounds, object poll
    ) except -1

    @cython.locals(
        number="Py_ssize_t", own=bitboard, opponent=bitboard, playable=bitboard, index=int, column=int,
        where="Py_ssize_t", move=bitboard,
    )
    cdef void _solve_many(
        self, bitboard *owns, bitboard *opponents, Py_ssize_t count, int *scores, int *bounds, Solver solver,
        bint weak,
    ) noexcept nogil
    cdef int _solve(self, bitboard own, bitboard opponent, int least, Solver solver) noexcept nogil

    @cython.locals(score=int, least=int)
    cdef int _score(self, bitboard own, bitboard opponent, object poll) except? -1000000
    cdef int _solved(self, bitboard own, bitboard opponent, object poll, int lowest, int highest) except? -1000000

    @cython.locals(occupied=bitboard, score=object)
    cdef int _known(self, bitboard own, bitboard opponent, object poll) except? -1000000
    cdef bint _may_know(self, int discs) except -1

    @cython.locals(least=int, occupied=bitboard, last=bitboard, cell=bitboard, score=int)
    cdef int _least(self, bitboard own, bitboard opponent, object poll) except? -1000000
    cdef bitboard _wins(self, bitboard own, bitboard occupied) noexcept nogil
