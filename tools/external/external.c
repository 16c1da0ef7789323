/* external.c - clsort-external: the passes of an external sort */
#include "external.h"

#include "codec.h"
#include "counting.h"
#include "cuts.h"
#include "forming.h"
#include "io.h"
#include "print.h"
#include "runs.h"
#include "sink.h"
#include "store.h"
#include "stream.h"

/* Where the elements of a merge go: to a run, or to the output. */
struct target {
    struct stream stream;
    struct arena arena;
    struct runs *runs;
    struct run run;
    struct sink sink;
};

static bool put_in_run(void *context, unsigned char *elements, size_t count)
{
    struct target *target = context;

    return runs_extend(target->runs, &target->run, elements, count) &&
           stream_put(&target->stream, elements, count * target->runs->element_size);
}

static bool put_in_output(void *context, unsigned char *elements, size_t count)
{
    struct target *target = context;

    return sink_put(&target->sink, elements, count);
}

/* Opens a target: a run if there is a store, else the output. */
static bool open_target(struct target *target, struct external *external, struct io *io,
                        struct store *store)
{
    const size_t blocks = external->plan.batch_blocks + 2;

    return arena_map(&target->arena, stream_memory(&external->plan, blocks)) &&
           stream_open(&target->stream, external, io, store, &target->arena, blocks) &&
           (store != NULL || sink_open(&target->sink, external, &target->stream));
}

static void close_target(struct target *target)
{
    sink_close(&target->sink);
    stream_close(&target->stream);
    arena_unmap(&target->arena);
}

/* Merges `count` runs from `first` on to one. */
static bool merge_group(struct external *external, struct io *io, struct store *store,
                        struct runs *runs, size_t first, size_t count)
{
    struct target target = {.runs = runs, .run = {.first = store->next}};
    const bool done = open_target(&target, external, io, store) &&
                      cuts_merge(external, io, store, runs, first, count, put_in_run, &target) &&
                      stream_end_run(&target.stream) && stream_finish(&target.stream);

    close_target(&target);
    if (done)
        runs_replace(runs, first, count, &target.run);
    else
        runs_free_run(&target.run);
    return done;
}

static bool merge_last(struct external *external, struct io *io, struct store *store,
                       struct runs *runs, uint64_t checksum)
{
    struct target target = {.runs = runs};
    const bool done =
        open_target(&target, external, io, NULL) &&
        cuts_merge(external, io, store, runs, 0, runs->count, put_in_output, &target) &&
        sink_finish(&target.sink, checksum);

    close_target(&target);
    return done;
}

/* Merges groups of neighbouring runs until the rest can be merged at once. */
static bool merge_runs(struct external *external, struct io *io, struct store *store,
                       struct runs *runs, uint64_t checksum)
{
    size_t group, at = 0;

    while ((group = external_plan_group(external->plan.fan_in, runs->count)) > 0) {
        if (at + group > runs->count)
            at = 0;
        if (!merge_group(external, io, store, runs, at, group))
            return false;
        at++;
    }
    return merge_last(external, io, store, runs, checksum);
}

/* Sorts with a codec that has been opened, if the plan has one. */
static bool sort_with(struct external *external, struct codec *codec)
{
    const struct external_plan *plan = &external->plan;
    struct io *io = io_create(codec != NULL);
    struct store store = {.codec = codec, .is_sampled = external->is_sampled};
    struct runs runs = {.element_size = plan->size, .block_elements = plan->block_elements};
    bool done, is_done = false;

    if (io == NULL) {
        print_errno(external->input_name);
        return false;
    }
    external->checksum = 0;
    if (plan->is_counted)
        done = counting_sort(external, io, &external->checksum);
    else
        done = forming_run(external, io, &store, &runs, &external->checksum, &is_done) &&
               (is_done || merge_runs(external, io, &store, &runs, external->checksum));
    runs_free(&runs);
    store_close(&store);
    io_destroy(io);
    return done;
}

bool external_sort(struct external *external)
{
    const struct external_plan *plan = &external->plan;
    struct codec codec;

    if (plan->compression == CODEC_NONE)
        return sort_with(external, NULL);
    const bool done =
        codec_open(&codec, plan->compression, plan->size, plan->block_size, IO_WORKERS) &&
        sort_with(external, &codec);
    codec_close(&codec);
    return done;
}
