/* contest.c - runs the sorts of a distribution alternately, and verifies each run */
#include "contest.h"

#include "clock.h"
#include "print.h"
#include "traffic.h"
#include "verify.h"

#include <stdlib.h>
#include <string.h>

/* -- memory ------------------------------------------------------------------------------------ */

/* The memory of the library is aligned, too: the time of its vectorised sorts depends on the alignment. */
static void *take_keys(const struct options *options)
{
    enum { ALIGNMENT = 64 };
    const size_t bytes = options->count * options->type->size;
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static bool take(struct contest *contest)
{
    const struct options *options = contest->options;
    const size_t ranks = (size_t)contest->world->size;
    struct share *share = &contest->share;
    contest->keys = take_keys(options);
    contest->sent = calloc(ranks, sizeof *contest->sent);
    contest->counts = calloc(ranks, sizeof *contest->counts);
    contest->seconds = calloc(SORTS_MAX * options->runs, sizeof *contest->seconds);
    *share = (struct share){.world = contest->world,
                            .type = options->type,
                            .count = options->count,
                            .keys = contest->keys,
                            .copy = take_keys(options),
                            .out = take_keys(options),
                            .sent = contest->sent};
    const bool has_memory = contest->keys && contest->sent && contest->counts && contest->seconds &&
                            share->copy && share->out;
    if (!has_memory)
        print_error("keys", "out of memory for %zu keys", options->count);
    return has_memory;
}

bool contest_open(struct contest *contest, struct world *world, const struct options *options)
{
    *contest = (struct contest){.world = world, .options = options};
    if (!world_agree(world, take(contest)))
        return false;
    const clsort_status status = clsort_mpi_create(MPI_COMM_WORLD, NULL, NULL, &contest->share.mpi);
    if (status != CLSORT_OK)
        print_error("clsort_mpi_create", "%s", clsort_status_string(status));
    return world_agree(world, status == CLSORT_OK);
}

void contest_close(struct contest *contest)
{
    clsort_mpi_destroy(contest->share.mpi);
    free(contest->keys);
    free(contest->share.copy);
    free(contest->share.out);
    free(contest->sent);
    free(contest->counts);
    free(contest->seconds);
}

/* -- runs -------------------------------------------------------------------------------------- */

/* Returns the time of the slowest rank. */
static double time_run(const struct contest *contest, const struct sort *sort, bool *done)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = clock_now();
    *done = sort->run(&contest->share);
    double seconds = clock_now() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

/* Verifies the output of a run. */
static bool is_right(const struct contest *contest, const struct sort *sort, uint64_t checksum)
{
    const struct share *share = &contest->share;
    const bool has_keys = verify_checksum(share->type, share->out, share->count) == checksum;
    return has_keys &&
           (sort->is_floor || verify_order(contest->world, share->type, share->out, share->count));
}

/* Runs a sort once, and counts what it sends. *seconds becomes its time. */
static bool run_once(struct contest *contest, struct result *result, uint64_t checksum,
                     double *seconds)
{
    const struct share *share = &contest->share;
    const size_t bytes = share->count * share->type->size;
    uint64_t sent = 0;
    bool done;
    memcpy(share->copy, share->keys, bytes);
    memset(share->out, 0, bytes); /* so that the output of the run before does not count */
    traffic_count(contest->counts, contest->world->size);
    *seconds = time_run(contest, result->sort, &done);
    traffic_count(NULL, 0);
    if (!world_agree(contest->world, done))
        return false;
    for (int i = 0; i < contest->world->size; i++)
        sent += contest->counts[i];
    if (result->sort == &sort_clsort)
        memcpy(contest->sent, contest->counts, (size_t)contest->world->size * sizeof sent);
    result->max_sent = world_max(sent);
    result->verified = is_right(contest, result->sort, checksum) && result->verified;
    return true;
}

/* -- contests ---------------------------------------------------------------------------------- */

/* Chooses the sorts that take part. */
static void list_sorts(const struct contest *contest, struct result *results)
{
    for (size_t i = 0; i < SORTS_MAX; i++) {
        const bool takes_part = sorts_at(i) && contest->options->takes_part[i];
        results[i] = (struct result){.sort = takes_part ? sorts_at(i) : NULL, .verified = true};
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sets the times of a result from those of its runs. */
static void sum_up(struct result *result, double *seconds)
{
    const size_t runs = result->runs;
    qsort(seconds, runs, sizeof *seconds, compare);
    result->min_s = seconds[0];
    result->median_s = (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
}

static bool has_enough(const struct result *result, const double *seconds)
{
    double taken = 0;
    for (size_t run = 0; run < result->runs; run++)
        taken += seconds[run];
    return result->runs >= CONTEST_ENOUGH_RUNS && taken > CONTEST_ENOUGH_S;
}

/* Makes the next run of each sort. The first round, whose number is 0, is not timed. */
static bool run_round(struct contest *contest, size_t round, uint64_t checksum,
                      struct result *results)
{
    for (size_t i = 0; i < SORTS_MAX; i++) {
        double *const seconds = contest->seconds + i * contest->options->runs;
        double first_run;
        if (!results[i].sort || has_enough(&results[i], seconds))
            continue;
        if (!run_once(contest, &results[i], checksum,
                      round == 0 ? &first_run : &seconds[results[i].runs]))
            return false;
        results[i].runs += round > 0;
    }
    return true;
}

bool contest_run(struct contest *contest, struct inputs_dist dist, struct result *results)
{
    const struct share *share = &contest->share;
    const uint64_t total = (uint64_t)contest->world->size * share->count;
    inputs_fill(share->type, dist, total, (uint64_t)contest->world->rank * share->count,
                contest->keys, share->count);
    const uint64_t checksum = verify_checksum(share->type, share->keys, share->count);
    list_sorts(contest, results);
    for (size_t round = 0; round <= contest->options->runs; round++)
        if (!run_round(contest, round, checksum, results))
            return false;
    for (size_t i = 0; i < SORTS_MAX; i++)
        if (results[i].sort)
            sum_up(&results[i], contest->seconds + i * contest->options->runs);
    return true;
}
