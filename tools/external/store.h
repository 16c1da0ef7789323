/* store.h - clsort-external: temporary files that hold the runs, as numbered blocks
 *
 * Block b is in file b mod F, so that each of F folders gets an equal share. Its offset is b / F * block_size, unless
 * the store has places, because blocks are compressed or many runs end with a short block: then a block is written
 * behind the others of the shortest file, and the store keeps a list of files, offsets and sizes. The files have no
 * names, so that they vanish with the process. Space for all runs is allocated at the start. A block that has been read
 * is punched out of its file, so that the output can take its space. */
#ifndef CLSORT_EXTERNAL_STORE_H
#define CLSORT_EXTERNAL_STORE_H

#include "codec.h"

#include <pthread.h>
#include <stdint.h>

enum {
    STORE_MAX_FOLDERS = 16,
    STORE_PUNCHES =
        64 /* how often a pass punches blocks, before which file systems wait for all transfers of the file */
};

/* The blocks that decide whether others are compressed */
struct store_sample {
    unsigned position; /* number of the next block since the sample has begun */
    uint64_t size,
        stored; /* bytes of those of this sample that have been written; else those of the one before */
};

struct store {
    struct codec *codec; /* NULL: blocks are stored as they are */
    bool has_places;     /* always with a codec */
    bool is_sampled;     /* blocks are compressed only if samples get clearly smaller */
    struct store_sample sample;
    size_t block_size; /* a multiple of IO_ALIGNMENT */
    size_t count;      /* of files */
    int fd[STORE_MAX_FOLDERS];
    const char *folder[STORE_MAX_FOLDERS];
    uint64_t end[STORE_MAX_FOLDERS]; /* bytes of each file that are in use, or have been */
    pthread_mutex_t lock;            /* of `end` while blocks are being written */
    uint64_t *places;                /* of the blocks */
    size_t place_capacity;
    uint64_t next;     /* the first block that is not in use */
    bool can_punch;    /* in all files, before store_release is called */
    bool keeps_all;    /* blocks that have been read remain, because nobody needs their space */
    uint64_t *punched; /* places of blocks that are to be punched */
    size_t punched_count, max_punched;

    /* Set by resume.h: the store is the file `kept`, keeps blocks until store_release, and needs `reserve` bytes more
     * when it is opened. */
    bool is_kept;
    int kept;
    uint64_t reserve;

    uint64_t peak; /* maximum space of the files in bytes; complete after store_close */
};

/* Functions that return bool print an error and return false on failure. */

/* Creates the files for blocks of about `size` bytes altogether, and allocates space for these if is_allocated. The
 * codec, has_places, is_sampled, is_kept and the lock are set before. The caller calls store_close in either case. */
bool store_open(struct store *store, const char *const *folders, size_t folder_count,
                size_t block_size, uint64_t size, bool is_allocated);
void store_close(struct store *store);

/* Returns the space behind the blocks that have been written to the file system. will_grow: except what runs that are
 * merged to others take before the blocks that they consist of are punched. */
void store_trim(struct store *store, bool will_grow);

/* Takes space for a new block, and returns its offset in the file. Can be called in any thread. */
uint64_t store_take(struct store *store, uint64_t block, size_t size, size_t *file);

/* Sets the file, the offset and the size of a block, as store_take has returned and got them. */
bool store_set_place(struct store *store, uint64_t block, size_t file, uint64_t offset,
                     size_t size);

/* Ends a run: the next block is a sample. */
void store_end_run(struct store *store);

/* Returns the file of a block that has been written, the offset in it, and the size. */
size_t store_file(const struct store *store, uint64_t block);
uint64_t store_offset(const struct store *store, uint64_t block);
size_t store_stored_size(const struct store *store, uint64_t block);

/* Returns the space of a block to the file system, if that is supported, together with that of others: no later than
 * they have 1/STORE_PUNCHES of the size that store_open got. */
void store_punch(struct store *store, uint64_t block);

/* Does so now, for all blocks that have been read. */
void store_release(struct store *store);

/* Finds how much space is free in the file system of the folder. Sets errno on failure, and prints nothing. */
bool store_find_space(const char *folder, uint64_t *available);

/* Checks that the folder has `needed` bytes free. what: what they are needed for. advice: what the user can do if there
 * are fewer. */
bool store_check_space(const char *folder, const char *what, const char *advice, uint64_t needed);

/* Returns whether two folders are in the same file system. */
bool store_is_same_system(const char *a, const char *b);

#endif
