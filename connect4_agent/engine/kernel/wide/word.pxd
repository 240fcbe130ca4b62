# The C of word.py for boards of up to 128 bits, with compilers that have such a type.
cdef extern from *:
    """
    typedef unsigned __int128 connect4_wide_word;
    #define CONNECT4_LOW(bits) ((unsigned long long)(bits))
    #define CONNECT4_HIGH(bits) ((unsigned long long)((bits) >> 64))
    #define CONNECT4_LOWEST_INDEX(bits) \\
        (CONNECT4_LOW(bits) ? __builtin_ctzll(CONNECT4_LOW(bits)) : 64 + __builtin_ctzll(CONNECT4_HIGH(bits)))
    #define CONNECT4_PARITY(bits) __builtin_parityll(CONNECT4_LOW(bits) ^ CONNECT4_HIGH(bits))
    #define CONNECT4_BIT_LENGTH(number) ((number) ? 64 - __builtin_clzll(number) : 0)
    #define CONNECT4_PREFETCH(address) __builtin_prefetch(address)
    /* A word in a vector register. The processor shifts its halves faster there than as a pair of registers, of which
       the compiler makes an instruction that many processors are slow at. */
    #define CONNECT4_LANES 1
    #if defined(__has_builtin)
    #if __has_builtin(__builtin_shufflevector) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define CONNECT4_IN_VECTORS
    #endif
    #endif
    #ifdef CONNECT4_IN_VECTORS
    typedef unsigned long long connect4_lanes __attribute__((vector_size(16)));
    static inline connect4_lanes connect4_halves(connect4_wide_word word) {
        return (connect4_lanes){CONNECT4_LOW(word), CONNECT4_HIGH(word)};
    }
    #define connect4_join(first, second) connect4_halves(first)
    static inline void connect4_spread(connect4_lanes words, connect4_wide_word *array) {
        __builtin_memcpy(array, &words, sizeof words);
    }
    static inline connect4_lanes connect4_shift_up(connect4_lanes word, int step) {
        connect4_lanes none = {0, 0};
        return word << step | __builtin_shufflevector(none, word, 0, 2) >> (64 - step);
    }
    static inline connect4_lanes connect4_shift_down(connect4_lanes word, int step) {
        connect4_lanes none = {0, 0};
        return word >> step | __builtin_shufflevector(word, none, 1, 2) << (64 - step);
    }
    #define connect4_fit_lanes(stride) (3 * ((stride) + 1) < 64)  // the longest step
    #else
    typedef connect4_wide_word connect4_lanes;
    #define connect4_join(first, second) (first)
    #define connect4_spread(words, array) ((void)(*(array) = (words)))
    #define connect4_shift_up(word, step) ((word) << (step))
    #define connect4_shift_down(word, step) ((word) >> (step))
    #define connect4_fit_lanes(stride) 1
    #endif
    """
    # Cython takes it for a type that it knows: C knows better. Only from_int and to_int may cross the border to Python.
    ctypedef unsigned long long bitboard "connect4_wide_word"
    unsigned long long CONNECT4_LOW(bitboard bits) noexcept nogil
    unsigned long long CONNECT4_HIGH(bitboard bits) noexcept nogil
    int CONNECT4_LOWEST_INDEX(bitboard bits) noexcept nogil
    int CONNECT4_PARITY(bitboard bits) noexcept nogil
    int CONNECT4_BIT_LENGTH(unsigned long long number) noexcept nogil
    void CONNECT4_PREFETCH(const void *address) noexcept nogil


cdef inline bitboard from_int(object value) except? 0:
    cdef unsigned long long high = value >> 64  # raises OverflowError for a number that is negative or does not fit
    cdef unsigned long long low = value & <object>0xFFFFFFFFFFFFFFFFULL
    return <bitboard>high << 64 | low


cdef inline object to_int(bitboard word):
    cdef object high = CONNECT4_HIGH(word)
    return high << 64 | <object>CONNECT4_LOW(word)


cdef inline int popcount_64(unsigned long long bits) noexcept nogil:
    # Sums of 2, then 4, then 8 neighbouring bits; the multiplication adds the eight bytes up.
    bits = bits - (bits >> 1 & <unsigned long long>0x5555555555555555)
    bits = (bits & <unsigned long long>0x3333333333333333) + (bits >> 2 & <unsigned long long>0x3333333333333333)
    bits = bits + (bits >> 4) & <unsigned long long>0x0F0F0F0F0F0F0F0F
    return <int>(bits * <unsigned long long>0x0101010101010101 >> 56)


cdef inline int popcount(bitboard bits) noexcept nogil:
    return popcount_64(CONNECT4_LOW(bits)) + popcount_64(CONNECT4_HIGH(bits))


include "word.pxi"
