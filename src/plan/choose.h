/* choose.h - chooses the algorithm for a count */
#ifndef CLSORT_PLAN_CHOOSE_H
#define CLSORT_PLAN_CHOOSE_H

#include "algo/gather/gather.h"
#include "plan/ladder.h"
#include "plan/request.h"

struct cls_choice {
    const struct cls_algo *algo;
    struct cls_tuning tuning;
    struct cls_spec spec; /* what the algorithm sorts: indexes replace wide values */
    bool gathers;         /* wide values are permuted after the sort */
    unsigned
        count_bytes; /* of the caller's count in device memory; the algorithm reads a clamped one */
    struct cls_gather gather; /* if `gathers` */
    uint64_t max_count;       /* the choice is valid for all counts up to this one */
    /* The reason for the choice; after a failure, why the last variant is unsuitable. Static. */
    const char *reason;
};

/* Returns the bit that represents a variant in a set of variants. */
unsigned cls_algo_bit(const struct cls_algo *algo);

/* Chooses an algorithm that can sort count elements on such a device and is not in the set
 * `failed`. Returns false if no algorithm can. Pure. */
bool cls_choose(const struct cls_caps *caps, const struct cls_ladders *ladders,
                const struct cls_request *request, uint64_t count, unsigned failed,
                struct cls_choice *choice);

/* Returns the largest size of the keys of a custom order with which cls_choose could sort count
 * elements, if it cannot only because the keys of the request are larger; otherwise 0. Pure. */
unsigned cls_max_key_bytes(const struct cls_caps *caps, const struct cls_ladders *ladders,
                           const struct cls_request *request, uint64_t count);

/* Appends why no variant of the requested algorithm or, without one, no algorithm can sort count
 * elements on such a device. Pure. */
void cls_choose_explain(const struct cls_caps *caps, const struct cls_request *request,
                        uint64_t count, struct cls_text *text);

#endif
