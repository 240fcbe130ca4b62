# Bit counting inlined into the compiled modules, since int.bit_count would be a Python call there.
from libc.stdint cimport uint64_t


cdef inline int popcount(uint64_t bits) noexcept nogil:
    # Sums of 2, then 4, then 8 neighbouring bits; the multiplication adds the eight bytes up.
    bits = bits - (bits >> 1 & <uint64_t>0x5555555555555555)
    bits = (bits & <uint64_t>0x3333333333333333) + (bits >> 2 & <uint64_t>0x3333333333333333)
    bits = bits + (bits >> 4) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int>(bits * <uint64_t>0x0101010101010101 >> 56)
