/* task.h - the state of one run of clsort-mpi on one rank */
#ifndef CLSORT_TOOLS_MPI_TASK_H
#define CLSORT_TOOLS_MPI_TASK_H

#include "files.h"
#include "job.h"
#include "stats.h"
#include "world.h"

struct task {
    struct world world;
    struct job job; /* its count is that of all ranks */
    struct result result;
    uint64_t first; /* of the elements that this rank reads: its index in all inputs */
    size_t count;   /* of these elements */
    uint64_t kept;  /* elements that this rank writes */
    struct stats stats;
};

/* Opens the inputs, counts their elements and gives each rank its part. Collective. Prints an error and returns false
 * on all ranks on failure. */
bool task_open_inputs(struct task *task);

/* Opens the device of this rank. The ranks of a node take those of --device in turn, or all of the type of the best.
 * Collective, as above. */
bool task_open_device(struct task *task);

/* Returns the size of the header of the output, and writes the header on rank 0, for `kept` elements on all ranks.
 * Prints an error and returns false on failure. Not collective. */
bool task_write_header(struct task *task, uint64_t kept, size_t *size);

#endif
