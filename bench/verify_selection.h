/* verify_selection.h - verification of the first k keys, and of the k-th key */
#ifndef CLSORT_BENCH_VERIFY_SELECTION_H
#define CLSORT_BENCH_VERIFY_SELECTION_H

#include "verify.h"

/* Verifies keys_out and values_out of a selection: each index must be that of its key, no index may
 * occur twice, the keys must be in the order that the spec requests, and they must be the first k
 * keys of the input, or the k-th one. With rules->stable, the first ones of equal keys in the input
 * must be selected. Without indexes, only the keys are verified, and their order is verified unless
 * it may be that of the input. Returns NULL, or what is wrong.
 *
 * The input is not sorted for this. The last selected key is the threshold, and the keys of the input
 * below it are compared with those of the result by their checksum. */
const char *verify_selection(const struct job *job, const struct verify_rules *rules);

#endif
