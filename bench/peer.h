/* peer.h - the interface between clsort-bench and the contestants that it measures
 *
 * Each peer is a small adapter in peers/ that exports a struct peer, and so does clsort itself.
 * Functions that return bool print an error and return false on failure. */
#ifndef CLSORT_BENCH_PEER_H
#define CLSORT_BENCH_PEER_H

#include "job.h"

/* Masks of operations. A sort of pairs whose values are indexes also finds the permutation. */
#define PEER_HAS(operation) (1u << (operation))
#define PEER_SORTS                                                                                 \
    (PEER_HAS(OP_KEYS) | PEER_HAS(OP_PAIRS) | PEER_HAS(OP_CUSTOM) | PEER_HAS(OP_ARGSORT))
#define PEER_SORTS_ROWS (PEER_HAS(OP_STRINGS) | PEER_HAS(OP_RECORDS) | PEER_HAS(OP_PARTICLES))

struct peer {
    const char *name;
    const char *runs_on; /* "one core", "all cores"; NULL: the OpenCL device of the job */
    unsigned operations; /* mask; not for clsort, which has all of them */
    bool stable;
    bool keys_only;   /* selections: the result has no indexes */
    bool unordered;   /* selections: the result is in any order */
    bool zeros_equal; /* treats -0 and +0 as equal; floats are in total order otherwise */
    bool is_counted;  /* reads the number of elements from device memory */

    const char *version; /* of the library, such as "Boost 1.74.0" */

    /* For a vectorized sort: what usually causes that it is hardly faster than std::sort (expect.h).
     * NULL: nothing is expected of the peer. */
    const char *slow_cause;

    /* The Debian package, with a version if older ones do not suffice, or the CMake variable that was missing
     * at build time; only the name is valid then. NULL: the peer is built in. */
    const char *missing;

    /* Returns NULL if the peer supports the spec, whose operation it has, else why not. NULL: it
     * supports all. */
    const char *(*unsupported)(const struct spec *spec);

    /* Returns NULL if the peer sorts the input of the job, else why it does not take part. Called
     * before open. NULL: it sorts all inputs. */
    const char *(*refuses)(const struct job *job);

    /* Allocates the state of the peer for the job. algorithm: for clsort only. Both NULL: the peer
     * has no state. */
    bool (*open)(const struct job *job, const char *algorithm, void **state);
    void (*close)(void *state);

    /* Copies the name of the algorithm that sorts the job. NULL: the peer has only one. */
    bool (*algorithm)(const struct job *job, void *state, size_t size, char *name);

    /* Returns the bytes that a sort of the job moves by its cost model. NULL: the peer has none. */
    bool (*cost_bytes)(const struct job *job, void *state, uint64_t *bytes);

    /* Whether sort enqueues job->batch sorts and waits once at the end. Otherwise it sorts once. */
    bool batches;

    /* One run. prepare copies the input to where sort expects it, and finish copies the result to
     * keys_out and values_out. Only sort is timed. */
    bool (*prepare)(const struct job *job, void *state);
    bool (*sort)(const struct job *job, void *state);
    bool (*finish)(const struct job *job, void *state);

    /* Same as sort, and measures the seconds from the start of the first sort to the end of the
     * last one by the clock of the device. Called only if job->device_time was set at open. NULL:
     * there is no such clock. */
    bool (*timed_sort)(const struct job *job, void *state, double *seconds);
};

#endif
