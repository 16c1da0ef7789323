/* output.h - a file that appears complete or not at all
 *
 * Data goes to a temporary file beside OUTPUT, which takes OUTPUT's place when all of it is on the
 * disk. Until then OUTPUT is as it was: after an error, a signal, or a power cut. Outputs that are
 * not regular files (standard output, pipes, devices) are written directly. */
#ifndef CLSORT_TOOLS_OUTPUT_H
#define CLSORT_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output {
    const char *name; /* as the user wrote it, for messages */
    int fd;
    char *target;    /* the file to replace, with symbolic links followed; NULL: written directly */
    char *temporary; /* the file beside it */
};

/* All functions below report their own trouble and then return false. */

/* Opens the output, "-" or NULL being standard output, and finds out whether its folder can be
 * written. On failure there is nothing to undo. */
bool output_open(struct output *output, const char *path);

bool output_write(struct output *output, const void *data, size_t size);

/* Puts the file in its place, once. On failure the output remains to be discarded. */
bool output_commit(struct output *output);

/* Frees everything; what is not committed disappears. */
void output_discard(struct output *output);

#endif
