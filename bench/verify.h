/* verify.h - verification of results */
#ifndef CLSORT_BENCH_VERIFY_H
#define CLSORT_BENCH_VERIFY_H

#include "job.h"

/* Returns a checksum of the multiset of keys, or of pairs of key and value. */
uint64_t verify_sum(const struct job *job, const void *keys, const void *values);

/* What a result must satisfy. */
struct verify_rules {
    bool stable;      /* elements with equal keys must keep the order of the input */
    bool zeros_equal; /* -0 and +0 are equal */
    bool keys_only;   /* selections: there are no indexes */
    bool unordered;   /* selections: the elements may be in any order */
};

/* Returns NULL, or what is wrong: all bytes of the result after the first `count` elements must be 0. */
const char *verify_rest(const struct job *job, size_t count);

/* Verifies keys_out and values_out. Returns NULL, or what is wrong. sum: verify_sum of the input.
 *   sorts and merges  The keys must be in order, and the elements must be those of the input, each
 *                     value with its key. Stability is verified if values contain the index of their
 *                     key.
 *   rows              The same by rows_compare, where records contain their index.
 *   argsorts          The same, where the keys are those that the indexes refer to. They are copied to
 *                     keys_out.
 *   gathers           The values must be those of a loop over the indexes.
 *   selections        as verify_selection
 *   unique and check  The number, and with it the keys, must be those of a loop over the input. */
const char *verify_result(const struct job *job, uint64_t sum, const struct verify_rules *rules);

#endif
