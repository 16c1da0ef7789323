/* temporary.h - clsort-tool-common: temporary files that replace another file once complete
 *
 * Where the system supports it, the file has no name until then (O_TMPFILE), so that it vanishes
 * with the process, however that ends. linkat cannot replace a file: to replace one, the temporary
 * file is named .clsort-HASH-N for the time between linkat and rename. If the process is killed
 * there, the next temporary_open for the same target removes the name.
 *
 * Elsewhere, and if other processes write it, too, the file is named .clsort-PID-N, and the handlers
 * of fatal signals remove it; only SIGKILL and a power failure leave it behind. Other hosts may use
 * the folder, whose processes and locks are invisible, so that it is not removed later. */
#ifndef CLSORT_TOOLS_TEMPORARY_H
#define CLSORT_TOOLS_TEMPORARY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct temporary {
    char *path; /* in the folder of the target; NULL: there is no temporary file */
    size_t path_size;
    uint64_t target_hash; /* of the target's name without the folder; 0: is named from the start */
    bool is_named;        /* the path exists */
};

/* Creates the file in the folder of the target. Returns its descriptor, which the caller closes.
 * Returns -1 and sets errno on failure. The caller calls temporary_discard in either case. */
int temporary_open(struct temporary *temporary, const char *target, mode_t mode);

/* The same for a file that has a name from the start, so that other processes can open it. */
int temporary_open_named(struct temporary *temporary, const char *target, mode_t mode);

/* Creates a file for reading and writing, whose name is removed at once. Returns -1 and sets errno on failure. */
int temporary_open_removed(const char *folder);

/* Replaces the target, or creates it. Returns false and sets errno on failure. */
bool temporary_replace(struct temporary *temporary, int fd, const char *target);

/* Removes the file unless it has replaced the target. */
void temporary_discard(struct temporary *temporary);

/* Waits until the entries of an open folder are on the disk, if the file system supports that. Returns false and sets
 * errno on failure. */
bool folder_sync(int folder);

/* Returns the folder of a path; the caller frees it. NULL: out of memory. */
char *folder_of(const char *path);

#endif
