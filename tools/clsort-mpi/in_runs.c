/* in_runs.c - clsort-mpi: sorts that exceed the memory of the ranks */
#include "in_runs.h"

#include "compile.h"
#include "exchange.h"
#include "in_memory.h"
#include "large_order.h"
#include "print.h"
#include "progress.h"
#include "splitting.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- the plan ---------------------------------------------------------------------------------- */

enum { MIN_RUN = 1 << 10 }; /* elements */

/* Returns the memory of this rank: half of what is available, unless it is given. $CLSORT_EXTERNAL_MEMORY replaces it,
 * for tests, as in clsort. */
static uint64_t buffer_memory(const struct task *task, bool *is_test)
{
    const char *text = getenv("CLSORT_EXTERNAL_MEMORY");
    const uint64_t available = in_memory_available(task);

    *is_test = text != NULL && *text != '\0';
    if (*is_test)
        return strtoull(text, NULL, 10);
    return task->job.options.buffer_size > 0 ? available : available / 2;
}

/* Returns what the engine of external sorts needs to know to merge, or to sort a run. */
static struct external_request request_of(const struct task *task)
{
    const struct job *job = &task->job;
    const size_t size = large_order_size(job);
    const struct pieces_cost cost = large_order_cost(job);
    bool is_test;
    const uint64_t memory = buffer_memory(task, &is_test);

    return (struct external_request){
        .size = size,
        .memory = job->options.custom.less != NULL ? pieces_limit(&job->device, memory) : memory,
        .scratch_fixed = is_test ? 0 : cost.fixed,
        .scratch_per_byte = cost.per_element / (double)size,
    };
}

/* Returns how many elements a run can have: they, the scratch memory of their sort, and what is exchanged fit. */
static size_t find_run_elements(const struct task *task)
{
    const struct external_request request = request_of(task);
    const size_t read = task->job.options.argsort ? task->job.input.type->size : 0;
    const double each = (double)request.size * (1 + request.scratch_per_byte) + (double)read;

    return request.memory <= request.scratch_fixed
               ? 0
               : (size_t)((double)(request.memory - request.scratch_fixed) / each);
}

/* Returns whether the memory suffices for runs, and for the merge of about as many elements from all ranks. */
static bool fits(const struct task *task, size_t run_elements)
{
    struct external_request request = request_of(task);
    struct external_plan plan;
    uint64_t needed;

    if (run_elements < task->count && run_elements < MIN_RUN)
        return false;
    if (task->count == 0)
        return true;
    request.count = task->count;
    request.inputs = (uint64_t)task->world.size * (task->count / run_elements + 1);
    return external_plan_make(&plan, &request, &needed);
}

/* Returns what prevents a sort in runs, or NULL. */
static const char *obstacle(const struct task *task, size_t run_elements)
{
    const struct job *job = &task->job;

    return job->options.unique ? "--unique keeps all keys in memory"
           : large_order_size(job) > SPLITTING_MAX_SIZE
               ? "elements of more than 64 KiB are kept in memory"
           : !fits(task, run_elements) ? "a sort in runs needs more, too"
                                       : NULL;
}

/* Prints what prevents a sort in runs, and how many ranks with this much memory could sort without. */
static void print_shortage(const struct task *task, const char *why, uint64_t needed,
                           uint64_t available)
{
    uint64_t low = (uint64_t)task->world.size, high = task->job.count;

    while (low < high) { /* the smallest number of ranks whose part fits */
        const uint64_t middle = low + (high - low) / 2;

        if (in_memory_needed(task, task->job.count / middle + 1) <= available)
            high = middle;
        else
            low = middle + 1;
    }
    if (in_memory_needed(task, task->job.count / low + 1) <= available)
        print_error(task->job.input.name,
                    "out of memory: each of %d ranks needs %" PRIu64 " bytes, but has %" PRIu64
                    ", and %s; %" PRIu64 " ranks with as much suffice",
                    task->world.size, needed, available, why, low);
    else
        print_error(task->job.input.name,
                    "out of memory: each of %d ranks needs %" PRIu64 " bytes, but has %" PRIu64
                    ", and %s",
                    task->world.size, needed, available, why);
}

bool in_runs_choose(struct task *task)
{
    const uint64_t available = in_memory_available(task);
    const uint64_t needed = in_memory_needed(task, task->count);
    const bool is_needed = world_max(needed > available) > 0;
    const size_t run_elements = find_run_elements(task);
    const char *why = is_needed ? obstacle(task, run_elements) : NULL;

    if (why != NULL)
        print_shortage(task, why, needed, available);
    task->run_elements = !is_needed ? 0 : run_elements > 0 ? run_elements : 1;
    return world_agree(&task->world, why == NULL);
}

/* -- the merge --------------------------------------------------------------------------------- */

static bool plan_merge(struct task *task, const struct received *received,
                       struct external *external)
{
    struct external_request *request = &external->request;
    uint64_t needed;

    *request = request_of(task);
    request->count = received->elements;
    request->inputs = received->count;
    request->output_size = task->job.options.argsort ? sizeof(uint64_t) : 0;
    if (external_plan_make(&external->plan, request, &needed))
        return true;
    print_error(task->job.input.name,
                "out of memory: a merge of %zu runs needs %" PRIu64 " bytes, which is %" PRIu64
                " more than there are",
                received->count, needed, needed - request->memory);
    return false;
}

/* Merges the parts that this rank has received to the output, if that has any of their elements. */
static bool merge(struct task *task, const struct external_order *order,
                  const struct received *received, bool is_wanted, struct external *external)
{
    *external = (struct external){
        .order = order,
        .inputs = received->parts,
        .input_count = received->count,
        .output_name = task->result.name,
        .output = -1,
        .write = files_write,
        .context = &task->result,
        .folders = &received->folder,
        .folder_count = 1,
        .is_verified = true,
        .progress = progress_add,
        .begin_phase = progress_continue,
        .report = {.io = "none"}, /* that of a rank without elements */
    };
    progress_phase("merging", 0); /* the phases of the engine continue it */
    return !is_wanted || (plan_merge(task, received, external) && external_sort(external));
}

/* Checks that the output of all ranks has the elements of the input, unless it has only some. */
static bool check_sum(const struct task *task, const struct sorted_runs *runs,
                      const struct external *external)
{
    if (world_sum(runs->checksum) == world_sum(external->checksum) ||
        task->job.options.selection != SELECTION_NONE)
        return true;
    print_error(task->result.name,
                "the output has other elements than the input; memory, network or disks may be "
                "faulty");
    return false;
}

/* Writes the part of this rank behind those of the ranks before it. */
static bool write_output(struct task *task, const struct external_order *order,
                         const struct received *received, struct external *external)
{
    const uint64_t before = world_sum_before(received->elements);
    size_t header_size;

    const bool done = task_write_header(task, task->job.count, &header_size);
    const bool is_wanted = task_place(task, header_size, before, received->elements);
    const bool is_merged = done && merge(task, order, received, is_wanted, external);
    return world_agree(&task->world, large_order_check(&task->job) && is_merged);
}

/* -- the sort ---------------------------------------------------------------------------------- */

/* Adds the phases of the merge to those before it. */
static void add_report(struct stats *stats, const struct external_report *report)
{
    stats->report.io = report->io;
    stats->report.passes = report->passes + 1;
    stats->report.temporary_bytes += report->temporary_bytes;
    for (size_t i = 0; i < report->phase_count && stats->report.phase_count < EXTERNAL_MAX_PHASES;
         i++)
        stats->report.phase[stats->report.phase_count++] = report->phase[i];
}

/* Sorts after the runs have been formed. */
static bool sort_runs(struct task *task, const struct external_order *order,
                      const struct sorted_runs *runs, uint64_t *cuts, struct received *received)
{
    struct external_order merged = *order; /* of elements that have been expanded */
    struct stats *stats = &task->stats;
    struct external external;

    merged.expand = NULL;
    if (!splitting_find(task, order, runs, cuts) ||
        !exchange_parts(received, task, order->size, runs, cuts))
        return false;
    const double exchange_s = stats_lap();
    stats_add_phase(stats, "exchanging", received->bytes, received->bytes, exchange_s);
    stats->report.runs = received->count;
    stats->report.temporary_bytes = runs->start[runs->count] * order->size + received->bytes;
    const bool done = write_output(task, &merged, received, &external) &&
                      world_agree(&task->world, check_sum(task, runs, &external));
    stats->sort_s += exchange_s;
    stats->write_s = stats_lap();
    if (done)
        add_report(stats, &external.report);
    return done;
}

/* Forms the runs of this rank. */
static bool form_runs(struct task *task, const struct external_order *order,
                      struct sorted_runs *runs)
{
    const uint64_t read = task->count * task->job.input.type->size;
    const uint64_t written = task->count * order->size;

    progress_phase("forming runs", read + written);
    const bool is_formed = sorted_runs_form(runs, task, order);
    const bool done = world_agree(&task->world, large_order_check(&task->job) && is_formed);
    task->job.checksum = runs->input_checksum;
    task->stats.sort_s = stats_lap();
    stats_add_phase(&task->stats, "forming runs", read, written, task->stats.sort_s);
    return done;
}

bool in_runs_sort(struct task *task)
{
    struct sorted_runs runs = {.fd = -1};
    struct received received = {.fd = -1};
    struct job *job = &task->job;
    uint64_t *cuts = NULL;

    bool done = compile_in_turn(task, compile_comparisons);
    const struct external_order order = large_order(job);
    done = done && form_runs(task, &order, &runs);
    if (done) {
        cuts = calloc(((size_t)task->world.size + 1) * runs.count + 1, sizeof *cuts);
        if (cuts == NULL)
            print_error(job->input.name, "out of memory");
        done = world_agree(&task->world, cuts != NULL);
    }
    done = done && sort_runs(task, &order, &runs, cuts, &received);
    large_order_close(job);
    exchange_free(&received);
    sorted_runs_free(&runs);
    free(cuts);
    return done;
}
