// pair.cl - the two runs that an output of a merge round comes from
#ifndef CLSORT_MERGE_PAIR_CL
#define CLSORT_MERGE_PAIR_CL

#include "common/types.cl"

// The runs are neighbours in one array, or the two inputs in their two arrays. Run a starts at
// index `first` of its array.
typedef struct {
    index_t first; // the first output of the pair
    index_t a_count;
    index_t b_count;
    index_t b_first; // where run b starts in its array
} merge_pair_t;

static inline merge_pair_t pair_of(const index_t output, const index_t n, const index_t width,
                                   const uint two_inputs)
{
    merge_pair_t pair;
    if (two_inputs) {
        pair.first = pair.b_first = 0;
        pair.a_count = width;
        pair.b_count = n - width;
    } else {
        pair.first = output / width / 2 * 2 * width;
        pair.a_count = min(width, n - pair.first);
        pair.b_first = pair.first + pair.a_count;
        pair.b_count = min(width, n - pair.b_first);
    }
    return pair;
}

#endif
