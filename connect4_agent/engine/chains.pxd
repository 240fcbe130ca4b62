# The C types of chains.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits
from connect4_agent.engine.lines cimport Evaluator


cdef class LongestRun(Evaluator):
    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1

    @cython.locals(longest=int, direction=int, step=uint64_t, pairs=uint64_t)
    cdef int _longest(self, uint64_t discs) noexcept nogil


cdef class OpenChains(Evaluator):
    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1

    @cython.locals(
        total=int, direction=int, step=uint64_t, alive=uint64_t, one=uint64_t, two=uint64_t, three=uint64_t,
    )
    cdef int _sum(self, uint64_t discs, uint64_t others) noexcept nogil


cdef class Positional(Evaluator):
    cdef uint64_t[::1] rings
    cdef uint64_t[::1] planes
    cdef int plane_count

    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1

    @cython.locals(
        total=int, rows=int, bit=int, direction=int, step=uint64_t, alive=uint64_t, two=uint64_t, three=uint64_t,
    )
    cdef int _sum(self, uint64_t discs, uint64_t others) noexcept nogil
