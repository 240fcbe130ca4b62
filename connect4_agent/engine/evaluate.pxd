# The C types of evaluate.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits
from connect4_agent.engine.lines cimport Evaluator


cdef class Potential(Evaluator):
    @cython.locals(empty=uint64_t)
    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1

    @cython.locals(
        total=int, twos=uint64_t, threes=uint64_t, direction=int, step=uint64_t, below_1=uint64_t, above_1=uint64_t,
    )
    cdef int _sum(self, uint64_t discs, uint64_t empty) noexcept nogil


cdef class Windows(Evaluator):
    @cython.locals(
        total=int, direction=int, step=uint64_t, start=uint64_t,
        cell_1=uint64_t, cell_2=uint64_t, cell_3=uint64_t, other_1=uint64_t, other_2=uint64_t, other_3=uint64_t,
        no_own=uint64_t, no_other=uint64_t, both_low=uint64_t, both_high=uint64_t, one_low=uint64_t, one_high=uint64_t,
        threes=uint64_t, twos=uint64_t, other_threes=uint64_t,
    )
    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1
