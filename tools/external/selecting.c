/* selecting.c - clsort-external: selections of few elements, in one read
 *
 * Let n be the number of elements that precede the end of the selection or, if that is less, of those from its
 * beginning on. The first n elements of the stable order (or the last n) of what has been read are kept, followed by
 * candidates that have been read since. Once there are n, the last of them is a limit: elements that do not precede it
 * are dropped as soon as they are read. If the space for candidates is nearly exhausted, they are sorted stably, and
 * all but n are dropped. There is space for at least 2n, so that a sort of 2n elements admits n new ones. If N elements
 * are in random order, about n (1 + ln(N / n)) pass the limit. */
#include "selecting.h"

#include "arena.h"
#include "conversion.h"
#include "reader.h"
#include "sink.h"
#include "stream.h"

#include <string.h>

struct selecting {
    struct external *external;
    struct conversion conversion;
    size_t near; /* n */
    unsigned char *candidates;
    size_t count;
    bool
        has_limit; /* the first n candidates are in order, and no element beyond them is selected */
};

/* Sorts the candidates, and drops all but n. */
static bool cut(struct selecting *selecting)
{
    const struct external_order *order = selecting->external->order;
    const size_t near = selecting->near;

    if (!order->sort(order->context, selecting->candidates, selecting->count))
        return false;
    if (selecting->count < near)
        return true;
    if (selecting->external->plan.selection.is_from_end)
        memmove(selecting->candidates,
                selecting->candidates + (selecting->count - near) * order->size,
                near * order->size);
    selecting->count = near;
    selecting->has_limit = true;
    return true;
}

/* Appends those of the elements that precede the limit to the candidates. */
static void append(struct selecting *selecting, const unsigned char *elements, size_t count)
{
    const struct external_order *order = selecting->external->order;
    const bool is_from_end = selecting->external->plan.selection.is_from_end;
    unsigned char *to = selecting->candidates + selecting->count * order->size;
    const size_t last = is_from_end ? 0 : selecting->near - 1;

    if (selecting->has_limit) {
        count = order->filter(order->context, to, elements, count,
                              selecting->candidates + last * order->size, is_from_end);
    } else {
        memcpy(to, elements, count * order->size);
    }
    selecting->count += count;
}

static bool add_chunk(struct selecting *selecting, const unsigned char *elements, size_t count)
{
    const size_t capacity = selecting->external->plan.candidates;
    const size_t size = selecting->external->order->size;

    for (size_t at = 0, part; at < count; at += part) {
        const size_t left = count - at;
        size_t space = capacity - selecting->count;

        if (space < left && space <= capacity / 4) { /* after a cut, half of the space is free */
            if (!cut(selecting))
                return false;
            space = capacity - selecting->count;
        }
        part = left < space ? left : space;
        append(selecting, elements + at * size, part);
    }
    return true;
}

static bool read_all(struct selecting *selecting, struct reader *reader)
{
    const struct reader_chunk *chunk;

    for (;;) {
        if (!reader_next(reader, &chunk))
            return false;
        if (chunk->count == 0)
            return cut(selecting);
        /* The checksum of a part is not that of the inputs. */
        const unsigned char *elements = conversion_take(&selecting->conversion, chunk, false);
        if (!add_chunk(selecting, elements, chunk->count))
            return false;
    }
}

static bool write_selection(struct selecting *selecting, struct io *io, struct arena *arena)
{
    struct external *external = selecting->external;
    const struct external_selection *selection = &external->plan.selection;
    struct stream stream = {.fd = -1};
    struct sink sink = {.last = NULL};

    external->kept = 0;
    if (selection->first + selection->count > external->count)
        return true;
    bool done = stream_open(&stream, external, io, NULL, arena, external->plan.write_blocks) &&
                sink_open(&sink, external, &stream);
    sink.position = selection->is_from_end ? external->count - selecting->count : 0;
    done =
        done && sink_put(&sink, selecting->candidates, selecting->count) && stream_finish(&stream);
    sink_close(&sink);
    stream_close(&stream);
    return done;
}

bool selecting_run(struct external *external, struct io *io)
{
    const struct external_plan *plan = &external->plan;
    const size_t buffer_size = plan->candidates * plan->size;
    struct selecting selecting = {
        .external = external,
        .near = (size_t)external_plan_near(&plan->selection, plan->count),
    };
    struct arena arena = {.memory = NULL};
    struct reader reader = {.external = NULL};
    bool done = arena_map(&arena, reader_memory(plan->input_size, plan->run_elements) +
                                      conversion_memory(external, plan->run_elements) +
                                      buffer_size + stream_memory(plan, plan->write_blocks)) &&
                reader_open(&reader, external, io, &arena, plan->run_elements);

    if (done) {
        conversion_open(&selecting.conversion, external, &arena, plan->run_elements);
        selecting.candidates = arena_take(&arena, buffer_size);
        done = read_all(&selecting, &reader) && write_selection(&selecting, io, &arena);
    }
    reader_close(&reader);
    arena_unmap(&arena);
    return done;
}
