# The C of word.py for boards of up to 64 bits.
cdef extern from *:
    """
    typedef unsigned long long connect4_narrow_word;
    #if defined(__GNUC__)
    #define CONNECT4_LOWEST_INDEX(bits) __builtin_ctzll(bits)
    #define CONNECT4_PARITY(bits) __builtin_parityll(bits)
    #define CONNECT4_BIT_LENGTH(number) ((number) ? 64 - __builtin_clzll(number) : 0)
    #define CONNECT4_PREFETCH(address) __builtin_prefetch(address)
    /* Two words that are computed with at once: any x86-64 or arm64 has such registers. */
    #define CONNECT4_LANES 2
    typedef connect4_narrow_word connect4_lanes __attribute__((vector_size(16)));
    static inline connect4_lanes connect4_join(connect4_narrow_word first, connect4_narrow_word second) {
        return (connect4_lanes){first, second};
    }
    static inline void connect4_spread(connect4_lanes words, connect4_narrow_word *array) {
        __builtin_memcpy(array, &words, sizeof words);
    }
    #else
    #define CONNECT4_LANES 1
    typedef connect4_narrow_word connect4_lanes;
    #define connect4_join(first, second) (first)
    #define connect4_spread(words, array) ((void)(*(array) = (words)))
    static int CONNECT4_LOWEST_INDEX(unsigned long long bits) {
        int index = 0;
        while (!(bits >> index & 1)) index++;
        return index;
    }
    static int CONNECT4_PARITY(unsigned long long bits) {
        int parity = 0;
        while (bits) { bits &= bits - 1; parity ^= 1; }
        return parity;
    }
    static int CONNECT4_BIT_LENGTH(unsigned long long number) {
        int length = 0;
        while (number) { number >>= 1; length++; }
        return length;
    }
    #define CONNECT4_PREFETCH(address)
    #endif
    #define connect4_shift_up(words, step) ((words) << (step))
    #define connect4_shift_down(words, step) ((words) >> (step))
    #define connect4_fit_lanes(stride) 1
    """
    ctypedef unsigned long long bitboard "connect4_narrow_word"
    int CONNECT4_LOWEST_INDEX(bitboard bits) noexcept nogil
    int CONNECT4_PARITY(bitboard bits) noexcept nogil
    int CONNECT4_BIT_LENGTH(unsigned long long number) noexcept nogil
    void CONNECT4_PREFETCH(const void *address) noexcept nogil


cdef inline bitboard from_int(object value) except? 0:
    return <bitboard><unsigned long long>value


cdef inline object to_int(bitboard word):
    return <unsigned long long>word


cdef inline int popcount(bitboard bits) noexcept nogil:
    # Sums of 2, then 4, then 8 neighbouring bits; the multiplication adds the eight bytes up.
    bits = bits - (bits >> 1 & <bitboard>0x5555555555555555)
    bits = (bits & <bitboard>0x3333333333333333) + (bits >> 2 & <bitboard>0x3333333333333333)
    bits = bits + (bits >> 4) & <bitboard>0x0F0F0F0F0F0F0F0F
    return <int>(bits * <bitboard>0x0101010101010101 >> 56)


include "word.pxi"
