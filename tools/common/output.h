/* output.h - clsort-tool-common: output files that are replaced atomically
 *
 * Data are written to a temporary file in the same folder. Once all data are on the disk, the
 * temporary file replaces the output file. Until then the old file is unchanged, also after an
 * error, a signal or a power failure. Standard output, inherited descriptors (/dev/fd/N), pipes and
 * devices are written directly. */
#ifndef CLSORT_TOOLS_OUTPUT_H
#define CLSORT_TOOLS_OUTPUT_H

#include "temporary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    const char *name; /* path as the user gave it, for messages */
    int fd;
    char *target; /* file to replace, symbolic links resolved; NULL: written directly */
    struct temporary temporary; /* in the same folder */
    uint64_t written;           /* bytes, by output_write */
    uint64_t started;           /* bytes of these that are on their way to the disk */
};

/* All functions that return bool print an error and return false on failure. */

/* Opens the output and creates its temporary file. path: "-" or NULL for standard output. After a
 * failure the output needs no output_discard. */
bool output_open(struct output *output, const char *path);

/* The same for a file that other processes write: output->temporary.path names its temporary file. Refuses what is no
 * regular file. */
bool output_open_shared(struct output *output, const char *path);

/* Returns whether fd has the regular file open to which the output is written directly. */
bool output_is_file(const struct output *output, int fd);

/* Returns whether fd has the file open that output_commit will replace. */
bool output_replaces_file(const struct output *output, int fd);

bool output_write(struct output *output, const void *data, size_t size);

/* Replaces the output file by the temporary file. To be called at most once. After a failure the
 * caller calls output_discard. */
bool output_commit(struct output *output);

/* Releases all resources and removes a temporary file that is not committed. */
void output_discard(struct output *output);

#endif
