/* store.h - clsort-external: temporary files that hold the runs, as numbered blocks
 *
 * Block b is in file b mod F, at offset b / F * block_size, so that each of F folders gets an equal share. The
 * files have no names, so that they vanish with the process. Space for all runs is allocated at the start. A block
 * that has been read is punched out of its file, so that the output can take its space. */
#ifndef CLSORT_EXTERNAL_STORE_H
#define CLSORT_EXTERNAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STORE_MAX_FOLDERS = 16,
    STORE_PUNCHES =
        64 /* how often blocks are punched, since file systems wait for all transfers of the file before */
};

struct store {
    size_t block_size; /* a multiple of IO_ALIGNMENT */
    size_t count;      /* of files */
    int fd[STORE_MAX_FOLDERS];
    const char *folder[STORE_MAX_FOLDERS];
    uint64_t next;     /* the first block that is not in use */
    bool can_punch;    /* in all files */
    uint64_t *punched; /* blocks that are to be punched */
    size_t punched_count, max_punched;
    uint64_t peak; /* maximum space of the files in bytes; complete after store_close */
};

/* Functions that return bool print an error and return false on failure. */

/* Creates the files for about `blocks` blocks, and allocates space for these if is_allocated. The caller calls
 * store_close in either case. */
bool store_open(struct store *store, const char *const *folders, size_t folder_count,
                size_t block_size, uint64_t blocks, bool is_allocated);
void store_close(struct store *store);

/* Returns the folder, the file and the offset of a block. */
const char *store_folder(const struct store *store, uint64_t block);
int store_file(const struct store *store, uint64_t block);
uint64_t store_offset(const struct store *store, uint64_t block);

/* Returns the space of a block to the file system, sooner or later, if that is supported. */
void store_punch(struct store *store, uint64_t block);

/* Checks that the folder has `needed` bytes free. what: what they are needed for. advice: what the user can do if there
 * are fewer. */
bool store_check_space(const char *folder, const char *what, const char *advice, uint64_t needed);

/* Returns whether two folders are in the same file system. */
bool store_is_same_system(const char *a, const char *b);

#endif
