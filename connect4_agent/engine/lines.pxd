# The C types of lines.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits


cdef class Evaluator:
    cdef int directions
    cdef uint64_t board
    cdef uint64_t[::1] steps
    cdef uint64_t[::1] starts

    cpdef int value(self, uint64_t own, uint64_t opponent) except? -1

    @cython.locals(pairs=uint64_t)
    cdef uint64_t _windows_in(self, uint64_t cells, uint64_t step) noexcept nogil

    @cython.locals(cells=uint64_t)
    cdef uint64_t _alive(self, uint64_t discs, uint64_t opponent, uint64_t step) noexcept nogil

    @cython.locals(
        fours=uint64_t, direction=int, step=uint64_t,
        below_1=uint64_t, below_2=uint64_t, above_1=uint64_t, above_2=uint64_t,
    )
    cdef uint64_t _fours(self, uint64_t discs, uint64_t empty) noexcept nogil
