/* sort_case.h - one sort of the test matrix: run, checked bit for bit, written and read as text */
#ifndef CLSORT_TESTS_SORT_CASE_H
#define CLSORT_TESTS_SORT_CASE_H

#include "data.h"
#include "env.h"
#include "guarded.h"

enum sort_place {
    SORT_IN_PLACE,
    SORT_OUT_OF_PLACE,
    SORT_NAMED_IN_PLACE, /* the input's place named as output */
    SORT_PLACE_COUNT
};

struct sort_case {
    char algorithm[48]; /* "auto" goes to the library as NULL */
    const struct data_type *type;
    uint32_t flags;
    size_t count;
    size_t value_size;
    enum data_dist dist;
    uint32_t begin_bit;
    uint32_t end_bit; /* 0: the key's width */
    enum sort_place place;
    bool own_scratch; /* the caller's */
    bool loose;       /* on the out-of-order queue */
    enum guarded_memory memory;
    size_t offset; /* of the keys, in elements; the other buffers begin a little further */
    size_t room;   /* how far max_count is above count */
    uint64_t seed;
};

enum sort_result { SORT_RIGHT, SORT_UNSUPPORTED, SORT_WRONG };

/* An ascending sort of u32 keys alone, auto, in place, in plain memory. */
struct sort_case sort_case_default(size_t count);

/* Whether elements that compare equal have to keep their order. */
bool sort_case_is_stable(const struct sort_case *sort);

/* Runs the sort on the engine and checks keys, values, canaries and an input that must be intact.
 * When anything is wrong, one line on stderr says what, with the text of the case. Fit for any
 * thread. */
enum sort_result sort_case_run(const struct sort_case *sort, const struct env *env);

/* The descriptor of the case's plan. It points into the case. */
clsort_desc sort_case_desc(const struct sort_case *sort);

enum { SORT_CASE_TEXT = 320 };
void sort_case_print(const struct sort_case *sort, char text[SORT_CASE_TEXT]);

/* Reads what sort_case_print writes, "name=value ..."; what is missing is as in sort_case_default.
 */
bool sort_case_parse(const char *text, struct sort_case *sort);

#endif
