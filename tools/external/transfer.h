/* transfer.h - clsort-external: writes blocks to the store and reads them, compressed if that pays
 *
 * A compressed block takes as many units of IO_ALIGNMENT bytes as it needs; a block that does not get smaller by at
 * least one is stored as it is. The threads of io.h compress and restore, and find the offset in the file. */
#ifndef CLSORT_EXTERNAL_TRANSFER_H
#define CLSORT_EXTERNAL_TRANSFER_H

#include "io.h"
#include "store.h"

/* A block that is being written or read, with a request of its own. */
struct transfer {
    struct io_request request;
    struct store *store;
    uint64_t block;
    size_t file;    /* of the store; known once the block is in it */
    size_t size;    /* bytes of its elements */
    bool is_sample; /* its size decides whether other blocks are compressed */
    bool begins_sample;
};

/* Begins to write request.data as the next block of the store: elements of `size` bytes, which are padded to units of
 * IO_ALIGNMENT bytes. The data may be changed. */
void transfer_start_write(struct transfer *transfer, struct io *io, struct store *store,
                          size_t size);

/* Takes note of where a block has been written, after its request is complete. Prints an error and returns false if
 * memory runs out. */
bool transfer_end_write(struct transfer *transfer);

/* Begins to read a block, whose elements have `size` bytes, to memory of the plan's block size. */
void transfer_start_read(struct transfer *transfer, struct io *io, struct store *store,
                         uint64_t block, unsigned char *memory, size_t size);

/* Prints the error of a request. */
void transfer_print_error(const struct transfer *transfer);

#endif
