# The C types of search.py.
cimport cython
from . cimport fours, word
from .word cimport bitboard
from .evaluator cimport Evaluator

cdef int WIN
cdef int BEYOND
cdef int DECIDED_FROM
cdef int LOWER_BOUND
cdef int UPPER_BOUND
cdef int EXACT
cdef int LATEST_GENERATION
cdef long long VALUE_OFFSET
cdef int LEFT_TO_RIGHT
cdef int CENTRE_FIRST
cdef int CHAINS_FIRST
cdef int THREATS_FIRST


@cython.final
cdef class Search:
    cdef int width
    cdef int stride
    cdef int ordering
    cdef Evaluator evaluator
    cdef bitboard bottom
    cdef bitboard board
    cdef bitboard *columns
    cdef bitboard *last_columns
    cdef int *column_numbers
    cdef int *urgencies
    cdef unsigned long long table_size
    cdef bitboard *table
    cdef unsigned long long generation
    cdef readonly long long nodes
    cdef readonly int best_value
    cdef readonly int best_rank
    cdef object poll
    cdef long long poll_interval
    cdef long long next_poll

    @cython.locals(playable=bitboard, wins=bitboard, move=bitboard, empties=int, rank=int, alpha=int, value=int, best=int)
    cdef _best_ranks(self, bitboard own, bitboard opponent, int depth, order, bint every_tie)

    @cython.locals(
        occupied=bitboard, playable=bitboard, dangers=bitboard, forced=bitboard, key=bitboard, slot="unsigned long long",
        move=bitboard, entry="unsigned long long", stored=int, bound=int, same_depth=bint, is_low=bint, is_high=bint,
        first=int, best=int, best_rank=int, floor=int, row=int, turn=int, rank=int, most=int, value=int,
    )
    cdef int _negamax(self, bitboard own, bitboard opponent, int empties, int depth, int alpha, int beta) except? -2147483648

    cdef _call_poll(self)

    cdef int _urgency(self, bitboard own, bitboard opponent, bitboard move, int rank) noexcept

    @cython.locals(total=int, step=int)
    cdef int _column_score(self, bitboard own, bitboard opponent, bitboard move) noexcept

    @cython.locals(total=int, way=int, worth=int, length=int, cell=bitboard)
    cdef int _chain_score(self, bitboard discs, bitboard move, int step, int ways) noexcept nogil

    @cython.locals(cells=bitboard, upright_only=bint)
    cdef bitboard _threats(self, bitboard discs, bitboard occupied) noexcept nogil
