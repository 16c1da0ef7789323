/* ladder.h - which algorithm is the fastest up to how many elements, as measured
 *
 * Every kind of sort has a ladder of its own, written as "bitonic 4096; radix:bits=4 1000000; merge": each
 * algorithm sorts the counts up to the number behind it that the ones before do not. */
#ifndef CLSORT_PLAN_LADDER_H
#define CLSORT_PLAN_LADDER_H

#include "plan/named.h"

enum { CLS_MAX_STEPS = 6, CLS_KINDS = 8 }; /* as in tools/clsort-tune */

struct cls_step {
    struct cls_named named;
    uint64_t max; /* elements */
};

struct cls_ladder {
    size_t steps;
    struct cls_step step[CLS_MAX_STEPS];
    const char *source; /* of the measurements, in words; static */
};

/* For one device. */
struct cls_ladders {
    struct cls_ladder of[CLS_KINDS];
};

/* Which of the kinds a sort is: by the bytes of a key that are compared, and whether values move along. */
size_t cls_kind_of(const struct cls_spec *spec);

/* "keys 1", "keys 2", "keys 4", "keys 8", "pairs 1", ...; NULL past the last kind. */
const char *cls_kind_name(size_t kind);

/* False, and the ladder as it was, when the text is none. */
bool cls_ladder_read(const char *text, size_t length, struct cls_ladder *ladder);

/* Reads a line "keys 4: bitonic 4096; merge" of such a source. NULL, or what is wrong with it, in words. */
const char *cls_ladders_read(const char *line, size_t length, const char *source,
                             struct cls_ladders *ladders);

/* Those of tune_table.h that fit the device best. */
struct cls_ladders cls_ladders_for(const struct cls_caps *caps);

#endif
