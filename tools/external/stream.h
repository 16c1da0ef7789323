/* stream.h - clsort-external: writes elements as consecutive blocks, while more are being produced
 *
 * A stream writes runs to the store, or the output, whose blocks are full and which is cut to its exact size at the
 * end, or an output that has no offsets, such as a pipe. */
#ifndef CLSORT_EXTERNAL_STREAM_H
#define CLSORT_EXTERNAL_STREAM_H

#include "arena.h"
#include "external.h"
#include "transfer.h"

enum { STREAM_ALLOCATIONS = 64 }; /* of the output */

struct stream_block {
    struct transfer transfer; /* of the output: its request only */
};

struct stream {
    const struct external *external;
    struct io *io;
    struct store *store; /* NULL: the output */
    int fd;              /* of the output, opened for direct transfers if possible */
    bool is_opened;      /* fd is not the output itself */
    size_t capacity;     /* bytes of elements of a block */
    size_t block_count, current, fill;
    uint64_t size;      /* bytes that have been put into the output */
    uint64_t allocated; /* bytes of the output */
    struct stream_block *blocks;
};

/* Functions that return bool print an error and return false on failure. */

/* Returns the bytes of the output, if no elements are dropped. */
uint64_t stream_output_size(const struct external *external);

/* Checks that there is space for so many bytes of the output, unless its size is not known before. */
bool stream_check_space(const struct external *external, uint64_t needed);

/* Checks that there is space for the output, once the store is open. The output takes the space of blocks that have
 * been read, if it is in the same file system and these can be punched, but it is allocated somewhat ahead. What merges
 * to runs take in addition has been returned then. */
bool stream_check_store_space(const struct external *external, const struct store *store);

/* Returns the bytes of the arena that a stream with this number of blocks takes. */
size_t stream_memory(const struct external_plan *plan, size_t block_count);

/* Opens a stream to the store or, if that is NULL, to the output. The caller calls stream_close in either case. Without
 * an arena, block_count is the maximum number of blocks of a run, and runs are written by stream_put_run only. */
bool stream_open(struct stream *stream, const struct external *external, struct io *io,
                 struct store *store, struct arena *arena, size_t block_count);

/* Waits for all requests and releases the stream. Errors of the requests are ignored. */
void stream_close(struct stream *stream);

/* Allocates space for all of the output. Returns false if there is not enough, or if it takes memory. Blocks then get
 * theirs when they are written. */
bool stream_reserve(struct stream *stream);

bool stream_put(struct stream *stream, const void *data, size_t size);

/* Begins to write a run to the store from where it is. plan.is_in_place must be set, and stream_wait must have been
 * called after the run before. The elements begin less than IO_ALIGNMENT bytes behind an aligned address, to which they
 * are moved. The memory from there on, and up to IO_ALIGNMENT bytes behind them, must not be used until stream_wait has
 * returned. */
void stream_put_run(struct stream *stream, unsigned char *elements, size_t size);

/* Ends a run: the next element begins a block of the store. */
bool stream_end_run(struct stream *stream);

/* Waits until all blocks are written that have been filled. */
bool stream_wait(struct stream *stream);

/* Waits until all data are written. Cuts the output to its size. */
bool stream_finish(struct stream *stream);

/* Empties the output, so that another stream can write it. Nothing has been written if it has no offsets. */
bool stream_abandon(struct stream *stream);

#endif
