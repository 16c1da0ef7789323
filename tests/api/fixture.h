/* fixture.h - a plan for u32 keys with 4-byte values, and matching buffers; tests change single arguments */
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
    clsort_io io;      /* a valid sort, out of place; the keys are in reverse order */
};

/* CMocka's set-up and tear-down of a test or group whose state is the fixture. */
int fixture_open(void **state);
int fixture_close(void **state);

/* Creates a buffer, which the caller releases. Its contents are undefined if data is NULL. */
cl_mem fixture_buffer(const struct fixture *fixture, cl_mem_flags flags, size_t size,
                      const void *data);

/* Creates an engine while the environment variable `limit`, a CLSORT_MAX_*, is set. The caller destroys it. */
clsort_engine *fixture_limited_engine(const struct fixture *fixture, const char *limit,
                                      const char *value);

/* Runs a call and waits for it. On failure, checks that there is no event. */
clsort_status fixture_enqueue(const struct fixture *fixture, clsort_plan *plan,
                              const clsort_io *io);

void fixture_read(const struct fixture *fixture, cl_mem mem, size_t size, void *data);
void fixture_write(const struct fixture *fixture, cl_mem mem, size_t size, const void *data);

/* Returns the number in a buffer for clsort_io.result. */
uint64_t fixture_result(const struct fixture *fixture, cl_mem result);

/* Writes the keys FIXTURE_COUNT - 1 ... 0 and the values 0 ... FIXTURE_COUNT - 1, and clears the
 * outputs. */
void fixture_fill(struct fixture *fixture);

/* Returns whether keys and values are those that fixture_fill writes, sorted. */
bool fixture_sorted(struct fixture *fixture, cl_mem keys, cl_mem values);

/* What differs from CLSORT_DESC_INIT in a descriptor, and the status of creating its plan. */
struct fixture_plan_case {
    clsort_desc change;
    clsort_status status;
};

/* Checks the status of creating each of these plans. */
void fixture_check_plans(const struct fixture *fixture, const struct fixture_plan_case *cases,
                         size_t count);

/* Checks that scratch of the size that is stated for FIXTURE_COUNT elements suffices for the call, that a byte less is
 * refused, and that half of the elements do not need more. Returns the size. */
size_t fixture_check_scratch(const struct fixture *fixture, clsort_plan *plan, const clsort_io *io);

/* Checks that the valid sort works, that is, that a failed call has no lasting effect. */
void fixture_still_works(struct fixture *fixture);

#endif
