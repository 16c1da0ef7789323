/* fixture.h - a plan for u32 keys with 4-byte values and buffers that fit it, to be spoilt by tests */
#ifndef CLSORT_TESTS_FIXTURE_H
#define CLSORT_TESTS_FIXTURE_H

#include "check.h"
#include "env.h"

enum { FIXTURE_COUNT = 1000, FIXTURE_BYTES = FIXTURE_COUNT * 4 };

struct fixture {
    struct env env;
    clsort_desc desc; /* of the plan */
    clsort_plan *plan;
    cl_mem buffers[4]; /* keys, values, keys_out, values_out: FIXTURE_BYTES each */
    clsort_io io;      /* a good sort, out of place; the keys are in reverse order */
};

/* CMocka's set-up and tear-down of a test or group whose state is the fixture. */
int fixture_open(void **state);
int fixture_close(void **state);

/* A buffer of the fixture's context, to be released by the caller; data NULL: left undefined. */
cl_mem fixture_buffer(const struct fixture *fixture, cl_mem_flags flags, size_t size,
                      const void *data);

/* An engine with a limit of the environment, CLSORT_MAX_*, to be destroyed by the caller. */
clsort_engine *fixture_limited_engine(const struct fixture *fixture, const char *limit,
                                      const char *value);

/* Writes the keys FIXTURE_COUNT - 1 ... 0 and the values 0 ... FIXTURE_COUNT - 1, and clears the
 * outputs. */
void fixture_fill(struct fixture *fixture);

/* Whether keys and values are what sorting those yields. */
bool fixture_sorted(struct fixture *fixture, cl_mem keys, cl_mem values);

/* Runs the good sort and checks it: whatever failed before has left no trace. */
void fixture_still_works(struct fixture *fixture);

#endif
