/* choose.h - which algorithm sorts how many elements, and why: a pure function of device and request */
#ifndef CLSORT_PLAN_CHOOSE_H
#define CLSORT_PLAN_CHOOSE_H

#include "plan/ladder.h"
#include "plan/request.h"

struct cls_choice {
    const struct cls_algo *algo;
    struct cls_tuning tuning;
    struct cls_spec spec; /* as the algorithm sees it: wide values are indexes */
    bool gathers;         /* wide values: by gather.h, after the sort */
    uint64_t max_count;   /* the choice is the same for all counts up to here */
    const char *reason;   /* in words; static. When nothing fits: why not */
};

/* The bit of an algorithm in a set of them. */
unsigned cls_algo_bit(const struct cls_algo *algo);

/* Algorithms in the set `failed` are passed over. False when nothing is left that can sort count elements on such
 * a device; choice->reason then says why not. */
bool cls_choose(const struct cls_caps *caps, const struct cls_ladders *ladders,
                const struct cls_request *request, uint64_t count, unsigned failed,
                struct cls_choice *choice);

#endif
