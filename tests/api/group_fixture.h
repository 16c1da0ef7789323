/* group_fixture.h - groups of devices for tests, and sorts whose results are compared with clsort_host */
#ifndef CLSORT_TESTS_GROUP_FIXTURE_H
#define CLSORT_TESTS_GROUP_FIXTURE_H

#include "check.h"
#include "env.h"
#include "reference.h"

#include <limits.h>
#include <stdbool.h>

enum {
    GROUP_MAX_DEVICES = 7,
    GROUPS = 3,
    MIN_SHARE = 1 << 15, /* elements; see clsort_group_host */
    MAX_COUNT = 8 * MIN_SHARE
};

/* -- launches that fail ---------------------------------------------------------------------------- */

/* Lets the launch after `launches - 1` others fail, and all that follow in its context or, if `all`, in every context;
 * LONG_MAX: none. */
void group_fail_after(long launches, bool all);

/* Returns whether a launch has failed since then. */
bool group_is_failing(void);

/* Returns the number of launches that have failed since then. */
long group_failures(void);

/* -- programs -------------------------------------------------------------------------------------- */

/* Counts the programs from source that are created from now on. */
void group_count_programs(void);

/* Returns the number of programs that this thread, or another one, has created since then. */
long group_programs(bool by_others);

/* -- groups ---------------------------------------------------------------------------------------- */

struct group_state {
    struct env env;
    char cache[sizeof "/tmp/clsort-group-XXXXXX"];
    cl_device_id halves[2]; /* sub-devices, or NULL */
    size_t count;           /* groups */
    size_t devices[GROUPS]; /* the number of devices of each group */
    cl_device_id members[GROUPS][GROUP_MAX_DEVICES];
    clsort_group *groups[GROUPS];
};

/* For CMocka: *data becomes a struct group_state. The groups are: two sub-devices, or the device twice; the device 3
 * times; and once. */
int group_set_up(void **data);

/* Returns a new group of the device several times, which the caller destroys. */
clsort_group *group_of(const struct group_state *state, size_t count);

/* Returns a new group of the devices of group g, which the caller destroys. Its first sort divides elements evenly, as
 * it knows no rates. */
clsort_group *group_again(const struct group_state *state, size_t g);

/* As group_set_up, with a single group, of the device 7 times. */
int group_set_up_many(void **data);
int group_tear_down(void **data);

/* As group_set_up, with a single group, of all devices. */
int group_set_up_all(void **data);

/* -- sorts ----------------------------------------------------------------------------------------- */

/* A sort and its input. */
struct group_sort {
    clsort_desc desc;
    size_t count, key_size, value_size; /* value_size: of an index of an argsort, too */
    uint8_t *keys;
};

/* A sort of keys of a built-in type. */
struct group_kind {
    clsort_key key;
    uint32_t flags;
    enum data_dist dist;
    size_t count, value_size;
    uint32_t index_size; /* of an argsort; otherwise 0 */
};

/* Returns such a sort, whose keys the caller frees. */
struct group_sort group_sort_of(const struct group_kind *kind, uint64_t seed);

/* The arrays of a sort. */
struct group_arrays {
    uint8_t *keys, *values;
};

/* Returns copies of the input, with distinct values. */
struct group_arrays group_copy(const struct group_sort *sort);
void group_drop(struct group_arrays arrays);
bool group_are_equal(const struct group_sort *sort, struct group_arrays a, struct group_arrays b);

/* Returns what clsort_host gives on one device or, for built-in orders, in the calling thread. */
struct group_arrays group_expected(const struct group_state *state, const struct group_sort *sort);

clsort_status group_run(clsort_group *group, const struct group_sort *sort,
                        struct group_arrays arrays);

/* Checks that the devices have sorted all elements, and returns how many have failed. */
size_t group_check_shares(clsort_group *group, size_t devices, const struct group_sort *sort);

/* Sorts in all groups, and compares the results. */
void group_check(const struct group_state *state, const struct group_sort *sort, const char *name);

#endif
