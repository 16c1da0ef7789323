/* counting.c - clsort-external: keys of 8 or 16 bits are counted, in one read and one write */
#include "counting.h"

#include "arena.h"
#include "parallel.h"
#include "print.h"
#include "reader.h"
#include "sink.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BINS = 1 << 16, TABLES = PARALLEL_MAX };

struct counting {
    struct external *external;
    uint64_t (*counts)[MAX_BINS];     /* TABLES of them, by the bits of the key */
    const struct reader_chunk *chunk; /* that is counted by this number of threads */
    size_t parts;
    uint16_t *order; /* the bits of all keys, in order */
};

/* Counts a part of the chunk. Each thread has tables of its own, several if possible, so that equal neighbours have
 * different counters. */
static void count_part(void *context, size_t part)
{
    const struct counting *counting = context;
    const size_t size = counting->external->order->size, count = counting->chunk->count;
    const size_t begin = count / counting->parts * part;
    const size_t end = part + 1 == counting->parts ? count : begin + count / counting->parts;
    const size_t tables = TABLES / counting->parts;
    uint64_t(*counts)[MAX_BINS] = counting->counts + part * tables;
    const unsigned char *elements = counting->chunk->elements;
    uint16_t bits;

    if (size == 1)
        for (size_t i = begin; i < end; i++)
            counts[i & (tables - 1)][elements[i]]++;
    else
        for (size_t i = begin; i < end; i++) {
            memcpy(&bits, elements + i * sizeof bits, sizeof bits); /* which need not be aligned */
            counts[i & (tables - 1)][bits]++;
        }
}

static void count_keys(struct counting *counting, const struct reader_chunk *chunk)
{
    counting->chunk = chunk;
    counting->parts = parallel_parts((uint64_t)chunk->count * counting->external->order->size);
    parallel_run(counting->parts, count_part, counting);
}

/* Adds the other tables to the first one. */
static void add_tables(struct counting *counting)
{
    for (size_t i = 1; i < TABLES; i++)
        for (size_t bits = 0; bits < MAX_BINS; bits++)
            counting->counts[0][bits] += counting->counts[i][bits];
}

static bool count_inputs(struct counting *counting, struct io *io, struct arena *arena)
{
    struct external *external = counting->external;
    const struct external_order *order = external->order;
    struct reader reader;
    const struct reader_chunk *chunk;
    bool done = reader_open(&reader, external, io, arena, external->plan.run_elements);

    while (done && (done = reader_next(&reader, &chunk)) && chunk->count > 0) {
        if (external->is_verified || external->is_summed)
            external->checksum += parallel_checksum(order, chunk->elements, chunk->count);
        order->decode(order->context, chunk->elements, chunk->count);
        count_keys(counting, chunk);
        external->count += chunk->count;
    }
    add_tables(counting);
    reader_close(&reader);
    return done;
}

/* Stores the bits of a key as the key. */
static void store_key(unsigned char *to, size_t size, uint16_t bits)
{
    if (size == 1)
        *to = (unsigned char)bits;
    else
        memcpy(to, &bits, sizeof bits);
}

/* Sorts the bits of all keys by a sort of the keys themselves. */
static bool sort_bins(struct counting *counting, unsigned char *keys)
{
    const struct external_order *order = counting->external->order;
    const size_t bins = (size_t)1 << 8 * order->size;

    for (size_t i = 0; i < bins; i++)
        store_key(keys + i * order->size, order->size, (uint16_t)i);
    if (!order->sort(order->context, keys, bins))
        return false;
    for (size_t i = 0; i < bins; i++) {
        if (order->size == 1)
            counting->order[i] = keys[i];
        else
            memcpy(&counting->order[i], keys + i * order->size, order->size);
    }
    return true;
}

/* Writes all keys in order. */
static bool write_keys(struct counting *counting, struct sink *sink, unsigned char *buffer,
                       size_t buffer_size)
{
    const size_t size = counting->external->order->size, bins = (size_t)1 << 8 * size;
    size_t fill = 0;

    for (size_t i = 0; i < bins; i++) {
        const uint16_t bits = counting->order[i];
        uint64_t left = counting->counts[0][bits];

        for (size_t part; left > 0; left -= part) {
            const size_t space = (buffer_size - fill) / size;

            part = left < space ? (size_t)left : space;
            for (size_t j = 0; j < part; j++)
                store_key(buffer + fill + j * size, size, bits);
            fill += part * size;
            if (fill < buffer_size)
                continue;
            if (!sink_put(sink, buffer, fill / size))
                return false;
            fill = 0;
        }
    }
    return sink_put(sink, buffer, fill / size);
}

bool counting_sort(struct external *external, struct io *io)
{
    const struct external_plan *plan = &external->plan;
    struct counting counting = {.external = external};
    struct arena arena = {.memory = NULL};
    struct stream stream = {.fd = -1};
    struct sink sink = {.last = NULL};
    const size_t keys_size = MAX_BINS * plan->size;
    const size_t buffer_size = plan->block_size > keys_size ? plan->block_size : keys_size;

    counting.counts = calloc(TABLES, sizeof *counting.counts);
    counting.order = malloc(MAX_BINS * sizeof *counting.order);
    bool done = counting.counts != NULL && counting.order != NULL;
    if (!done)
        print_error(external->inputs[0].name, "out of memory");
    done = done &&
           arena_map(&arena, reader_memory(plan->size, plan->run_elements) + buffer_size +
                                 stream_memory(plan, plan->write_blocks)) &&
           count_inputs(&counting, io, &arena);
    if (done) {
        unsigned char *buffer = arena_take(&arena, buffer_size);

        done = sort_bins(&counting, buffer) &&
               stream_open(&stream, external, io, NULL, &arena, plan->write_blocks) &&
               sink_open(&sink, external, &stream) &&
               write_keys(&counting, &sink, buffer, buffer_size) && sink_finish(&sink);
    }
    sink_close(&sink);
    stream_close(&stream);
    arena_unmap(&arena);
    free(counting.counts);
    free(counting.order);
    return done;
}
