# The C types of board.py.
cimport cython
from . cimport fours, word
from .word cimport bitboard


cdef class Board:
    cdef readonly int width
    cdef readonly int height
    cdef readonly int player
    cdef int stride
    cdef int line_stride
    cdef bitboard bottom
    cdef bitboard board
    cdef bitboard lowest_cell
    cdef bitboard column_cells
    cdef bitboard mover
    cdef bitboard waiting
    cdef int number
    cdef int plies
    cdef bitboard *played

    @cython.locals(index=int, shift=int, cell=bitboard, moved=bitboard)
    cpdef object push(self, object column)

    @cython.locals(cell=bitboard, moved=bitboard)
    cpdef int pop(self) except -1

    @cython.locals(playable=bitboard)
    cpdef list legal(self)

    @cython.locals(index=int)
    cdef object _copy_moves(self, Board other)
