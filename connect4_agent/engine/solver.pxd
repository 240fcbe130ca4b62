# The C types of solver.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits, fours
from connect4_agent.engine.followup cimport FollowUp
from connect4_agent.engine.parity cimport ThreatParity

cdef int BEYOND
cdef int LEAST_EMPTY_TABLE
cdef int MOST_EMPTY_SMALL
cdef int LEAST_EMPTY_CHILD_RULES
cdef int LEAST_EMPTY_CHILD_PROBES
cdef int LEAST_EMPTY_MIRROR
cdef int LEAST_EMPTY_EVALUATED
cdef int MOST_FLOOR_EVALUATED
cdef int THREAT_VALUE
cdef int TRIED
cdef int WAYS


@cython.final
cdef class Solver(FollowUp):
    cdef uint64_t[::1] columns
    cdef int[::1] order
    cdef uint64_t[::1] hashes
    cdef ThreatParity evaluator
    cdef bint with_rules
    cdef int offset
    cdef int bound_bits
    cdef uint64_t bound_mask
    cdef int tag_bits
    cdef int small_shift
    cdef int big_shift
    cdef uint64_t small_tags
    cdef uint64_t big_tags
    cdef uint64_t small_size
    cdef readonly uint64_t table_size
    cdef int entry_bits
    cdef uint64_t[::1] table
    cdef uint64_t key_mask
    cdef int key_half
    cdef uint64_t multiplier
    cdef uint64_t column_mask
    cdef int most_empties
    cdef int low
    cdef int high
    cdef readonly long long nodes
    cdef object poll
    cdef long long poll_mask

    @cython.locals(place=uint64_t)
    cpdef clear(self)

    @cython.locals(occupied=uint64_t, empties=int, win_at_once=int, loss_at_once=int)
    cpdef int score(self, uint64_t own, uint64_t opponent, poll, int lowest=*, int highest=*) except? -1048577

    @cython.locals(discs=int, start=int, step=int)
    cdef int _narrow(
        self, uint64_t own, uint64_t opponent, int empties, int win_at_once, int loss_at_once
    ) except -1

    @cython.locals(dangers=uint64_t, bound=int)
    cdef bint _is_above(self, uint64_t own, uint64_t opponent, int empties, int floor) except -1

    @cython.locals(
        sign=int, occupied=uint64_t, playable=uint64_t, forced=uint64_t, low=int, high=int, slot=uint64_t, tag=uint64_t,
        entry=uint64_t, begin=int, end=int, rank=int, move=uint64_t, index=int, wins=uint64_t, replies=uint64_t,
        is_second=bint, nodes_before="long long", value=int, best=int, _=int, pick=int, bound=int,
    )
    cdef int _search(
        self, uint64_t own, uint64_t opponent, uint64_t dangers, int empties, int floor
    ) except? -1048577

    @cython.locals(best=int, index=int, tag=uint64_t, entry=uint64_t)
    cdef int _best_known(
        self, uint64_t opponent, uint64_t occupied, int empties, int floor, int begin, int end
    ) noexcept

    @cython.locals(mirrored=uint64_t, rest=uint64_t, _=int)
    cdef uint64_t _hash(self, uint64_t key, int empties) noexcept nogil
    cdef uint64_t _slot(self, uint64_t hashed, int empties) noexcept nogil
    cdef uint64_t _tag(self, uint64_t hashed, int empties) noexcept nogil

    @cython.locals(place=uint64_t, entry=uint64_t)
    cdef uint64_t _find(self, uint64_t slot, uint64_t tag) noexcept nogil
    cdef int _upper(self, uint64_t entry) noexcept nogil
    cdef int _lower(self, uint64_t entry) noexcept nogil

    @cython.locals(work_shift=int, chosen=uint64_t, least=int, found=int, place=uint64_t, entry=uint64_t, effort=uint64_t, bounds=uint64_t)
    cdef void _store(self, uint64_t slot, uint64_t tag, int low, int high, uint64_t work) noexcept nogil
