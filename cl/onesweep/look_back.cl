// look_back.cl - decoupled look-back: counts the elements of a digit in all tiles before one
//
// The source is Merrill and Garland (see onesweep.cl). That a tile computes a count that is missing
// for too long follows Smith, Levien and Owens, "Decoupled fallback", SPAA 2025.
#ifndef CLSORT_ONESWEEP_LOOK_BACK_CL
#define CLSORT_ONESWEEP_LOOK_BACK_CL

#include "common/keys.cl"
#include "common/work_group.cl"
#include "onesweep/table.cl"

// Returns how many keys of a whole tile have the digit d.
static inline uint count_tile(__global const key_t *in, const lsd_digit_t digit, const uint d)
{
#if TILE % 16 == 0
    uint16 count = 0;
    for (uint i = 0; i < TILE / 16; i++) {
        const uint16 differences =
            digits_of(vload16(i, in), digit.flip, digit.shift, digit.mask) ^ d;
        count += (differences - 1) >> 31; // digits are small: only 0 - 1 has the highest bit set
    }
    const uint8 eight = count.lo + count.hi;
    const uint4 four = eight.lo + eight.hi;
    return four.x + four.y + four.z + four.w;
#else
    uint count = 0;
    for (uint i = 0; i < TILE; i++) {
        count += lsd_digit_of(in[i], digit) == d;
    }
    return count;
#endif
}

// Returns how many elements of the section have the digit d and are in tiles before this one. `in`
// is where the section starts.
static inline uint look_back(const onesweep_table_t table, const uint d, __global const key_t *in,
                             const lsd_digit_t digit)
{
    uint sum = 0;
    for (uint p = table.tile; p-- > 0;) {
        uint word = read_count(table, p, d);
        for (uint reads = 1; reads < SPIN_LIMIT && !is_published(word, table.launch); reads++) {
            word = read_count(table, p, d);
        }
        if (!is_published(word, table.launch)) {
            sum += count_tile(in + (size_t)p * TILE, digit, d);
            continue;
        }
        sum += word & COUNT_MASK;
        if (word & PREFIX_BIT) {
            break;
        }
    }
    return sum;
}

#endif
