# The C types of search.py.
cimport cython
from . cimport fours, tuning, word
from .word cimport bitboard
from .evaluators cimport Evaluator

cdef int WIN
cdef int DECIDED_FROM
cdef int LOWER_BOUND
cdef int UPPER_BOUND
cdef int EXACT
cdef int LATEST_GENERATION
cdef int THREATS
cdef int OPEN_CHAINS
cdef int EVALUATION
cdef long long VALUE_OFFSET


@cython.final
cdef class Search:
    cdef int width
    cdef int line_stride
    cdef Evaluator evaluator
    cdef bitboard bottom
    cdef bitboard board
    cdef bitboard *columns
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
    cdef int move_order
    cdef bint rates_full_boards
    cdef bint root_fills
    cdef object error
    cdef bint is_running
    cdef bint is_stopped
    cdef bint has_yielded
    cdef void *yielded

    cdef int _check_idle(self) except -1

    @cython.locals(playable=bitboard, wins=bitboard, move=bitboard, empties=int, rank=int, alpha=int, value=int, best=int)
    cdef _best_ranks(self, bitboard own, bitboard opponent, int depth, order, bint every_tie)

    @cython.locals(
        occupied=bitboard, playable=bitboard, dangers=bitboard, forced=bitboard, key=bitboard, slot="unsigned long long",
        move=bitboard, threats=bitboard, entry="unsigned long long", stored=int, bound=int, same_depth=bint, is_low=bint, is_high=bint,
        first=int, best=int, best_rank=int, floor=int, row=int, turn=int, rank=int, most=int, value=int,
    )
    cdef int _negamax(self, bitboard own, bitboard opponent, int empties, int depth, int alpha, int beta) noexcept nogil

    @cython.locals(value=int)
    cdef int _searched(
        self, bitboard own, bitboard opponent, int empties, int depth, int alpha, int beta
    ) except? -2147483648

    cdef int _filled(self, bitboard own, bitboard opponent) noexcept nogil
    cdef int _urgency(self, bitboard own, bitboard opponent, bitboard move) noexcept nogil

    @cython.locals(
        total=int, direction=int, step=int, above_1=bitboard, above_2=bitboard, below_1=bitboard, below_2=bitboard,
    )
    cdef int _runs_beside(self, bitboard discs, bitboard cell) noexcept nogil

    cdef bint _stops(self) noexcept nogil
    cdef void _poll(self) noexcept with gil
