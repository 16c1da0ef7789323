// runs.cl - runs of elements that are equal as far as they have been compared
//
// A bit of the flags for each element is 1 where a run begins, and for all bits from the number of elements on. The
// tied bits of a window are their complement: 1 for elements that are equal to the preceding one. A long run has more
// than CLS_SHORT_RUN elements, so that it has CLS_SHORT_RUN tied bits in a row. The 16 flags on each side of an element
// show whether it begins a long run, follows the end of one, or is inside one.
#ifndef CLSORT_COLUMNS_RUNS_CL
#define CLSORT_COLUMNS_RUNS_CL

#include "columns/layout.h"

// Returns the tied bits of the elements from 32 * word - 16 to 32 * word + 47, the first in bit 0. `words` is
// the number of words of the flags.
static inline ulong tied_window(__global const uint *flags, const ulong word, const ulong words)
{
    const uint before = word > 0 ? flags[word - 1] : ~0u;
    const uint behind = word + 1 < words ? flags[word + 1] : ~0u;
    return ~((ulong)(before >> 16) | (ulong)flags[word] << 16 | (ulong)behind << 48);
}

// Returns the positions from which on CLS_SHORT_RUN tied bits are in a row.
static inline ulong long_ties(ulong tied)
{
    for (uint distance = 1; distance < CLS_SHORT_RUN; distance *= 2) {
        tied &= tied >> distance;
    }
    return tied;
}

// The following functions return a bit for each of the 32 elements of the word in the middle of the window.

static inline uint long_begins(const ulong tied)
{
    return (uint)(~tied >> 16 & long_ties(tied) >> 17);
}

static inline uint long_ends(const ulong tied)
{
    return (uint)(~tied >> 16 & long_ties(tied));
}

static inline uint in_long_runs(const ulong tied)
{
    ulong in = long_ties(tied);
    for (uint distance = 1; distance < CLS_SHORT_RUN; distance *= 2) {
        in |= in << distance;
    }
    return (uint)((in | in >> 1) >> 16);
}

// The beginnings of runs of 2 to CLS_SHORT_RUN elements.
static inline uint short_begins(const ulong tied)
{
    return (uint)(~tied >> 16 & tied >> 17) & ~long_begins(tied);
}

#endif
