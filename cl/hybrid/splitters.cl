// splitters.cl - the splitters of a sorted sample of keys, by which MSD then divides in round 0
//
// A bit field divides keys unevenly if most of them agree in their highest bits. Splitters divide
// them evenly, whatever their distribution is: samples at equal distances in the sorted sample. They
// are chosen such that later rounds can divide by bits. Between two such samples a < b, the splitter
// is the number in (a, b] with the most trailing zeros. The keys of a child then share a long
// prefix, and the bits below it take most of their values, so that a bit field divides them evenly.
//
// If two successive samples at equal distances are equal, their key becomes a splitter, and so does
// the next number: all keys of that child are equal, and no later round reads them. The first
// splitter is the lowest number with the highest bits that all samples have. The last splitter is the
// highest number with these bits, plus 1, or the highest number of all if the sum does not fit. Only
// keys that the sample does not represent are outside of these two.
//
// Frazer and McKellar, "Samplesort: a sampling approach to minimal storage tree sorting", Journal
// of the ACM 17(3), 1970, introduced sorting by splitters of a sample; Sanders and Winkel, "Super
// scalar sample sort", ESA 2004, section 3, the search tree without branches.
//
// Cost: a bitonic sort of CLS_HYBRID_SAMPLES keys by one work-group, 66 steps in local memory.
//
// Options: those of choose.cl.
#ifndef CLSORT_HYBRID_SPLITTERS_CL
#define CLSORT_HYBRID_SPLITTERS_CL

#include "hybrid/layout.h"
#include "msd/layout.h"

#include "common/keys.cl"
#include "common/unroll.cl"
#include "common/work_group.cl"

#define ITEM_SAMPLES (CLS_HYBRID_SAMPLES / GROUP_SIZE) // of a work-item
#define LAST_SPLITTER ((1u << CLS_MSD_BITS) - 1)
// SAMPLE_STEPS + 1 samples at equal distances give the splitters 2 to LAST_SPLITTER - 1. The first and
// the last splitter bound the sample.
#define SAMPLE_STEPS (LAST_SPLITTER - 3)

// Sorts CLS_HYBRID_SAMPLES numbers if `sorts` is set. Batcher, "Sorting networks and their applications",
// AFIPS 1968, p. 309.
static inline void sort_sample(__local key_t *number, const bool sorts)
{
    const uint last_span = sorts ? CLS_HYBRID_SAMPLES : 0;
    for (uint span = 2; span <= last_span; span *= 2) {
        for (uint apart = span / 2; apart > 0; apart /= 2) {
            UNROLL
            for (uint i = 0; i < ITEM_SAMPLES / 2; i++) {
                const uint pair = (uint)get_local_id(0) + i * GROUP_SIZE;
                const uint low = 2 * pair - (pair & (apart - 1)), high = low + apart;
                const key_t a = number[low], b = number[high];
                if ((a > b) == ((low & span) == 0)) {
                    number[low] = b;
                    number[high] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

// Returns the number of this work-item's samples whose distance to the next larger one is less than
// 2^-CLOSE_BITS of the distance that CLOSE_SAMPLES samples there span. Few are, if keys are locally
// uniform.
static inline uint close_samples(__local const key_t *number)
{
    uint close = 0;
    for (uint i = (uint)get_local_id(0); i + 1 < CLS_HYBRID_SAMPLES; i += GROUP_SIZE) {
        const uint first = i / CLS_HYBRID_CLOSE_SAMPLES * CLS_HYBRID_CLOSE_SAMPLES;
        const uint last = min(first + CLS_HYBRID_CLOSE_SAMPLES, (uint)CLS_HYBRID_SAMPLES - 1);
        const key_t gap = number[i + 1] - number[i], spread = number[last] - number[first];
        close += gap > 0 && gap < spread >> CLS_HYBRID_CLOSE_BITS ? 1 : 0;
    }
    return close;
}

// The sample at step k of equal distances.
static inline key_t sample_at(__local const key_t *number, const uint k)
{
    return number[k * (CLS_HYBRID_SAMPLES - 1) / SAMPLE_STEPS];
}

// Returns splitter s, from 1 to LAST_SPLITTER, of the sorted sample, whose keys agree in the bits
// from `top` on.
static inline key_t splitter_of(__local const key_t *number, const uint s, const uint top)
{
    const ulong low = top < 64 ? (ulong)number[0] >> top << top : 0;
    const ulong after = top < 64 ? low + ((ulong)1 << top) : 0; // 0: there is no such number
    if (s == 1) {
        return (key_t)low;
    }
    if (s == LAST_SPLITTER) {
        return (key_t)(after > 0 ? after : ~(ulong)0);
    }
    const uint k = s - 2;
    const key_t a = sample_at(number, k > 0 ? k - 1 : 0), b = sample_at(number, k);
    const bool is_first_of_heavy = k < SAMPLE_STEPS && sample_at(number, k + 1) == b;
    if (k == 0 || (a < b && is_first_of_heavy)) {
        return b;
    }
    if (a == b) {
        return b + (b < (key_t) ~(key_t)0 ? 1 : 0);
    }
    const uint bit = 63 - (uint)clz((ulong)(a ^ b));
    return (key_t)((ulong)b >> bit << bit);
}

// Writes the splitters of the sorted sample to the control block. `words` has LAST_SPLITTER + 1
// elements. Without `writes`, the control block has no splitters.
static inline void write_splitters(__global cls_msd_control *control, __local const key_t *number,
                                   __local ulong *words, const uint top, const bool writes)
{
    const uint end = writes ? LAST_SPLITTER + 1 : 0;
    for (uint s = (uint)get_local_id(0); s < end; s += GROUP_SIZE) {
        words[s] = s > 0 ? splitter_of(number, s, top) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = (uint)get_local_id(0); s < end; s += GROUP_SIZE) {
        const ulong last = s < LAST_SPLITTER ? words[s + 1] - 1 : ~(ulong)0, vary = words[s] ^ last;
        // In the tree, the splitters whose numbers have more trailing zeros are on higher levels.
        const uint zeros = 31 - (uint)clz(max(s & (0 - s), 1u));
        const uint node = s > 0 ? (s + (1u << CLS_MSD_BITS)) >> (zeros + 1) : 0;
        control->splitters[node] = words[s];
        control->child_tops[s] = vary > 0 ? 64 - (uint)clz(vary) : 0;
    }
    if (get_local_id(0) == 0) {
        control->has_splitters = writes;
    }
}

#endif
