/* forming.c - clsort-external: the first pass: reads the inputs, and sorts them in runs
 *
 * While a chunk is sorted, the next one is read and the one before it is written, from where it has been sorted if
 * blocks are as large as their elements (external_plan.is_in_place). A chunk that is in order stays in its
 * input as a run, or as part of one. As long as all chunks of a single input are in order, they are also written to the
 * output, so that an input in order is read and written once; if a later chunk is not, the output is emptied. A stream
 * cannot be read again; it is written to the output if it ends with the first chunk. */
#include "forming.h"

#include "arena.h"
#include "conversion.h"
#include "parallel.h"
#include "print.h"
#include "reader.h"
#include "resume.h"
#include "sink.h"
#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct forming {
    struct external *external;
    struct io *io;
    struct store *store;
    struct runs *runs;
    struct arena arena;
    size_t
        rest_at; /* where the memory begins in the arena that the stream or a third chunk takes */
    struct reader reader;
    struct conversion conversion;
    struct stream stream;
    struct sink sink;
    bool is_direct;      /* the stream writes the output */
    unsigned char *last; /* the last element so far, if has_last */
    bool has_last;
};

static bool open_output(struct forming *forming)
{
    forming->is_direct = true;
    return stream_open(&forming->stream, forming->external, forming->io, NULL, &forming->arena,
                       forming->external->plan.write_blocks) &&
           sink_open(&forming->sink, forming->external, &forming->stream);
}

/* Makes space for the elements of a third chunk. */
static bool add_chunk_space(struct forming *forming)
{
    if (forming->external->order->expand == NULL)
        return reader_add_chunk(&forming->reader, &forming->arena);
    conversion_add_space(&forming->conversion, &forming->arena,
                         forming->external->plan.run_elements);
    return true;
}

static bool open_store_stream(struct forming *forming)
{
    const struct external_plan *plan = &forming->external->plan;
    const bool is_in_place = plan->is_in_place;

    forming->is_direct = false;
    forming->arena.used = forming->rest_at;
    return (!is_in_place || add_chunk_space(forming)) &&
           stream_open(&forming->stream, forming->external, forming->io, forming->store,
                       is_in_place ? NULL : &forming->arena,
                       is_in_place ? plan->run_elements / plan->block_elements + 1
                                   : plan->write_blocks);
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
    if (external->resume == NULL &&
        !store_open(forming->store, external->folders, external->folder_count, plan->block_size,
                    plan->disk, !external->is_stream))
        return false;
    return stream_check_store_space(external, forming->store) && open_store_stream(forming);
}

/* Adds a chunk that is in order to the runs of the inputs: to the last one if it follows that, or as a new one. */
static bool add_ordered(struct forming *forming, const struct reader_chunk *chunk, bool follows)
{
    struct runs *runs = forming->runs;
    const struct run *last = runs->count > 0 ? &runs->run[runs->count - 1] : NULL;
    const bool extends = follows && last != NULL && last->is_input && last->input == chunk->input;

    return (extends || runs_append_input(runs, chunk->input, chunk->first)) &&
           runs_extend(runs, &runs->run[runs->count - 1], chunk->elements, chunk->count);
}

/* Writes a chunk in order to the store as a run. */
static bool add_stored(struct forming *forming, const struct reader_chunk *chunk)
{
    struct runs *runs = forming->runs;
    const size_t size = chunk->count * runs->element_size;

    if (!runs_append_stored(runs, forming->store->next) ||
        !runs_extend(runs, &runs->run[runs->count - 1], chunk->elements, chunk->count))
        return false;
    if (!forming->external->plan.is_in_place)
        return stream_put(&forming->stream, chunk->elements, size) &&
               stream_end_run(&forming->stream);
    stream_put_run(&forming->stream, chunk->elements, size);
    return true;
}

/* The elements of the chunk have been converted. */
static bool add_chunk(struct forming *forming, const struct reader_chunk *chunk)
{
    const struct external *external = forming->external;
    const struct external_order *order = external->order;
    unsigned char *elements = chunk->elements;
    const size_t count = chunk->count;
    const bool is_ordered = parallel_disorder(order, elements, count) == count;
    const bool follows =
        !forming->has_last || order->compare(order->context, forming->last, elements) <= 0;
    const bool stays =
        is_ordered && chunk->is_whole && !external->is_stream && order->expand == NULL;

    memcpy(forming->last, elements + (count - 1) * order->size, order->size);
    forming->has_last = true;
    if (forming->is_direct && !(stays && follows) && !use_store(forming))
        return false;
    if (!is_ordered && !order->sort(order->context, elements, count))
        return false;
    /* The next read takes the memory of the run before this one, which must have been written. */
    if (!forming->is_direct && external->plan.is_in_place && !stream_wait(&forming->stream))
        return false;
    if (!(stays ? add_ordered(forming, chunk, follows) : add_stored(forming, chunk)))
        return false;
    return !forming->is_direct || sink_put(&forming->sink, elements, count);
}

/* Takes over the last element of a run of an input that the next chunk may continue. */
static void continue_run(struct forming *forming)
{
    const struct runs *runs = forming->runs;
    const struct run *run = runs->count > 0 ? &runs->run[runs->count - 1] : NULL;

    forming->has_last = run != NULL && run->is_input;
    if (forming->has_last)
        memcpy(forming->last, runs_last(runs, run, runs_blocks(runs, run) - 1), runs->element_size);
}

/* Saves the state after a run, which is written while the next chunk is read. */
static bool save(struct forming *forming)
{
    struct external *external = forming->external;

    return external->resume == NULL || forming->is_direct ||
           (stream_wait(&forming->stream) &&
            resume_save(external->resume, external, forming->store, forming->runs, 0));
}

/* Checks that a chunk has whole rows. If not, it is the last one of a stream, whose size was unknown. */
static bool has_whole_rows(const struct external *external, size_t count)
{
    const size_t length = external->plan.row_elements;

    if (length == 0 || count % length == 0)
        return true;
    print_error(external->inputs[0].name,
                "the number of elements, %" PRIu64
                ", is not a multiple of %zu, the length of a row",
                external->count, length);
    return false;
}

static bool form(struct forming *forming)
{
    struct external *external = forming->external;
    const struct external_order *order = external->order;
    const struct reader_chunk *next;

    for (;;) {
        if (!reader_next(&forming->reader, &next) || !save(forming))
            return false;
        if (next->count == 0)
            return true;
        struct reader_chunk chunk = *next;
        const bool is_single = external->plan.row_elements > 0 ? true
                               : external->is_stream
                                   ? external->count == 0 && forming->reader.has_ended
                                   : external->plan.run_count <= 1;
        chunk.elements = conversion_take(&forming->conversion, next, external->is_verified);
        if (!has_whole_rows(external, chunk.count))
            return false;
        if (!(is_single ? order->sort(order->context, chunk.elements, chunk.count) &&
                              sink_put(&forming->sink, chunk.elements, chunk.count)
                        : add_chunk(forming, &chunk)))
            return false;
    }
}

bool forming_run(struct external *external, struct io *io, struct store *store, struct runs *runs,
                 bool *is_done)
{
    const struct external_plan *plan = &external->plan;
    struct forming forming = {.external = external, .io = io, .store = store, .runs = runs};
    const size_t reading = reader_memory(plan->input_size, plan->run_elements) +
                           conversion_memory(external, plan->run_elements);
    const bool can_be_direct = plan->run_count <= 1 || external->is_stream ||
                               (external->output >= 0 && external->input_count == 1 &&
                                runs->count == 0 && external->order->expand == NULL);

    forming.last = malloc(plan->size);
    if (forming.last == NULL)
        print_error(external->inputs[0].name, "out of memory");
    bool done = forming.last != NULL &&
                arena_map(&forming.arena, reading + stream_memory(plan, plan->write_blocks)) &&
                reader_open(&forming.reader, external, io, &forming.arena, plan->run_elements);
    if (done) {
        continue_run(&forming);
        conversion_open(&forming.conversion, external, &forming.arena, plan->run_elements);
    }
    forming.rest_at = forming.arena.used;
    done = done && (can_be_direct ? open_output(&forming) : use_store(&forming)) &&
           form(&forming) &&
           (forming.is_direct ? sink_finish(&forming.sink) : stream_finish(&forming.stream));
    *is_done = forming.is_direct;
    sink_close(&forming.sink);
    stream_close(&forming.stream);
    reader_close(&forming.reader);
    arena_unmap(&forming.arena);
    if (external->order->release != NULL)
        external->order->release(external->order->context);
    free(forming.last);
    return done;
}
