# The C types of layer.py.
cimport cython
from . cimport fours, word
from .word cimport bitboard
from .parity cimport ThreatParity
from .retrieval cimport Retrieval

cdef int UNKNOWN
cdef long long MOST_STATES
cdef int FIRST
cdef int SECOND
cdef int EMPTY
cdef int WON_SOON
cdef int LOST_SOON
cdef int SPECIAL_CONTEXTS
cdef int VALUES
cdef int VALUE_SHIFT


cdef class LayerScores:
    cdef int width
    cdef int stride
    cdef int plies
    cdef int score_offset
    cdef Retrieval first
    cdef Retrieval second
    cdef Retrieval empty
    cdef bitboard bottom
    cdef bitboard board
    cdef bitboard *columns
    cdef bitboard dividing_cell
    cdef ThreatParity evaluator

    @cython.locals(
        own_word=bitboard, opponent_word=bitboard, mirrored_own=bitboard, mirrored_opponent=bitboard, ahead=int, score=int,
    )
    cpdef object score(self, object own, object opponent, int most_ahead)

    @cython.locals(score=int)
    cpdef object settled(self, object own, object opponent)

    @cython.locals(own_word=bitboard, opponent_word=bitboard, occupied=bitboard)
    cpdef int part(self, object own, object opponent) except -1

    cpdef int context(self, object own, object opponent) except -1

    @cython.locals(
        occupied=bitboard, empty=bitboard, playable=bitboard, chances=bitboard, dangers=bitboard, forced=bitboard,
        moves=bitboard, move=bitboard, wins=bitboard, has_choice=bint, most=int, half=int, value=int, context=int,
    )
    cdef int _context(self, bitboard own, bitboard opponent) except -1

    @cython.locals(is_own=bint, is_first_to_move=bint)
    cdef int _part(self, bitboard own, bitboard occupied) noexcept nogil

    @cython.locals(found=bitboard, cells=bitboard, column=int)
    cdef bitboard _mirrored(self, bitboard discs)

    @cython.locals(occupied=bitboard, playable=bitboard, dangers=bitboard, empties=int)
    cdef int _settled(self, bitboard own, bitboard opponent) noexcept nogil

    @cython.locals(occupied=bitboard, playable=bitboard, move=bitboard, best=int, score=int)
    cdef int _score(self, bitboard own, bitboard opponent, int ahead, int low, int high) except? -1000000

    @cython.locals(mirrored_own=bitboard, mirrored_occupied=bitboard, part=int, stored=Retrieval)
    cdef int _stored(self, bitboard own, bitboard occupied) except? -1000000

    @cython.locals(states="long long", column=int)
    cdef long long _state_count(self, bitboard occupied) noexcept nogil

    @cython.locals(
        occupied=bitboard, discs=int, states="long long", state="long long", rest="long long", column=int, played=int,
        height=int, mover=bitboard, heights="int *", steps="int *", step=int, reached="bitboard *",
    )
    cdef bint _can_arise(self, bitboard own, bitboard opponent) except -1
