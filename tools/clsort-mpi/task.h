/* task.h - the state of one run of clsort-mpi on one rank */
#ifndef CLSORT_TOOLS_MPI_TASK_H
#define CLSORT_TOOLS_MPI_TASK_H

#include "files.h"
#include "job.h"
#include "stats.h"
#include "world.h"

/* Positions in the sorted order of all elements: from `first` to `end`, exclusive. */
struct range {
    uint64_t first, end;
};

struct task {
    struct world world;
    struct job job; /* its count is that of all ranks */
    struct result result;
    uint64_t first;      /* of the elements that this rank reads: its index in all inputs */
    size_t count;        /* of these elements */
    struct range wanted; /* the output: all elements, or those of --top, --bottom or --nth */
    bool
        selects_first; /* each rank selects those that the output may have, by `select`, before all sort these */
    clsort_desc select;
    size_t run_elements; /* maximum number of elements of a run; 0: the ranks sort in memory */
    struct stats stats;
};

/* Opens the inputs, counts their elements and gives each rank its part. Collective. Prints an error and returns false
 * on all ranks on failure. */
bool task_open_inputs(struct task *task);

/* Opens the device of this rank. The ranks of a node take those of --device in turn, or all of the type of the best.
 * Collective, as above. */
bool task_open_device(struct task *task);

/* Returns how many elements the output can have of `count` ones of a rank. */
size_t task_candidates(const struct task *task, size_t count);

/* Sets where this rank writes which of its `count` sorted elements, which follow those of other ranks. Returns whether
 * it writes any. */
bool task_place(struct task *task, size_t header_size, uint64_t before, uint64_t count);

/* Returns the size of the header of the output, and writes the header on rank 0, for `kept` elements on all ranks.
 * Prints an error and returns false on failure. Not collective. */
bool task_write_header(struct task *task, uint64_t kept, size_t *size);

#endif
