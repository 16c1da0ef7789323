/* checking.c - clsort-external: checks the order of a file that is larger than memory */
#include "arena.h"
#include "external.h"
#include "parallel.h"
#include "print.h"
#include "reader.h"

#include <string.h>

/* Looks for disorder in some elements of a row. disorder->before is the element before them, unless they begin it. */
static void check_part(const struct external *external, const unsigned char *elements, size_t count,
                       uint64_t first, bool is_begin, struct external_disorder *disorder)
{
    const struct external_order *order = external->order;
    const size_t size = order->size;
    const bool follows =
        is_begin || order->compare(order->context, disorder->before, elements) <= 0;
    const size_t at = follows ? order->disorder(order->context, elements, count) : 0;

    if (at < count) {
        disorder->at = first + at;
        memcpy(disorder->after, elements + at * size, size);
    }
    if (at > 0)
        memcpy(disorder->before, elements + (at - 1) * size, size);
}

/* Looks for disorder in a chunk, which may begin and end within rows. */
static void check_chunk(const struct external *external, const unsigned char *elements,
                        size_t count, uint64_t first, struct external_disorder *disorder)
{
    const size_t size = external->order->size, length = external->plan.row_elements;

    for (size_t at = 0, part; at < count && disorder->at == EXTERNAL_ORDERED; at += part) {
        const uint64_t before = length > 0 ? (first + at) % length : first + at;
        const uint64_t rest = length > 0 ? length - before : count;

        part = rest < count - at ? (size_t)rest : count - at;
        check_part(external, elements + at * size, part, first + at, before == 0, disorder);
    }
}

bool external_check(struct external *external, size_t chunk_elements,
                    struct external_disorder *disorder)
{
    const struct external_order *order = external->order;
    struct io *io = io_create(external->is_stream, false);
    struct arena arena = {.memory = NULL};
    struct reader reader = {.io = NULL};
    const struct reader_chunk *chunk;
    bool done = io != NULL;

    external->count = 0;
    if (!done)
        print_errno(external->inputs[0].name);
    done = done && arena_map(&arena, reader_memory(order->size, chunk_elements)) &&
           reader_open(&reader, external, io, &arena, chunk_elements);

    external->checksum = 0;
    disorder->at = EXTERNAL_ORDERED;
    while (done && (done = reader_next(&reader, &chunk)) && chunk->count > 0) {
        if (external->is_verified)
            external->checksum += parallel_checksum(order, chunk->elements, chunk->count);
        if (disorder->at == EXTERNAL_ORDERED) {
            order->decode(order->context, chunk->elements, chunk->count);
            check_chunk(external, chunk->elements, chunk->count, external->count, disorder);
        } else if (!external->is_verified) {
            break;
        }
        external->count += chunk->count;
    }
    reader_close(&reader);
    arena_unmap(&arena);
    io_destroy(io);
    return done;
}
