/* files.h - clsort-mpi: the inputs and the output as files of MPI, which all ranks read and write */
#ifndef CLSORT_TOOLS_MPI_FILES_H
#define CLSORT_TOOLS_MPI_FILES_H

#include "job.h"
#include "world.h"

/* Functions that return bool print an error and return false on failure. */

/* Reads elements of the counted inputs, one behind the other, from an index on. Not collective. */
bool files_read(const struct job *job, uint64_t first, size_t count, void *elements);

/* The output: a temporary file that all ranks have open, and that rank 0 renames. */
struct result {
    const char *name; /* of the output, for messages */
    MPI_File file;
    uint64_t offset;  /* of the next byte that files_write writes */
    uint64_t skipped; /* bytes that files_write drops before it writes others */
    uint64_t left;    /* bytes that it writes then; it drops those behind them */
    uint64_t written;
};

/* Opens the output of the options; that of rank 0 is job->output. Collective. The return value is the same on all
 * ranks. The caller calls files_close in either case. */
bool files_open(struct result *result, struct job *job, struct world *world);

/* Writes data at result->offset, and advances it. Some of the data are dropped, as the members of the result say. Not
 * collective. context: a struct result. */
bool files_write(void *context, const void *data, size_t size);

/* Replaces the file of the output if it is complete on all ranks. Collective. The return value is the same on all
 * ranks. */
bool files_commit(struct result *result, struct job *job, struct world *world);

/* Closes the output if it is open. Collective. The return value is that of this rank only. */
bool files_close(struct result *result);

#endif
