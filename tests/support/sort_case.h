/* sort_case.h - the test harness: one sort or merge, run on the device, checked, and written and read as text
 *
 * A case has everything that a run depends on: the operation, the spec, the generated input, and how the arrays are
 * passed. Three files work on it:
 *   sort_case.c       creates plan and buffers, runs the operation, reads everything back
 *   sort_data.c       generates the input and compares the output with the reference; has the table of operations
 *   sort_case_text.c  prints and parses cases
 * To add an operation, add a row to the table in sort_data.c. If it takes other arrays, extend sort_case.c; if it has
 * other fields, extend sort_case_text.c. */
#ifndef CLSORT_TESTS_SORT_CASE_H
#define CLSORT_TESTS_SORT_CASE_H

#include "custom_order.h"
#include "data.h"
#include "env.h"
#include "guarded.h"

enum sort_place {
    SORT_IN_PLACE,
    SORT_OUT_OF_PLACE,
    SORT_NAMED_IN_PLACE, /* the output is the same buffer and offset as the input */
    SORT_PLACE_COUNT
};

struct sort_case {
    uint32_t operation;                /* enum clsort_operation */
    char algorithm[48];                /* "auto": NULL is passed to the library */
    const struct data_type *type;      /* ignored with a custom order */
    const struct custom_order *custom; /* NULL: a built-in order of `type` */
    uint32_t flags;
    size_t count;
    size_t value_size;   /* CLSORT_ARGSORT: of an index */
    enum data_dist dist; /* of built-in keys */
    uint32_t begin_bit;
    uint32_t end_bit; /* 0: the width of the key */
    enum sort_place place;
    bool own_scratch;  /* the caller provides scratch; false with CLSORT_NO_SCRATCH */
    bool out_of_order; /* use the out-of-order queue */
    enum guarded_memory memory;
    /* Of the keys, in multiples of their alignment. Unless it is 0, the other buffers have larger offsets. */
    size_t offset;
    size_t spare; /* max_count minus the number of elements */
    uint64_t seed;
    /* Operations with two inputs: */
    size_t second_count; /* elements of the second input */
    bool joined;         /* the second input follows the first in the same buffers */
    bool unsorted;       /* the inputs are not in order */
    /* CLSORT_ARGSORT: the sorted keys are not written. Only with SORT_OUT_OF_PLACE. */
    bool omit_keys;
};

struct sort_data;

enum sort_result { SORT_RIGHT, SORT_UNSUPPORTED, SORT_WRONG };

/* Returns an ascending sort of u32 keys without values, by "auto", in place, in plain memory. */
struct sort_case sort_case_default(size_t count);

/* Sets the place. An argsort has no outputs to leave out but the keys: SORT_NAMED_IN_PLACE becomes SORT_OUT_OF_PLACE
 * without sorted keys. */
void sort_case_set_place(struct sort_case *sort, enum sort_place place);

/* Returns the number of elements of all inputs. */
size_t sort_case_total(const struct sort_case *sort);

size_t sort_case_key_size(const struct sort_case *sort);

/* Returns whether the sort must keep the order of elements with equal keys. */
bool sort_case_is_stable(const struct sort_case *sort);

/* Returns the descriptor of the plan. It points into the case. */
clsort_desc sort_case_desc(const struct sort_case *sort);

/* Creates a plan and runs the case with it. The output must have every element where the reference has it. If the sort
 * is not stable, equal keys may be in any order; if the order is invalid or the inputs of a merge are unsorted, all
 * elements may. In any case every element must be there exactly once, no canary may have changed, and inputs that are
 * not outputs must be intact. If anything is wrong, prints what, and the case, on stderr. Thread-safe. */
enum sort_result sort_case_run(const struct sort_case *sort, const struct env *env);

/* Does the same with a plan that other cases may have used. Its descriptor must be that of the case, except for
 * max_count, which must be at least the number of elements. */
enum sort_result sort_case_run_plan(const struct sort_case *sort, const struct env *env,
                                    clsort_plan *plan);

/* Does the same with data that sort_data_create made for this case or for one that differs in the algorithm, the
 * plan or the buffers only. NULL: creates the data. */
enum sort_result sort_case_run_data(const struct sort_case *sort, const struct env *env,
                                    const struct sort_data *data);

enum { SORT_CASE_TEXT = 512 };

/* Writes the case as "name=value ..." in one line, which clsort-test-replay accepts. */
void sort_case_print(const struct sort_case *sort, char text[SORT_CASE_TEXT]);

/* Parses what sort_case_print writes. Missing fields are as in sort_case_default. Returns false if it is malformed. */
bool sort_case_parse(const char *text, struct sort_case *sort);

/* Prints on stderr what is wrong, the case, and the environment variables that it depends on. */
void sort_case_report(const struct sort_case *sort, const char *what);

#endif
