/* peer.h - what clsort-bench has to know about a sort to let it take part
 *
 * Each peer is a small adapter in peers/ that exports one of these. clsort takes part by the same
 * rules. Hooks that can fail say why on standard error and return false. */
#ifndef CLSORT_BENCH_PEER_H
#define CLSORT_BENCH_PEER_H

#include "job.h"

struct peer {
    const char *name;
    const char *place; /* "one core", "all cores"; NULL: the job's OpenCL device */
    bool stable;
    bool zeros_equal; /* of floats, else in total order, -0 and +0 are equal to it */

    const char *version; /* of the library that it is of, as in "Boost 1.74.0" */

    /* The Debian package without which the program was built, so that the peer is no more than its name. NULL: it was
     * built in. */
    const char *missing;

    /* NULL when it can sort the shape, else why it cannot, as in "NAME does not take part: ...". */
    const char *(*objection)(const struct shape *shape);

    /* Makes what the peer needs for the job, once. Both NULL: it needs nothing. clsort is told its algorithm. */
    bool (*open)(const struct job *job, const char *algorithm, void **state);
    void (*close)(void *state);

    /* Writes the name of the algorithm that the peer, once open, sorts the job with. NULL: it has one. */
    bool (*algorithm)(const struct job *job, void *state, size_t size, char *name);

    /* Says how many bytes a sort of the job moves by its cost model. NULL: it has none. */
    bool (*cost_bytes)(const struct job *job, void *state, uint64_t *bytes);

    /* Whether sort sorts job->batch times, one after the other, and waits once, at the end. Others sort once. */
    bool batches;

    /* One run. Only sort is timed: prepare brings the input to where sort expects it, and finish
     * the result to keys_out and values_out. */
    bool (*prepare)(const struct job *job, void *state);
    bool (*sort)(const struct job *job, void *state);
    bool (*finish)(const struct job *job, void *state);

    /* As sort, with the seconds from the first sort's start to the last one's end by the device's own clock. Comes only
     * where job->device_time was set when the peer was opened. NULL: there is no such clock. */
    bool (*timed_sort)(const struct job *job, void *state, double *seconds);
};

#endif
