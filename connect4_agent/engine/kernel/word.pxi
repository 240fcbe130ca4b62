# The C of word.py that is the same in both forms, over their bitboard and from_int.
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdlib cimport calloc, free

# What a vector register holds: LANES words. Cython takes it for a number; C computes with all of it.
cdef extern from *:
    ctypedef unsigned long long lanes "connect4_lanes"
    enum: LANES "CONNECT4_LANES"
    lanes join "connect4_join" (bitboard first, bitboard second) noexcept nogil
    void spread "connect4_spread" (lanes words, bitboard *array) noexcept nogil
    lanes shift_up "connect4_shift_up" (lanes words, int step) noexcept nogil
    lanes shift_down "connect4_shift_down" (lanes words, int step) noexcept nogil
    bint fit_lanes "connect4_fit_lanes" (int stride) noexcept nogil

cdef enum:
    CACHE_LINE_BYTES = 64

cdef extern from "Python.h":
    void *PyEval_SaveThread() noexcept nogil
    void PyEval_RestoreThread(void *state) noexcept nogil


cdef inline bitboard *zeros(Py_ssize_t count) except NULL:
    # calloc() takes large arrays from the system as they are written to. The array begins with a cache line, so that no
    # bucket of a table lies in more lines than it must; the address that calloc() returned is kept right before it.
    cdef char *memory = <char *>calloc(count * sizeof(bitboard) + sizeof(void *) + CACHE_LINE_BYTES, 1)
    cdef char *array
    if memory == NULL:
        raise MemoryError
    array = memory + sizeof(void *)
    array += CACHE_LINE_BYTES - <size_t>array % CACHE_LINE_BYTES
    (<void **>array)[-1] = memory
    return <bitboard *>array


cdef inline bitboard *nothing() noexcept:
    return NULL


cdef inline bitboard *words(list values) except NULL:
    cdef bitboard *array = zeros(len(values))
    cdef Py_ssize_t index
    for index in range(len(values)):
        array[index] = from_int(values[index])
    return array


cdef inline int *ints(list values) except NULL:
    cdef int *array = <int *>calloc(len(values) or 1, sizeof(int))
    cdef Py_ssize_t index
    if array == NULL:
        raise MemoryError
    for index in range(len(values)):
        array[index] = values[index]
    return array


cdef inline const unsigned char *view_bytes(object buffer) except NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    PyBuffer_Release(&view)  # the caller keeps the buffer alive
    return <const unsigned char *>view.buf


cdef inline unsigned long long number(const unsigned char *data, long long begin, int length) noexcept nogil:
    cdef unsigned long long value = 0
    cdef long long index
    for index in range(begin + length - 1, begin - 1, -1):
        value = value << 8 | data[index]
    return value


cdef inline void release(bitboard *array) noexcept:
    if array != NULL:
        free((<void **>array)[-1])


cdef inline void release_ints(int *array) noexcept:
    free(array)


cdef inline int lowest_index(bitboard bits) noexcept nogil:
    return CONNECT4_LOWEST_INDEX(bits)


cdef inline int parity(bitboard bits) noexcept nogil:
    return CONNECT4_PARITY(bits)


cdef inline int bit_length(unsigned long long number) noexcept nogil:
    return CONNECT4_BIT_LENGTH(number)


cdef inline void prefetch(bitboard *array, unsigned long long index) noexcept nogil:
    CONNECT4_PREFETCH(&array[index])


cdef inline void *yield_to_threads() noexcept nogil:
    return PyEval_SaveThread()


cdef inline void resume(void *yielded) noexcept nogil:
    PyEval_RestoreThread(yielded)
