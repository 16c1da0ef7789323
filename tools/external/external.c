/* external.c - clsort-external: the passes of an external sort */
#include "external.h"

#include "codec.h"
#include "counting.h"
#include "cuts.h"
#include "forming.h"
#include "io.h"
#include "merging.h"
#include "print.h"
#include "report.h"
#include "resume.h"
#include "runs.h"
#include "selecting.h"
#include "sink.h"
#include "store.h"
#include "stream.h"

#include <inttypes.h>

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
    const size_t blocks = external->plan.merge_write_blocks;

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
                       struct runs *runs)
{
    struct target target = {.runs = runs};
    const bool is_open = open_target(&target, external, io, NULL);

    const bool is_reserved = is_open && stream_reserve(&target.stream);

    /* File systems wait for transfers before they punch, so this is done only if the output needs the space. The blocks
     * of a sort with --resume are needed until the output is complete. */
    store->keeps_all = store->is_kept || is_reserved;
    const bool done =
        is_open && cuts_merge(external, io, store, runs, 0, runs->count, put_in_output, &target) &&
        sink_finish(&target.sink);

    close_target(&target);
    return done;
}

/* Plans the merges for the number of elements that a stream has turned out to have. */
static bool plan_again(struct external *external)
{
    struct external_request request = external->request;
    uint64_t needed;

    request.count = external->count;
    request.run_elements = external->plan.run_elements;
    if (external_plan_make(&external->plan, &request, &needed))
        return true;
    print_error(external->inputs[0].name,
                "out of memory: a merge of the runs needs %" PRIu64 " bytes, which is %" PRIu64
                " more than there are",
                needed, needed - request.memory);
    return false;
}

static void begin_merging(struct report *report, const struct runs *runs, unsigned pass,
                          unsigned pass_count)
{
    const struct external *external = report->external;
    const struct external_plan *plan = &external->plan;
    const double length = (double)plan->count / (double)runs->count;

    report_begin(report, "merging", pass, pass_count,
                 external->header_size + external_plan_merge_bytes(plan, runs->count, length));
}

/* Merges groups of neighbouring runs until the rest can be merged at once. */
static bool merge_runs(struct external *external, struct io *io, struct store *store,
                       struct runs *runs, struct report *report)
{
    struct resume *resume = external->resume;
    const uint64_t next = resume != NULL ? resume->manifest.progress.next : 0;
    struct external_sequence sequence = {
        .fan_in = external->plan.fan_in, .runs = runs->count, .next = next, .pass = next > 0};
    const unsigned passes = external_plan_passes_left(sequence);
    const bool has_formed = !external->plan.is_merge && external->report.phase_count > 0;
    size_t group;

    external->report.runs = runs->count;
    external->report.passes = passes + has_formed;
    if (!external->plan.is_merge) /* the runs may be compressed, or have remained in the input */
        store_trim(store, passes > 1);
    for (unsigned pass = 0; (group = external_plan_next(&sequence)) > 0;) {
        if (sequence.pass > pass)
            begin_merging(report, runs, ++pass, passes);
        if (!merge_group(external, io, store, runs, (size_t)sequence.first, group) ||
            (resume != NULL && !resume_save(resume, external, store, runs, sequence.next)))
            return false;
    }
    if (passes > 1)
        store_trim(store, false); /* so that the output can have what the runs do not take */
    begin_merging(report, runs, passes, passes);
    return merge_last(external, io, store, runs);
}

/* Returns the bytes that a sort reads and writes, at most, after the elements that are in runs already. */
static uint64_t all_bytes(const struct external *external)
{
    const struct external_plan *plan = &external->plan;

    return external->is_stream ? EXTERNAL_UNKNOWN
                               : plan->bytes_moved + external->header_size -
                                     external->count * (plan->input_size + plan->size);
}

static bool count_keys(struct external *external, struct io *io, struct report *report)
{
    report_begin(report, "counting keys", 0, 0, all_bytes(external));
    return counting_sort(external, io);
}

static bool select_few(struct external *external, struct io *io, struct report *report)
{
    report_begin(report, "selecting", 0, 0, external->plan.bytes_moved + external->header_size);
    return selecting_run(external, io);
}

/* Sorts the inputs in runs, and merges these. */
static bool sort_runs(struct external *external, struct io *io, struct store *store,
                      struct runs *runs, struct report *report)
{
    bool is_done = false;

    external->report.runs = 1;
    if (external->resume != NULL && !resume_start(external->resume, external, store, runs))
        return false;
    if (runs->count == 0 || external->count < external->plan.count) {
        report_begin(report, external->plan.run_count > 1 ? "forming runs" : "sorting", 0, 0,
                     all_bytes(external));
        if (!forming_run(external, io, store, runs, &is_done))
            return false;
    }
    if (is_done)
        return true;
    return (!external->is_stream || plan_again(external)) &&
           merge_runs(external, io, store, runs, report);
}

static bool open_store(const struct external *external, struct store *store)
{
    const struct external_plan *plan = &external->plan;

    return store_open(store, external->folders, external->folder_count, plan->block_size,
                      plan->disk, true) &&
           stream_check_store_space(external, store);
}

/* Merges the inputs. Only several passes need temporary files. */
static bool merge_inputs(struct external *external, struct io *io, struct store *store,
                         struct runs *runs, struct report *report)
{
    const struct external_plan *plan = &external->plan;

    if (external->resume != NULL ? !resume_start(external->resume, external, store, runs)
                                 : plan->disk > 0 && !open_store(external, store))
        return false;
    if (runs->count == 0) {
        report_begin(report, "listing runs", 0, 0, plan->bytes_moved + external->header_size);
        if (!merging_list_runs(external, io, runs))
            return false;
    }
    return merge_runs(external, io, store, runs, report);
}

/* Sorts with a codec that has been opened, if the plan has one. */
static bool sort_with(struct external *external, struct codec *codec)
{
    const struct external_plan *plan = &external->plan;
    struct io *io = io_create(external->is_stream, codec != NULL);
    struct store store = {.codec = codec,
                          .has_places = plan->has_places,
                          .is_sampled = external->is_sampled,
                          .lock = PTHREAD_MUTEX_INITIALIZER};
    struct runs runs = {.element_size = plan->size, .block_elements = plan->block_elements};
    struct report report = {.external = external, .io = io};

    if (io == NULL) {
        print_errno(external->inputs[0].name);
        return false;
    }
    external->checksum = external->proof = 0;
    external->count = 0;
    external->report = (struct external_report){.io = io_name(io), .passes = 1};
    const bool done = !stream_check_space(external, stream_output_size(external)) ? false
                      : plan->candidates > 0 ? select_few(external, io, &report)
                      : plan->is_counted     ? count_keys(external, io, &report)
                      : plan->is_merge       ? merge_inputs(external, io, &store, &runs, &report)
                                             : sort_runs(external, io, &store, &runs, &report);
    report_end(&report);
    runs_free(&runs);
    store_close(&store);
    external->report.temporary_bytes = store.peak;
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
