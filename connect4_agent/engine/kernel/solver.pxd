# The C types of solver.py.
cimport cython
from . cimport fours, tuning, word
from .word cimport bitboard
from .evaluators cimport ThreatParity
from .followup cimport FollowUp


@cython.final
cdef class Solver(FollowUp):
    cdef int *order
    cdef int key_bits
    cdef int *ranks
    cdef int *history
    cdef bitboard *killers
    cdef bitboard *hashes
    cdef bitboard *mirrored_cells
    cdef ThreatParity evaluator
    cdef bint with_rules
    cdef int offset
    cdef int bound_bits
    cdef bitboard bound_mask
    cdef int tag_bits
    cdef int small_shift
    cdef int big_shift
    cdef bitboard small_tags
    cdef bitboard big_tags
    cdef unsigned long long small_size
    cdef unsigned long long big_size
    cdef bint has_table
    cdef bitboard *small_table
    cdef bitboard *big_table
    cdef bitboard key_mask
    cdef int key_half
    cdef bitboard multiplier
    cdef bitboard column_mask
    cdef int max_empties
    cdef int low
    cdef int high
    cdef readonly long long nodes
    cdef object poll
    cdef long long poll_mask
    cdef object error
    cdef bint is_running
    cdef bint has_failed
    cdef bint has_yielded
    cdef void *yielded

    @cython.locals(index="unsigned long long")
    cpdef clear(self)

    @cython.locals(mine=bitboard, others=bitboard, score=int)
    cpdef score(self, own, opponent, poll, int lowest=*, int highest=*)
    cpdef begin(self, poll)
    cpdef void yield_to_threads(self) noexcept nogil
    cpdef end(self)
    cdef bint _wins_at_once(self, bitboard own, bitboard opponent) noexcept nogil
    cdef int _take_table(self) except -1
    cdef void _poll(self) noexcept with gil

    @cython.locals(index=int)
    cdef void _forget_order(self) noexcept nogil

    @cython.locals(empties=int, win_at_once=int, loss_at_once=int)
    cdef int _score(self, bitboard own, bitboard opponent, int lowest, int highest) noexcept nogil

    @cython.locals(discs=int, start=int, step=int)
    cdef void _narrow(
        self, bitboard own, bitboard opponent, int empties, int win_at_once, int loss_at_once
    ) noexcept nogil

    @cython.locals(empty=bitboard, chances=bitboard, dangers=bitboard, bound=int)
    cdef bint _is_above(self, bitboard own, bitboard opponent, int empties, int floor) noexcept nogil

    @cython.locals(
        sign=int, occupied=bitboard, playable=bitboard, forced=bitboard, low=int, high=int, slot="unsigned long long", tag=bitboard,
        entry=bitboard, begin=int, end=int, move=bitboard, index=int, after=bitboard, wins=bitboard,
        is_second=int, discs=int, nodes_before="long long", attacks=int, history=int, cell=int, best=int, rank=int, pick=int, bound=int,
        table="bitboard *",
    )
    cdef int _search(
        self, bitboard own, bitboard opponent, bitboard chances, bitboard dangers, int empties, int floor, bint checked
    ) noexcept nogil

    @cython.locals(
        attacks=int, history=int, killer=bitboard, evaluated=bint, index=int, move=bitboard, cell=int, value=int,
        after=bitboard,
    )
    cdef inline void _rate(
        self, bitboard own, bitboard opponent, bitboard chances, int empties, int floor, int begin, int end
    ) noexcept nogil

    @cython.locals(
        index=int, table="bitboard *", key=bitboard, mirrored=bitboard, move=bitboard, after=bitboard,
    )
    cdef inline void _prefetch(
        self, bitboard opponent, bitboard occupied, int empties, int begin, int end
    ) noexcept nogil

    @cython.locals(best=int, index=int, tag=bitboard, entry=bitboard, table="bitboard *")
    cdef inline int _best_known(self, int empties, int floor, int begin, int end) noexcept nogil

    cdef inline bitboard _hash(self, bitboard key, int empties) noexcept nogil

    @cython.locals(mirrored=bitboard, _=int)
    cdef inline bitboard _mirrored(self, bitboard key) noexcept nogil
    cdef inline bitboard _mixed(self, bitboard key) noexcept nogil
    cdef inline unsigned long long _slot(self, bitboard hashed, int empties) noexcept nogil
    cdef inline bitboard _tag(self, bitboard hashed, int empties) noexcept nogil

    @cython.locals(index="unsigned long long", entry=bitboard)
    cdef inline bitboard _find(self, bitboard *table, unsigned long long slot, bitboard tag) noexcept nogil
    cdef inline int _upper(self, bitboard entry) noexcept nogil
    cdef inline int _lower(self, bitboard entry) noexcept nogil

    @cython.locals(
        work_shift=int, chosen="unsigned long long", least=int, index="unsigned long long",
        entry=bitboard, effort=int, new_effort=bitboard, bounds=bitboard,
    )
    cdef inline void _store(
        self, bitboard *table, unsigned long long slot, bitboard tag, int low, int high, unsigned long long work
    ) noexcept nogil
