/* trials.h - measures for few elements whether the calling thread sorts them faster than the device
 *
 * What a sort on a device costs at least, in launches and copies, differs by a factor of ten among
 * devices and drivers. The first sorts of an engine are therefore made alternately on the device and
 * in the calling thread, and timed. The faster of the two then makes all later sorts of the same kind.
 * Every trial sorts the caller's arrays, and every sort has the same result. */
#ifndef CLSORT_API_TRIALS_H
#define CLSORT_API_TRIALS_H

#include "plan/request.h"

enum cls_processor { CLS_ON_DEVICE, CLS_ON_HOST, CLS_PROCESSORS };

enum {
    CLS_TRIAL_RUNS = 3,     /* on each processor */
    CLS_TRIAL_KINDS = 12,   /* keys of 1, 2, 4 and 8 bytes: alone, with values, with indexes */
    CLS_TRIAL_INTERVALS = 6 /* of counts */
};

enum {
    CLS_MIN_TRIAL_COUNT = 1 << 15, /* up to this count, the calling thread sorts */
    CLS_MAX_TRIAL_COUNT = 1 << 18, /* above this count, the device sorts */
    CLS_MAX_TRIAL_VALUE = 16       /* bytes; the device sorts elements with wider values */
};

/* The sorts of one kind of elements and one interval of counts. */
struct cls_trial {
    unsigned runs[CLS_PROCESSORS];
    uint64_t best_ps[CLS_PROCESSORS]; /* picoseconds per element */
};

/* The trials of an engine, initially all zero. The functions below may be called by several threads. */
struct cls_trials {
    struct cls_trial trials[CLS_TRIAL_KINDS][CLS_TRIAL_INTERVALS];
};

/* Returns whether sorts of count elements are timed on both processors. */
static inline bool cls_trials_include(const struct cls_spec *spec, size_t count)
{
    return count > CLS_MIN_TRIAL_COUNT && count <= CLS_MAX_TRIAL_COUNT &&
           spec->value_bytes <= CLS_MAX_TRIAL_VALUE;
}

/* Returns where to make the next sort. *is_decided becomes whether that will not change any more. */
enum cls_processor cls_trials_next(struct cls_trials *trials, const struct cls_spec *spec,
                                   size_t count, bool *is_decided);

/* Records a sort that has succeeded. */
void cls_trials_record(struct cls_trials *trials, const struct cls_spec *spec, size_t count,
                       enum cls_processor processor, uint64_t ns);

#endif
