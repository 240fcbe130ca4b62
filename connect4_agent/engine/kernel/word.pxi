# The C of word.py that is the same in both forms, over their bitboard and from_int.
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdlib cimport calloc, free


cdef inline bitboard *zeros(Py_ssize_t count) except NULL:
    # calloc() takes large arrays from the system as they are written to, and NULL would mean a failure.
    cdef bitboard *array = <bitboard *>calloc(count or 1, sizeof(bitboard))
    if array == NULL:
        raise MemoryError
    return array


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


cdef inline const unsigned char *bytes_of(object buffer) except NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    PyBuffer_Release(&view)  # the caller keeps the buffer alive
    return <const unsigned char *>view.buf


cdef inline void release(bitboard *array) noexcept:
    free(array)


cdef inline void release_ints(int *array) noexcept:
    free(array)


cdef inline int lowest_index(bitboard bits) noexcept nogil:
    return CONNECT4_LOWEST_INDEX(bits)


cdef inline int bit_length(unsigned long long number) noexcept nogil:
    return CONNECT4_BIT_LENGTH(number)


cdef inline void prefetch(bitboard *array, unsigned long long index) noexcept nogil:
    CONNECT4_PREFETCH(&array[index])
