/* stream.c - clsort-external: writes elements as consecutive blocks, while more are being produced */
#include "stream.h"

#include "linux.h"
#include "parallel.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t stream_memory(const struct external_plan *plan, size_t block_count)
{
    return block_count * arena_padded(plan->block_size);
}

uint64_t stream_output_size(const struct external *external)
{
    const uint64_t count = external->is_stream ? external->count : external->plan.count;

    return external->header_size +
           external_plan_output(&external->plan, count) * external->plan.output_size;
}

bool stream_check_space(const struct external *external, uint64_t needed)
{
    return external->output < 0 || external->is_unique ||
           store_check_space(external->output_folder, "the output",
                             "write it to a file system with more space", needed);
}

bool stream_check_store_space(const struct external *external, const struct store *store)
{
    const uint64_t size = stream_output_size(external);
    const uint64_t blocks = external->plan.batch_blocks + 2 + external->plan.merge_write_blocks;
    const uint64_t lag =
        size / STREAM_ALLOCATIONS + size / STORE_PUNCHES + blocks * external->plan.block_size;
    uint64_t shared = 0; /* folders in the file system of the output */

    if (external->is_stream)
        return true;
    for (size_t i = 0; i < external->folder_count; i++)
        shared += external->output >= 0 &&
                  store_is_same_system(external->output_folder, external->folders[i]);
    if (shared == 0 || !store->can_punch)
        return stream_check_space(external, size);
    const uint64_t returned = external->plan.lag / external->folder_count * shared;
    return stream_check_space(external, lag > returned ? lag - returned : 0);
}

bool stream_open(struct stream *stream, const struct external *external, struct io *io,
                 struct store *store, struct arena *arena, size_t block_count)
{
    const struct external_plan *plan = &external->plan;

    *stream =
        (struct stream){.external = external, .io = io, .store = store, .fd = external->output};
    stream->capacity = store == NULL ? plan->block_size : plan->block_elements * plan->size;
    stream->blocks = calloc(block_count, sizeof *stream->blocks);
    if (stream->blocks == NULL) {
        print_errno(external->output_name);
        return false;
    }
    stream->block_count = block_count;
    for (size_t i = 0; arena != NULL && i < block_count; i++)
        stream->blocks[i].transfer.request.data = arena_take(arena, plan->block_size);
    if (store == NULL && external->output >= 0) {
        const int fd = linux_open_direct(external->output, O_WRONLY);

        stream->is_opened = fd >= 0;
        stream->fd = fd >= 0 ? fd : external->output;
    }
    return true;
}

void stream_close(struct stream *stream)
{
    for (size_t i = 0; i < stream->block_count; i++)
        io_wait(stream->io, &stream->blocks[i].transfer.request);
    free(stream->blocks);
    if (stream->is_opened)
        close(stream->fd);
    *stream = (struct stream){.fd = -1};
}

/* Waits until the data of a block are written, so that it can be filled again. */
static bool wait_for(struct stream *stream, struct stream_block *block)
{
    const bool is_started = block->transfer.request.is_started;

    if (io_wait(stream->io, &block->transfer.request))
        return !is_started || stream->store == NULL || transfer_end_write(&block->transfer);
    print_error(stream->store == NULL ? stream->external->output_name
                                      : stream->store->folder[block->transfer.file],
                "%s", strerror(block->transfer.request.error));
    return false;
}

bool stream_reserve(struct stream *stream)
{
    const struct external *external = stream->external;
    const uint64_t size = stream_output_size(external);
    uint64_t available;

    if (external->output < 0 || linux_is_in_memory(external->output) ||
        !store_find_space(external->output_folder, &available) || available < size)
        return false;
    const bool done = linux_allocate(external->output, 0, size);
    if (done)
        stream->allocated = size;
    else if (ftruncate(external->output, 0) != 0) /* ext4 keeps what it could allocate */
        return false;
    return done;
}

/* Allocates space for the output up to `target`. Returns false if there is too little. */
static bool enlarge(struct stream *stream, uint64_t target)
{
    if (linux_allocate(stream->external->output, stream->allocated, target - stream->allocated)) {
        stream->allocated = target;
        return true;
    }
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        return false;
    stream->allocated = UINT64_MAX; /* not supported */
    return true;
}

/* Allocates space for the output up to `end` and some more, as far as it is needed and free, because writes that
 * enlarge a file wait for each other in some file systems. */
static bool allocate(struct stream *stream, uint64_t end)
{
    const struct external *external = stream->external;
    const uint64_t size = stream_output_size(external);
    uint64_t target = stream->allocated + size / STREAM_ALLOCATIONS +
                      stream->block_count * external->plan.block_size;

    if (end <= stream->allocated)
        return true;
    target = target > size ? size : target;
    target = target < end ? end : target;
    if (enlarge(stream, target) || enlarge(stream, end))
        return true;
    print_errno(external->output_name);
    return false;
}

/* Begins to write a block to the store. size: the bytes of its elements. */
static void start_stored(const struct stream *stream, struct stream_block *block, size_t size)
{
    unsigned char *data = block->transfer.request.data;

    memset(data + size, 0, arena_padded(size) - size);
    stream->external->progress(size);
    transfer_start_write(&block->transfer, stream->io, stream->store, size);
}

/* Begins to write the current block, padded by zeros, and waits until the next one is free. */
static bool flush(struct stream *stream)
{
    const struct external *external = stream->external;
    struct stream_block *block = &stream->blocks[stream->current];
    struct io_request *request = &block->transfer.request;
    const size_t size = stream->fill, padded = arena_padded(size);

    if (stream->store == NULL && external->output < 0) {
        external->progress(size);
        stream->fill = 0;
        io_add_written(stream->io, size);
        return external->write(external->context, request->data, size);
    }
    if (stream->store != NULL) {
        start_stored(stream, block, size);
    } else {
        external->progress(size);
        memset(request->data + size, 0, padded - size);
        request->done = 0;
        request->is_write = true;
        request->size = request->min_size = padded;
        request->fd = stream->fd;
        request->offset = stream->size - size;
        if (!allocate(stream, request->offset + padded))
            return false;
        io_start(stream->io, request);
    }
    stream->fill = 0;
    stream->current = (stream->current + 1) % stream->block_count;
    return wait_for(stream, &stream->blocks[stream->current]);
}

bool stream_put(struct stream *stream, const void *data, size_t size)
{
    const unsigned char *bytes = data;

    while (size > 0) {
        const size_t space = stream->capacity - stream->fill, part = size < space ? size : space;

        unsigned char *block = stream->blocks[stream->current].transfer.request.data;

        parallel_copy(&(struct parallel_copy){block + stream->fill, bytes, part}, 1);
        stream->fill += part;
        stream->size += part;
        bytes += part;
        size -= part;
        if (stream->fill == stream->capacity && !flush(stream))
            return false;
    }
    return true;
}

void stream_put_run(struct stream *stream, unsigned char *elements, size_t size)
{
    unsigned char *aligned = elements - (uintptr_t)elements % IO_ALIGNMENT;
    struct stream_block *block = stream->blocks;

    if (aligned != elements)
        memmove(aligned, elements, size);
    for (size_t at = 0, part; at < size; at += part, block++) {
        part = size - at < stream->capacity ? size - at : stream->capacity;
        block->transfer.request.data = aligned + at;
        start_stored(stream, block, part);
    }
    store_end_run(stream->store);
}

bool stream_end_run(struct stream *stream)
{
    if (stream->fill > 0 && !flush(stream))
        return false;
    if (stream->store != NULL)
        store_end_run(stream->store);
    return true;
}

bool stream_wait(struct stream *stream)
{
    for (size_t i = 0; i < stream->block_count; i++)
        if (!wait_for(stream, &stream->blocks[i]))
            return false;
    return true;
}

bool stream_finish(struct stream *stream)
{
    if (!stream_end_run(stream) || !stream_wait(stream))
        return false;
    if (stream->store != NULL || stream->external->output < 0)
        return true;
    if (ftruncate(stream->external->output, (off_t)stream->size) == 0)
        return true;
    print_errno(stream->external->output_name);
    return false;
}

bool stream_abandon(struct stream *stream)
{
    if (!stream_wait(stream))
        return false;
    if (stream->external->output < 0 || ftruncate(stream->external->output, 0) == 0)
        return true;
    print_errno(stream->external->output_name);
    return false;
}
