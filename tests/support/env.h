/* env.h - the device under test, with a context, both kinds of queue and an engine */
#ifndef CLSORT_TESTS_ENV_H
#define CLSORT_TESTS_ENV_H

#include <clsort.h>
#include <stdbool.h>

struct env {
    cl_device_id device; /* what clsort_find_device finds for $CLSORT_DEVICE */
    cl_context context;
    cl_command_queue queue; /* in order */
    cl_command_queue loose; /* out of order, where the device can */
    clsort_engine *engine;
};

/* On failure nothing is left to close. */
clsort_status env_open(struct env *env);
void env_close(struct env *env);

/* The same as CMocka's set-up and tear-down: *state becomes one struct env. */
int env_set_up(void **state);
int env_tear_down(void **state);

/* Whether the last sort that was unsupported is so for the driver's faults: a test of it is skipped then. */
bool env_blames_driver(const struct env *env);

/* Whether an event is there and its commands ended well; waits for it, and releases it. */
bool env_finish_event(cl_event event);

#endif
