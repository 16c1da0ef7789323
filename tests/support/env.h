/* env.h - the device under test with a context, an in-order queue, an out-of-order queue and an engine */
#ifndef CLSORT_TESTS_ENV_H
#define CLSORT_TESTS_ENV_H

#include <clsort.h>
#include <stdbool.h>

struct env {
    cl_device_id device; /* of clsort_find_device($CLSORT_DEVICE) */
    cl_context context;
    cl_command_queue queue;        /* in order */
    cl_command_queue out_of_order; /* out of order, if the device supports it */
    clsort_engine *engine;
};

/* On failure nothing needs to be closed. */
clsort_status env_open(struct env *env);
void env_close(struct env *env);

/* The same for CMocka: *state becomes a struct env. */
int env_set_up(void **state);
int env_tear_down(void **state);

/* Returns whether the last call was refused because of a known fault of the driver. A test of it is then
 * skipped. */
bool env_blames_driver(const struct env *env);

/* Waits for the event and releases it. Returns false if it is NULL or its command failed. */
bool env_finish_event(cl_event event);

#endif
