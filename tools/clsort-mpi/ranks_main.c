/* ranks_main.c - clsort-mpi: what its main function does */
#include "ranks_main.h"

#include "compile.h"
#include "device.h"
#include "explain.h"
#include "in_memory.h"
#include "in_runs.h"
#include "inputs.h"
#include "print.h"
#include "progress.h"
#include "ranks_check.h"
#include "ranks_options.h"
#include "ranks_stats.h"
#include "setup.h"

#include <inttypes.h>
#include <stdlib.h>

enum { EXIT_DISORDER = 1 }; /* exit status if --check finds keys that are out of order */

/* The functions that return bool print an error and return false on all ranks on failure. */

/* Opens inputs and devices, and decides how the ranks sort. */
static bool prepare_ranks(struct task *task)
{
    struct job *job = &task->job;

    task->stats.setup_s += stats_lap();
    if (!task_open_inputs(task))
        return false;
    task->stats.read_s = stats_lap();
    /* The programs are compiled now, so that the time of the sort excludes compilation. */
    progress_compiling();
    if (!task_open_device(task) || !in_runs_choose(task) || !compile_in_turn(task, compile_sort))
        return false;
    task->stats.setup_s += stats_lap();
    setup_add_times(&job->device, &task->stats);
    return true;
}

static bool explain(struct task *task)
{
    const struct job *job = &task->job;

    if (!prepare_ranks(task))
        return false;
    progress_end();
    const uint64_t available = in_memory_available(task);
    if (task->world.rank > 0)
        return true;
    printf("ranks    %d, of which %d on this node\n", task->world.size, task->world.node_size);
    ranks_print_device(job);
    explain_elements(job);
    printf("part     %zu of each rank, at most\n", task->count);
    printf("memory   %" PRIu64 " bytes of each rank, of %" PRIu64 " available\n",
           in_memory_needed(task, task->count), available);
    if (task->run_elements > 0)
        printf("external runs of %zu elements, which the ranks exchange and merge\n",
               task->run_elements);
    printf("plan     %s\n", job->plan);
    return true;
}

static void print_sum(const struct task *task)
{
    const struct job *job = &task->job;

    if (job->options.sum && task->world.rank == 0)
        print_checksum(stdout, job->count, job->checksum);
}

static bool check(struct task *task, bool *ordered)
{
    if (!task_open_inputs(task) || !ranks_check(task, ordered))
        return false;
    progress_end();
    task->job.checksum = world_sum(task->job.checksum);
    print_sum(task);
    return true;
}

static bool sort(struct task *task)
{
    struct job *job = &task->job;

    if (!files_open(&task->result, job, &task->world) || !prepare_ranks(task) ||
        !(task->run_elements > 0 ? in_runs_sort(task) : in_memory_sort(task)))
        return false;
    job->checksum = world_sum(job->checksum);
    if (!files_commit(&task->result, job, &task->world))
        return false;
    progress_end();
    const double commit_s = stats_lap();
    task->stats.write_s += commit_s;
    stats_add_phase(&task->stats, "waiting for the disk", 0, 0, commit_s);
    print_sum(task);
    return job->options.stats == STATS_NONE || ranks_stats(task);
}

/* Runs what the options ask for. Returns the exit status of all ranks. */
static int run(struct task *task)
{
    struct job *job = &task->job;
    bool done = false, ordered = true;

    if (task->world.rank == 0) /* which has about as much to do as each of the others */
        progress_start(job->options.progress);
    if (job->options.mode == MODE_SORT)
        done = sort(task);
    else if (job->options.mode == MODE_CHECK)
        done = check(task, &ordered);
    else
        done = explain(task);
    progress_end();
    files_close(&task->result);
    device_close(&job->device);
    output_discard(&job->output);
    input_close(&job->input);
    inputs_close(job);
    free(job->plan);
    done = done && world_agree(&task->world, true);
    return !done ? EXIT_ERROR : ordered ? EXIT_SUCCESS : EXIT_DISORDER;
}

/* Reads the command line and runs what it asks for. Returns the exit status of all ranks. */
static int parse_and_run(struct task *task, int argc, char **argv)
{
    struct world *world = &task->world;
    FILE *output = world->rank == 0 ? stdout : world->messages;
    int status;
    const bool goes_on =
        ranks_options_parse(&task->job.options, argc, argv, output, world->messages, &status);

    if (!goes_on && status == EXIT_SUCCESS && world->rank > 0)
        rewind(world->messages); /* drops what rank 0 has printed, too */
    if (!world_agree(world, goes_on || status == EXIT_SUCCESS))
        return EXIT_ERROR;
    return goes_on ? run(task) : EXIT_SUCCESS;
}

int ranks_main(int argc, char **argv)
{
    struct task task = {
        .job = {.input = {.fd = -1}, .output = {.fd = -1}, .resume = RESUME_CLOSED},
        .result = {.file = MPI_FILE_NULL},
    };

    stats_lap();
    const bool has_started = world_start(&task.world, &argc, &argv);
    const int status = has_started ? parse_and_run(&task, argc, argv) : EXIT_ERROR;
    world_end(&task.world);
    return status;
}
