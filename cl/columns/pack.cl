// pack.cl - the packed word of an element: the first 64 bits of its words that vary
//
// Bits in which all elements are equal do not affect the order. Columns of few values, and prefixes that all strings
// share, thus leave space for the columns after them. A sample shows which bits vary; columns_encode checks all
// elements and records bits that the sample missed.
#ifndef CLSORT_COLUMNS_PACK_CL
#define CLSORT_COLUMNS_PACK_CL

#include "columns/words.cl"

// Makes the term of the bits that `mask` has.
static inline void make_term(__global cls_columns_term *term, const ulong mask, const uint bits)
{
    const ulong lowest = mask & (~mask + 1);
    ulong m = mask, below = ~mask << 1;
    for (uint i = 0; i < 6; i++) {
        ulong parity = below;
        for (uint distance = 1; distance < 64; distance *= 2) {
            parity ^= parity << distance;
        }
        const ulong move = parity & m;
        term->move[i] = move;
        m = (m ^ move) | move >> (1u << i);
        below &= ~parity;
    }
    term->mask = mask;
    term->bits = bits;
    term->shift = popcount(lowest - 1) & 63;
    term->is_adjacent = (mask & (mask + lowest)) == 0;
}

// Appends the bits of x that the term has, next to each other, to the packed words of `size` elements.
static inline void append_term(__global const cls_columns_term *term, const uint size,
                               const ulong *x, ulong *packed)
{
    const ulong mask = term->mask;
    const uint bits = term->bits & 63, shift = term->shift; // a term of 64 bits is the only one
    if (term->is_adjacent) {
        for (uint e = 0; e < size; e++) {
            packed[e] = packed[e] << bits | (x[e] & mask) >> shift;
        }
        return;
    }
    for (uint e = 0; e < size; e++) {
        ulong taken = x[e] & mask;
        for (uint i = 0; i < 6; i++) {
            const ulong moved = taken & term->move[i];
            taken = (taken ^ moved) | moved >> (1u << i);
        }
        packed[e] = packed[e] << bits | taken;
    }
}

// Chooses the bits of the packed word.
static inline void plan_pack(__global cls_columns_control *control, const uint words)
{
    const uint end = min(words, (uint)CLS_MAX_PACKED_WORDS);
    uint w = 0, used = 0;
    bool is_complete = true;
    for (; w < end && used < 64 && is_complete; w++) {
        ulong mask = control->varying[w];
        uint bits = popcount(mask);
        while (bits > 64 - used) {
            mask &= mask - 1;
            bits--;
            is_complete = false;
        }
        make_term(&control->term[w], mask, bits);
        used += bits;
    }
    control->terms = w;
    control->next = is_complete ? w : w - 1;
}

#endif
