// look_back.cl - decoupled look-back: counts the elements of a digit in all tiles before one
//
// The source is Merrill and Garland (see onesweep.cl). That a tile computes a count that is missing
// for too long follows Smith, Levien and Owens, "Decoupled fallback", SPAA 2025.
#ifndef CLSORT_ONESWEEP_LOOK_BACK_CL
#define CLSORT_ONESWEEP_LOOK_BACK_CL

#include "common/digit.cl"
#include "common/keys.cl"
#include "common/unroll.cl"
#include "common/work_group.cl"
#include "onesweep/publish.cl"

#define LOOK_BACK_WORDS 4u // words that a work-item reads at once

// Returns how many keys of a whole tile have the digit d.
static inline uint count_digit_in_tile(__global const key_t *in, const digit_t digit, const uint d)
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
        count += digit_in(in[i], digit) == d;
    }
    return count;
#endif
}

// Returns how many elements of the section have the digit d and are in tiles before this one. `in`
// is where the section starts. Several words are read at once, since each read takes long.
static inline uint look_back(const onesweep_table_t table, const uint d, __global const key_t *in,
                             const digit_t digit)
{
    uint sum = 0, tiles = table.tile, reads = 0; // tiles: number of those that are not yet counted
    while (tiles > 0) {
        uint word[LOOK_BACK_WORDS], left = tiles;
        UNROLL
        for (uint k = 0; k < LOOK_BACK_WORDS; k++) {
            word[k] = read_count(table, max(tiles, k + 1) - k - 1, d);
        }
        bool goes_on = true;
        UNROLL
        for (uint k = 0; k < LOOK_BACK_WORDS; k++) {
            goes_on = goes_on && left > 0 && is_published(word[k], table.stage);
            if (goes_on) {
                sum += word[k] & COUNT_MASK;
                left = word[k] & PREFIX_BIT ? 0 : left - 1;
            }
        }
        reads = left < tiles ? 0 : reads + 1;
        if (reads == SPIN_LIMIT) {
            left--;
            reads = 0;
            sum += count_digit_in_tile(in + (size_t)left * TILE, digit, d);
        }
        tiles = left;
    }
    return sum;
}

#endif
