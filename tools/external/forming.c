/* forming.c - clsort-external: the first pass: reads the input, and sorts it in runs
 *
 * While a chunk is sorted, the next one is read and the one before it is written. A chunk that is in order stays in the
 * input as a run, or as part of one. As long as all chunks are in order they are also written to the output, so that
 * input in order is read and written once; if a later chunk is not, the output is emptied. */
#include "forming.h"

#include "arena.h"
#include "print.h"
#include "reader.h"
#include "sink.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

struct forming {
    struct external *external;
    struct io *io;
    struct store *store;
    struct runs *runs;
    struct arena arena;
    size_t stream_at; /* where the memory of the stream begins in the arena */
    struct reader reader;
    struct stream stream;
    struct sink sink;
    bool is_direct;      /* the stream writes the output */
    unsigned char *last; /* the last element of the input so far, if has_last */
    bool has_last;
    uint64_t checksum;
};

/* Opens the stream to the store (false) or to the output. */
static bool open_stream(struct forming *forming, bool is_direct)
{
    forming->is_direct = is_direct;
    forming->arena.used = forming->stream_at;
    return stream_open(&forming->stream, forming->external, forming->io,
                       is_direct ? NULL : forming->store, &forming->arena,
                       forming->external->plan.write_blocks) &&
           (!is_direct || sink_open(&forming->sink, forming->external, &forming->stream));
}

/* Checks that there is space for the output, once the store is open. The output takes the space of blocks that have
 * been read, if it is in the same file system and these can be punched, but it is allocated somewhat ahead. */
static bool check_output_space(const struct forming *forming)
{
    const struct external *external = forming->external;
    const uint64_t size =
        external->header_size + external->plan.count * (uint64_t)external->plan.size;
    const uint64_t blocks = 2 * external->plan.batch_blocks + 4;
    const uint64_t lag =
        size / STREAM_ALLOCATIONS + size / STORE_PUNCHES + blocks * external->plan.block_size;
    bool is_shared = false;

    if (external->output < 0)
        return true;
    for (size_t i = 0; i < external->folder_count; i++)
        is_shared =
            is_shared || store_is_same_system(external->output_folder, external->folders[i]);
    return store_check_space(external->output_folder, "the output",
                             is_shared && forming->store->can_punch ? lag : size);
}

/* Leaves the output, if it has been written, for the store. */
static bool use_store(struct forming *forming)
{
    const struct external *external = forming->external;
    const struct external_plan *plan = &external->plan;

    if (forming->is_direct && !stream_abandon(&forming->stream))
        return false;
    sink_close(&forming->sink);
    stream_close(&forming->stream);
    if (!store_open(forming->store, external->folders, external->folder_count, plan->block_size,
                    plan->count / plan->block_elements + 1))
        return false;
    return check_output_space(forming) && open_stream(forming, false);
}

/* Adds a chunk to the runs. */
static bool add_chunk(struct forming *forming, unsigned char *elements, size_t count,
                      uint64_t first)
{
    const struct external_order *order = forming->external->order;
    struct runs *runs = forming->runs;
    const bool is_ordered = order->disorder(order->context, elements, count) == count;
    const bool follows =
        !forming->has_last || order->compare(order->context, forming->last, elements) <= 0;
    const bool extends =
        is_ordered && follows && runs->count > 0 && runs->run[runs->count - 1].is_input;

    memcpy(forming->last, elements + (count - 1) * order->size, order->size);
    forming->has_last = true;
    if (forming->is_direct && !(is_ordered && follows) && !use_store(forming))
        return false;
    if (!is_ordered && !order->sort(order->context, elements, count))
        return false;
    if (!extends && !runs_append(runs, is_ordered, is_ordered ? first : forming->store->next))
        return false;
    if (!runs_extend(runs, &runs->run[runs->count - 1], elements, count))
        return false;
    if (forming->is_direct)
        return sink_put(&forming->sink, elements, count);
    return is_ordered || (stream_put(&forming->stream, elements, count * order->size) &&
                          stream_end_run(&forming->stream));
}

static bool form(struct forming *forming)
{
    struct external *external = forming->external;
    const struct external_order *order = external->order;
    const bool is_single = external->plan.run_count <= 1;
    unsigned char *elements;
    size_t count;

    for (uint64_t first = 0;; first += count) {
        if (!reader_next(&forming->reader, &elements, &count))
            return false;
        if (count == 0)
            return true;
        if (external->is_verified)
            forming->checksum += order->checksum(order->context, elements, count);
        order->decode(order->context, elements, count);
        if (!(is_single ? order->sort(order->context, elements, count) &&
                              sink_put(&forming->sink, elements, count)
                        : add_chunk(forming, elements, count, first)))
            return false;
    }
}

bool forming_run(struct external *external, struct io *io, struct store *store, struct runs *runs,
                 uint64_t *checksum, bool *is_done)
{
    const struct external_plan *plan = &external->plan;
    struct forming forming = {
        .external = external, .io = io, .store = store, .runs = runs, .reader = {.fd = -1}};
    const size_t reading = reader_memory(plan->size, plan->run_elements);
    const bool can_be_direct = external->output >= 0 || plan->run_count <= 1;

    forming.last = malloc(plan->size);
    if (forming.last == NULL)
        print_error(external->input_name, "out of memory");
    bool done = forming.last != NULL &&
                arena_map(&forming.arena, reading + stream_memory(plan, plan->write_blocks)) &&
                reader_open(&forming.reader, external, io, &forming.arena, plan->run_elements);
    forming.stream_at = forming.arena.used;
    done = done && (can_be_direct ? open_stream(&forming, true) : use_store(&forming)) &&
           form(&forming) &&
           (forming.is_direct ? sink_finish(&forming.sink, forming.checksum)
                              : stream_finish(&forming.stream));
    if (done && !forming.is_direct)
        store_trim(store); /* to what the runs take, so that the output can have the rest */
    *is_done = forming.is_direct;
    *checksum = forming.checksum;
    sink_close(&forming.sink);
    stream_close(&forming.stream);
    reader_close(&forming.reader);
    arena_unmap(&forming.arena);
    free(forming.last);
    return done;
}
