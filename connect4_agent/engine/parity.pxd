# The C types of parity.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits
from connect4_agent.engine.lines cimport Evaluator

cdef int DECIDED


cdef class ThreatParity(Evaluator):
    cdef uint64_t odd_rows
    cdef uint64_t bottom
    cdef uint64_t above_top

    @cython.locals(
        occupied=uint64_t, empty=uint64_t, playable=uint64_t, own_threats=uint64_t, threats=uint64_t,
        total=int, forced=uint64_t, mover_began=bint,
    )
    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1

    @cython.locals(alive=uint64_t, total=int)
    cdef int _threats_worth(self, uint64_t threats, uint64_t others, bint owner_began) noexcept nogil

    @cython.locals(
        total=int, direction=int, step=uint64_t, start=uint64_t, next_1=uint64_t, next_2=uint64_t, next_3=uint64_t,
        low_any=uint64_t, high_any=uint64_t, low_one=uint64_t, high_one=uint64_t, twos=uint64_t, ones=uint64_t,
    )
    cdef int _windows_worth(self, uint64_t discs, uint64_t others) noexcept nogil
