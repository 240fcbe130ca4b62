# The C types of playouts.py.
cimport cython
from libc.stdint cimport uint64_t
from connect4_agent.engine cimport bits

cdef uint64_t RANDOM_MASK


cdef class Playouts:
    cdef int width
    cdef int stride
    cdef uint64_t bottom
    cdef uint64_t board
    cdef uint64_t state
    cdef readonly long long plies
    cdef object poll
    cdef long long poll_mask

    @cython.locals(mover=uint64_t, waiting=uint64_t, playable=uint64_t, points=int, skipped=int)
    cpdef int finish(self, uint64_t own, uint64_t opponent) except -1

    @cython.locals(state=uint64_t)
    cdef int _random_below(self, uint64_t count) noexcept nogil

    @cython.locals(pairs=uint64_t, step=int)
    cdef bint _has_four(self, uint64_t discs) noexcept nogil
