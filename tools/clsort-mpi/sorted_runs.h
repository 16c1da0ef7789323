/* sorted_runs.h - clsort-mpi: the part of a rank as sorted runs in a temporary file */
#ifndef CLSORT_TOOLS_MPI_SORTED_RUNS_H
#define CLSORT_TOOLS_MPI_SORTED_RUNS_H

#include "external.h"
#include "task.h"

/* The runs follow each other in the file: run i has the elements from start[i] to start[i + 1]. These are as in the
 * inputs or, with --argsort, records of them and their indexes. */
struct sorted_runs {
    const char *folder; /* of the file, for messages */
    int fd;
    size_t count;
    uint64_t *start;
    uint64_t checksum, input_checksum; /* of all elements, and of those of the inputs */
};

/* Functions that return bool print an error and return false on failure. They are not collective. */

/* Reads the part of this rank and sorts it in runs of at most task->run_elements. The caller calls sorted_runs_free in
 * either case. */
bool sorted_runs_form(struct sorted_runs *runs, struct task *task,
                      const struct external_order *order);

/* Reads elements from the file. */
bool sorted_runs_read(const struct sorted_runs *runs, size_t size, uint64_t first, size_t count,
                      void *elements);

void sorted_runs_free(struct sorted_runs *runs);

/* Returns the folder of this rank's temporary files. */
const char *temporary_folder(const struct task *task);

/* Writes data at an offset of a file. */
bool write_fully(const char *name, int fd, uint64_t offset, const void *data, size_t size);

#endif
