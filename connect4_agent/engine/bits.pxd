# Bit counting and the like inlined into the compiled modules, where int's methods would be Python calls.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define CONNECT4_LOWEST_INDEX(bits) __builtin_ctzll(bits)
    #define CONNECT4_BIT_LENGTH(bits) ((bits) ? 64 - __builtin_clzll(bits) : 0)
    #define CONNECT4_PREFETCH(address) __builtin_prefetch(address)
    #else
    static int CONNECT4_LOWEST_INDEX(unsigned long long bits) {
        int index = 0;
        while (!(bits >> index & 1)) index++;
        return index;
    }
    static int CONNECT4_BIT_LENGTH(unsigned long long bits) {
        int length = 0;
        while (bits >> length) length++;
        return length;
    }
    #define CONNECT4_PREFETCH(address)
    #endif
    """
    int CONNECT4_LOWEST_INDEX(uint64_t bits) noexcept nogil
    int CONNECT4_BIT_LENGTH(uint64_t bits) noexcept nogil
    void CONNECT4_PREFETCH(const void *address) noexcept nogil


cdef inline int popcount(uint64_t bits) noexcept nogil:
    # Sums of 2, then 4, then 8 neighbouring bits; the multiplication adds the eight bytes up.
    bits = bits - (bits >> 1 & <uint64_t>0x5555555555555555)
    bits = (bits & <uint64_t>0x3333333333333333) + (bits >> 2 & <uint64_t>0x3333333333333333)
    bits = bits + (bits >> 4) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int>(bits * <uint64_t>0x0101010101010101 >> 56)


cdef inline int lowest_index(uint64_t bits) noexcept nogil:
    return CONNECT4_LOWEST_INDEX(bits)


cdef inline int bit_length(uint64_t bits) noexcept nogil:
    return CONNECT4_BIT_LENGTH(bits)


cdef inline void prefetch(uint64_t[::1] table, uint64_t index) noexcept nogil:
    CONNECT4_PREFETCH(&table[index])
