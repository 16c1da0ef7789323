/* ladder.h - measured thresholds: the fastest algorithm for each range of counts
 *
 * Each kind of sort has a ladder, which is written as "bitonic 4096; radix:bits=4 1000000; merge".
 * An algorithm sorts the counts up to the number that follows it, except those that an earlier step
 * covers. */
#ifndef CLSORT_PLAN_LADDER_H
#define CLSORT_PLAN_LADDER_H

#include "plan/algorithm_name.h"

enum { CLS_MAX_STEPS = 12, CLS_KINDS = 8 }; /* as in tools/clsort-tune */

struct cls_step {
    struct cls_algorithm_request algorithm;
    uint64_t max; /* maximum count */
};

struct cls_ladder {
    size_t steps;
    struct cls_step step[CLS_MAX_STEPS];
    const char *source; /* where the thresholds were measured, for descriptions; static */
};

/* The ladders of a device, by kind. */
struct cls_ladders {
    struct cls_ladder of[CLS_KINDS];
};

/* Returns the kind of a sort, which depends on the number of compared bytes and on whether there
 * are values. */
size_t cls_kind_of(const struct cls_spec *spec);

/* Returns "keys 1", "keys 2", "keys 4", "keys 8", "pairs 1", ... for kinds from 0 on; NULL after
 * the last kind. */
const char *cls_kind_name(size_t kind);

/* Reads a ladder. Returns false and leaves *ladder unchanged if the text is malformed. Outside
 * ladder.c only tests call it. */
bool cls_ladder_read(const char *text, size_t length, struct cls_ladder *ladder);

/* Reads a line "keys 4: bitonic 4096; merge". Returns NULL, or a description of the error. */
const char *cls_ladders_read(const char *line, size_t length, const char *source,
                             struct cls_ladders *ladders);

/* Returns the ladders of tune_table.h for a device. */
struct cls_ladders cls_ladders_for(const struct cls_caps *caps);

#endif
