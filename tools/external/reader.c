/* reader.c - clsort-external: reads the elements of the input in chunks, one ahead
 *
 * Direct transfers are aligned, elements are not: the requests of a chunk begin at the last aligned offset before it,
 * and its elements are moved by the difference. */
#include "reader.h"

#include "linux.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int reader_open_direct(const struct external *external)
{
    const int fd = linux_open_direct(external->input, O_RDONLY);

    return fd < 0 ? external->input : fd;
}

unsigned char *reader_request(struct io_request *request, int fd, unsigned char *memory,
                              uint64_t offset, size_t size)
{
    const size_t before = (size_t)(offset % IO_ALIGNMENT);

    *request = (struct io_request){.fd = fd,
                                   .data = memory,
                                   .size = arena_padded(before + size),
                                   .min_size = before + size,
                                   .offset = offset - before};
    return memory + before;
}

void reader_print_error(const struct external *external, const struct io_request *request)
{
    if (request->error == IO_ERROR_SHORT)
        print_error(external->input_name,
                    "file became shorter while it was read; sort a copy of it");
    else
        print_error(external->input_name, "%s", strerror(request->error));
}

size_t reader_memory(size_t element_size, size_t chunk_elements)
{
    return READER_CHUNKS * arena_padded(chunk_elements * element_size + 2 * IO_ALIGNMENT);
}

/* Begins to read the next elements of the file to a chunk. */
static void start(struct reader *reader, struct reader_chunk *chunk)
{
    const struct external *external = reader->external;
    const size_t size = external->order->size;
    const uint64_t left = external->plan.count - reader->next;
    const uint64_t offset = external->input_offset + reader->next * size;
    struct io_request whole;

    chunk->count = left < reader->chunk_elements ? (size_t)left : reader->chunk_elements;
    chunk->request_count = 0;
    reader->next += chunk->count;
    if (chunk->count == 0)
        return;
    chunk->elements =
        reader_request(&whole, reader->fd, chunk->memory, offset, chunk->count * size);
    const size_t share = arena_padded(whole.size / READER_MAX_REQUESTS + 1);
    const size_t block = share < READER_BLOCK ? READER_BLOCK : share;
    for (size_t at = 0; at < whole.size; at += block) {
        struct io_request *request = &chunk->requests[chunk->request_count++];
        const size_t rest = whole.size - at, needed = whole.min_size - at;

        *request = whole;
        request->data += at;
        request->offset += at;
        request->size = rest < block ? rest : block;
        request->min_size = needed < block ? needed : block;
        io_start(reader->io, request);
    }
}

bool reader_open(struct reader *reader, const struct external *external, struct io *io,
                 struct arena *arena, size_t chunk_elements)
{
    const size_t size = external->order->size;

    *reader = (struct reader){.external = external, .io = io, .chunk_elements = chunk_elements};
    reader->fd = reader_open_direct(external);
    reader->is_opened = reader->fd != external->input;
    for (size_t i = 0; i < READER_CHUNKS; i++) {
        struct reader_chunk *chunk = &reader->chunk[i];

        chunk->memory = arena_take(arena, chunk_elements * size + 2 * IO_ALIGNMENT);
        chunk->requests = malloc(READER_MAX_REQUESTS * sizeof *chunk->requests);
        if (chunk->requests == NULL) {
            print_errno(external->input_name);
            return false;
        }
    }
    start(reader, &reader->chunk[0]);
    return true;
}

void reader_close(struct reader *reader)
{
    for (size_t i = 0; i < READER_CHUNKS; i++) {
        struct reader_chunk *chunk = &reader->chunk[i];

        for (size_t j = 0; j < chunk->request_count; j++)
            io_wait(reader->io, &chunk->requests[j]);
        free(chunk->requests);
    }
    if (reader->is_opened)
        close(reader->fd);
    *reader = (struct reader){.fd = -1};
}

bool reader_next(struct reader *reader, unsigned char **elements, size_t *count)
{
    struct reader_chunk *chunk = &reader->chunk[reader->current];

    reader->current = (reader->current + 1) % READER_CHUNKS;
    start(reader, &reader->chunk[reader->current]);
    for (size_t i = 0; i < chunk->request_count; i++) {
        if (!io_wait(reader->io, &chunk->requests[i])) {
            reader_print_error(reader->external, &chunk->requests[i]);
            return false;
        }
    }
    *elements = chunk->elements;
    *count = chunk->count;
    reader->external->progress(chunk->count * reader->external->order->size);
    return true;
}
