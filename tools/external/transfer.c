/* transfer.c - clsort-external: writes blocks to the store and reads them, compressed if that pays */
#include "transfer.h"

#include "arena.h"
#include "print.h"

#include <string.h>

/* If the store is sampled, the first SAMPLE of each STRETCH blocks of a run are compressed, and the others only if
 * those that have been written last take at most MAX_PERCENT of their size. Where a disk takes 4.2 ns to write and read
 * a byte, an eighth less saves 0.5 ns for each byte of the data, which is what two cores need to compress and restore
 * u64 keys by lz4. */
enum { SAMPLE = 4, STRETCH = 64, MAX_PERCENT = 87 };

/* Takes space for a block. */
static void take(struct transfer *transfer)
{
    struct io_request *request = &transfer->request;
    struct store *store = transfer->store;

    request->offset = store_take(store, transfer->block, request->size, &transfer->file);
    request->fd = store->fd[transfer->file];
}

/* Compresses a block, and takes space for it. */
static int encode(struct io_request *request, size_t worker)
{
    struct transfer *transfer = request->context;
    const struct store *store = transfer->store;
    const size_t padded = arena_padded(transfer->size);
    const size_t stored =
        codec_encode(store->codec, worker, request->data, transfer->size, padded - IO_ALIGNMENT);

    request->size = request->min_size = stored == 0 ? padded : arena_padded(stored);
    take(transfer);
    return 0;
}

static int decode(struct io_request *request, size_t worker)
{
    const struct transfer *transfer = request->context;

    return codec_decode(transfer->store->codec, worker, request->data, request->size,
                        transfer->size)
               ? 0
               : IO_ERROR_CORRUPT;
}

/* Returns whether the next block of a run is compressed. */
static bool is_compressed(const struct store *store)
{
    const struct store_sample *sample = &store->sample;

    return store->codec != NULL && (!store->is_sampled || sample->position < SAMPLE ||
                                    sample->stored <= sample->size / 100 * MAX_PERCENT);
}

void transfer_start_write(struct transfer *transfer, struct io *io, struct store *store,
                          size_t size)
{
    struct io_request *request = &transfer->request;
    struct store_sample *sample = &store->sample;

    transfer->store = store;
    transfer->block = store->next++;
    transfer->size = size;
    transfer->is_sample = sample->position < SAMPLE;
    transfer->begins_sample = sample->position == 0;
    *request = (struct io_request){.is_write = true,
                                   .data = request->data,
                                   .size = arena_padded(size),
                                   .min_size = arena_padded(size),
                                   .context = transfer};
    if (is_compressed(store))
        request->convert = encode;
    else
        take(transfer);
    sample->position = (sample->position + 1) % STRETCH;
    io_start(io, request);
}

bool transfer_end_write(struct transfer *transfer)
{
    struct store *store = transfer->store;

    if (transfer->begins_sample)
        store->sample.size = store->sample.stored = 0;
    if (transfer->is_sample) {
        store->sample.size += transfer->size;
        store->sample.stored += transfer->request.size;
    }
    return store_set_place(store, transfer->block, transfer->file, transfer->request.offset,
                           transfer->request.size);
}

void transfer_start_read(struct transfer *transfer, struct io *io, struct store *store,
                         uint64_t block, unsigned char *memory, size_t size)
{
    const size_t stored = store_stored_size(store, block), padded = arena_padded(size);
    const bool is_whole = store->codec == NULL || stored == padded;

    *transfer = (struct transfer){
        .store = store, .block = block, .file = store_file(store, block), .size = size};
    transfer->request = (struct io_request){.fd = store->fd[transfer->file],
                                            .data = memory,
                                            .size = is_whole ? padded : stored,
                                            .min_size = is_whole ? size : stored,
                                            .offset = store_offset(store, block),
                                            .convert = is_whole ? NULL : decode,
                                            .context = transfer};
    io_start(io, &transfer->request);
}

void transfer_print_error(const struct transfer *transfer)
{
    const int error = transfer->request.error;

    print_error(transfer->store->folder[transfer->file], "temporary file: %s",
                error == IO_ERROR_SHORT ? "it has become shorter"
                : error == IO_ERROR_CORRUPT
                    ? "a compressed block is corrupted, because the memory or the disk is faulty"
                    : strerror(error));
}
