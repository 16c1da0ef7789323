/* reader.c - clsort-external: reads the elements of the inputs in chunks, one ahead
 *
 * Direct transfers are aligned, elements are not: the requests of a chunk begin at the last aligned offset before it,
 * and its elements are moved by the difference. A chunk of the elements of several inputs is read through the page
 * cache, because these follow each other at any address. */
#include "reader.h"

#include "linux.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int reader_open_direct(const struct external_input *input)
{
    const int fd = linux_open_direct(input->fd, O_RDONLY);

    return fd < 0 ? input->fd : fd;
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

void reader_print_error(const struct external_input *input, const struct io_request *request)
{
    if (request->error == IO_ERROR_SHORT)
        print_error(input->name, "file became shorter while it was read; sort a copy of it");
    else
        print_error(input->name, "%s", strerror(request->error));
}

/* Each input of a chunk can have a request that is not full. */
static size_t max_requests(const struct external *external)
{
    return READER_MAX_REQUESTS + external->input_count + 1;
}

size_t reader_element_size(const struct external_order *order)
{
    return order->expand != NULL ? order->input_size : order->size;
}

size_t reader_chunk_memory(size_t element_size, size_t chunk_elements)
{
    return arena_padded(chunk_elements * element_size + 2 * IO_ALIGNMENT);
}

size_t reader_memory(size_t element_size, size_t chunk_elements)
{
    return READER_CHUNKS * reader_chunk_memory(element_size, chunk_elements);
}

/* Starts the requests of a part of a chunk, in blocks. */
static void start_part(struct reader *reader, struct reader_chunk *chunk, size_t input,
                       const struct io_request *whole)
{
    for (size_t at = 0; at < whole->min_size; at += reader->block_size) {
        struct io_request *request = &chunk->requests[chunk->request_count];
        const size_t rest = whole->size - at, needed = whole->min_size - at;

        chunk->request_inputs[chunk->request_count++] = input;
        *request = *whole;
        request->data += at;
        request->offset += at;
        request->size = rest < reader->block_size ? rest : reader->block_size;
        request->min_size = needed < reader->block_size ? needed : reader->block_size;
        io_start(reader->io, request);
    }
}

/* Begins to read a part of one input. */
static void start_whole(struct reader *reader, struct reader_chunk *chunk)
{
    const struct external_input *input = &reader->external->inputs[reader->input];
    const size_t size = reader_element_size(reader->external->order);
    struct io_request whole;

    chunk->fd = reader_open_direct(input);
    chunk->is_opened = chunk->fd != input->fd;
    chunk->elements = reader_request(&whole, chunk->fd, chunk->memory,
                                     input->offset + reader->next * size, chunk->count * size);
    start_part(reader, chunk, reader->input, &whole);
}

/* Begins to read parts of several inputs. */
static void start_parts(struct reader *reader, struct reader_chunk *chunk)
{
    const struct external *external = reader->external;
    const size_t size = reader_element_size(external->order);
    uint64_t next = reader->next;

    chunk->elements = chunk->memory;
    chunk->count = 0;
    for (size_t i = reader->input;
         i < external->input_count && chunk->count < reader->chunk_elements; i++, next = 0) {
        const struct external_input *input = &external->inputs[i];
        const uint64_t left = input->count - next;
        const size_t space = reader->chunk_elements - chunk->count;
        const size_t count = left < space ? (size_t)left : space;

        start_part(reader, chunk, i,
                   &(struct io_request){.fd = input->fd,
                                        .data = chunk->memory + chunk->count * size,
                                        .size = count * size,
                                        .min_size = count * size,
                                        .offset = input->offset + next * size});
        chunk->count += count;
    }
}

/* Moves the position of the reader, and skips inputs of which nothing is left. */
static void advance(struct reader *reader, uint64_t count)
{
    const struct external *external = reader->external;

    for (;;) {
        if (reader->input == external->input_count)
            return;
        const uint64_t left = external->inputs[reader->input].count - reader->next;
        if (count < left) {
            reader->next += count;
            return;
        }
        count -= left;
        reader->input++;
        reader->next = 0;
    }
}

/* Begins to read the stream. How many elements come is not known before the request is complete. */
static void start_stream(struct reader *reader, struct reader_chunk *chunk)
{
    const struct external *external = reader->external;
    const size_t element_size = reader_element_size(external->order);
    const size_t size = reader->chunk_elements * element_size;
    const uint64_t taken = reader->next * element_size;
    const size_t known = taken < external->prefix_size ? external->prefix_size - (size_t)taken : 0;
    const size_t prefix = known < size ? known : size;

    if (reader->has_ended)
        return;
    chunk->elements = chunk->memory;
    if (prefix > 0)
        memcpy(chunk->memory, external->prefix + taken, prefix);
    chunk->requests[0] = (struct io_request){.fd = external->inputs[0].fd,
                                             .data = chunk->memory,
                                             .size = size,
                                             .done = prefix,
                                             .offset = IO_SEQUENTIAL};
    chunk->request_inputs[0] = 0;
    chunk->request_count = 1;
    if (prefix < size)
        io_start(reader->io, &chunk->requests[0]);
}

static void close_chunk(struct reader_chunk *chunk)
{
    if (chunk->is_opened)
        close(chunk->fd);
    chunk->is_opened = false;
}

/* Begins to read the next elements to a chunk. */
static void start(struct reader *reader, struct reader_chunk *chunk)
{
    const struct external *external = reader->external;

    close_chunk(chunk);
    chunk->count = 0;
    chunk->request_count = 0;
    chunk->first = reader->next;
    chunk->input = reader->input;
    chunk->is_whole = true;
    if (external->is_stream) {
        start_stream(reader, chunk);
        return;
    }
    if (reader->input == external->input_count)
        return;
    const uint64_t left = external->inputs[reader->input].count - reader->next;
    chunk->is_whole = left >= reader->chunk_elements || reader->input + 1 == external->input_count;
    if (chunk->is_whole) {
        chunk->count = left < reader->chunk_elements ? (size_t)left : reader->chunk_elements;
        start_whole(reader, chunk);
    } else {
        start_parts(reader, chunk);
    }
    advance(reader, chunk->count);
}

/* Inserts a chunk at an index. */
static bool insert_chunk(struct reader *reader, size_t at, struct arena *arena)
{
    const struct external *external = reader->external;
    const size_t size = reader_element_size(external->order);
    const size_t requests = max_requests(external);
    struct reader_chunk *chunk = &reader->chunk[at];

    memmove(chunk + 1, chunk, (reader->chunk_count - at) * sizeof *chunk);
    *chunk = (struct reader_chunk){
        .memory = arena_take(arena, reader_chunk_memory(size, reader->chunk_elements)),
        .requests = malloc(requests * sizeof *chunk->requests),
        .request_inputs = malloc(requests * sizeof *chunk->request_inputs)};
    reader->chunk_count++;
    if (chunk->requests != NULL && chunk->request_inputs != NULL)
        return true;
    print_error(external->inputs[0].name, "out of memory");
    return false;
}

bool reader_add_chunk(struct reader *reader, struct arena *arena)
{
    return insert_chunk(reader, reader->current + 1, arena);
}

bool reader_open(struct reader *reader, const struct external *external, struct io *io,
                 struct arena *arena, size_t chunk_elements)
{
    const size_t size = reader_element_size(external->order);
    const size_t share = arena_padded(chunk_elements * size / READER_MAX_REQUESTS + IO_ALIGNMENT);

    *reader = (struct reader){.external = external, .io = io, .chunk_elements = chunk_elements};
    reader->block_size = share < READER_MIN_BLOCK ? READER_MIN_BLOCK : share;
    for (size_t i = 0; i < READER_CHUNKS; i++)
        if (!insert_chunk(reader, i, arena))
            return false;
    if (!external->is_stream)
        advance(reader, external->count);
    start(reader, &reader->chunk[0]);
    return true;
}

void reader_close(struct reader *reader)
{
    for (size_t i = 0; i < reader->chunk_count; i++) {
        struct reader_chunk *chunk = &reader->chunk[i];

        for (size_t j = 0; j < chunk->request_count; j++)
            io_wait(reader->io, &chunk->requests[j]);
        close_chunk(chunk);
        free(chunk->requests);
        free(chunk->request_inputs);
    }
    *reader = (struct reader){.external = NULL};
}

/* Waits for all requests of a chunk. */
static bool wait_for(const struct reader *reader, struct reader_chunk *chunk)
{
    const struct external *external = reader->external;

    for (size_t i = 0; i < chunk->request_count; i++) {
        if (!io_wait(reader->io, &chunk->requests[i])) {
            reader_print_error(&external->inputs[chunk->request_inputs[i]], &chunk->requests[i]);
            return false;
        }
    }
    return true;
}

/* Waits for a chunk of the stream, and counts its elements. */
static bool finish_stream(struct reader *reader, struct reader_chunk *chunk)
{
    const struct external *external = reader->external;
    const size_t size = reader_element_size(external->order);

    if (!wait_for(reader, chunk))
        return false;
    if (chunk->request_count == 0)
        return true;
    const size_t got = chunk->requests[0].done;
    chunk->count = got / size;
    reader->has_ended = chunk->count < reader->chunk_elements;
    if (got % size != 0) {
        print_error(external->inputs[0].name,
                    "size of %" PRIu64 " bytes is not a multiple of %zu, that of an element",
                    reader->next * size + got, size);
        return false;
    }
    reader->next += chunk->count;
    return true;
}

bool reader_next(struct reader *reader, const struct reader_chunk **chunk)
{
    const struct external *external = reader->external;
    struct reader_chunk *this = &reader->chunk[reader->current];
    struct reader_chunk *other;

    /* A stream must have been read up to the end of this chunk before the next request can start. */
    if (external->is_stream && !finish_stream(reader, this))
        return false;
    reader->current = (reader->current + 1) % reader->chunk_count;
    other = &reader->chunk[reader->current];
    start(reader, other);
    if (!external->is_stream && !wait_for(reader, this))
        return false;
    *chunk = this;
    external->progress(this->count * reader_element_size(external->order));
    return true;
}
