/* contest.c - sorts one input with each contestant in turn, and takes the time */
#include "contest.h"

#include "clock.h"
#include "stable.h"
#include "verify.h"

#include <err.h>
#include <stdlib.h>

/* Of clsort, which alone is asked for algorithms, it is the job that says whether equal keys may change places. */
static bool is_stable(const struct job *job, const struct contestant *contestant)
{
    const bool may_change = contestant->asked && job->shape.unstable;
    return contestant->peer->stable && !may_change && stable_by_name(contestant->asked);
}

static bool sort_timed(const struct job *job, const struct contestant *contestant, double *seconds)
{
    const double start = clock_now();
    const bool done = contestant->peer->sort(job, contestant->state);
    *seconds = clock_now() - start;
    return done;
}

/* A run, timed by our clock or by the device's. */
static bool run_one(const struct job *job, uint64_t sum, bool by_device,
                    struct contestant *contestant, double *seconds)
{
    const struct peer *peer = contestant->peer;
    if (!peer->prepare(job, contestant->state) ||
        !(by_device ? peer->timed_sort(job, contestant->state, seconds)
                    : sort_timed(job, contestant, seconds)) ||
        !peer->finish(job, contestant->state))
        return false;
    *seconds /= (double)contestant->batch;

    const struct verify_rules rules = {is_stable(job, contestant), peer->zeros_equal};
    const char *fault = verify_result(job, sum, &rules);
    if (fault && contestant->verified) {
        warnx("%s, n = %zu: %s", peer->name, job->count, fault);
        contestant->verified = false;
    }
    return true;
}

size_t contest_runs(size_t runs, size_t n)
{
    const size_t few = 1 << 19;
    if (n <= few)
        runs *= 8;
    return runs < CONTEST_RUNS_MAX ? runs : CONTEST_RUNS_MAX;
}

size_t contest_batch(size_t batch, size_t n)
{
    const size_t most = 100, enough = ((size_t)1 << 26) / n;
    if (batch > 0)
        return batch;
    return enough < 1 ? 1 : enough < most ? enough : most;
}

/* Whether the contest can go on: of a peer nobody knows what it cannot do on which device, but clsort is what all are
 * measured by. */
static bool drop_out(struct contestant *contestant)
{
    contestant->failed = true;
    return !contestant->asked;
}

static bool has_enough(const struct contestant *contestant)
{
    double taken = 0;
    for (size_t run = 0; run < contestant->runs; run++)
        taken += contestant->seconds[run] * (double)contestant->batch;
    return contestant->runs >= CONTEST_ENOUGH_RUNS && taken > CONTEST_ENOUGH_S;
}

/* A contestant's turn. */
static bool take_turn(const struct job *job, uint64_t sum, struct contestant *one)
{
    if (!run_one(job, sum, false, one, &one->seconds[one->runs]))
        return false;
    one->runs++;
    if (!job->device_time || !one->peer->timed_sort)
        return true;
    if (!run_one(job, sum, true, one, &one->device_seconds[one->device_runs]))
        return false;
    one->device_runs++;
    return true;
}

static bool run_rounds(const struct job *job, size_t runs, struct contestant *contestants,
                       size_t count)
{
    uint64_t sum = verify_sum(job, job->keys, job->values);
    double warm_up;
    for (size_t i = 0; i < count; i++)
        if (!contestants[i].failed && !run_one(job, sum, false, &contestants[i], &warm_up) &&
            !drop_out(&contestants[i]))
            return false;
    for (size_t run = 0; run < runs; run++)
        for (size_t i = 0; i < count; i++) {
            struct contestant *one = &contestants[i];
            if (one->failed || has_enough(one))
                continue;
            if (!take_turn(job, sum, one) && !drop_out(one))
                return false;
        }
    return true;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of sorted seconds. */
static double median(const double *seconds, size_t runs)
{
    return (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
}

static void summarise(struct contestant *contestant)
{
    double *seconds = contestant->seconds, *device_seconds = contestant->device_seconds;
    qsort(seconds, contestant->runs, sizeof *seconds, compare_seconds);
    contestant->min_s = seconds[0];
    contestant->median_s = median(seconds, contestant->runs);
    if (contestant->device_runs == 0)
        return;
    qsort(device_seconds, contestant->device_runs, sizeof *device_seconds, compare_seconds);
    contestant->device_median_s = median(device_seconds, contestant->device_runs);
}

static bool open_one(const struct job *job, struct contestant *contestant)
{
    const struct peer *peer = contestant->peer;
    contestant->state = NULL;
    contestant->batch = peer->batches ? job->batch : 1;
    contestant->runs = contestant->device_runs = 0;
    contestant->verified = true;
    contestant->failed = false;
    contestant->algorithm[0] = '\0';
    contestant->cost_bytes = 0;
    return (!peer->open || peer->open(job, contestant->asked, &contestant->state)) &&
           (!peer->algorithm ||
            peer->algorithm(job, contestant->state, sizeof contestant->algorithm,
                            contestant->algorithm)) &&
           (!peer->cost_bytes || peer->cost_bytes(job, contestant->state, &contestant->cost_bytes));
}

bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count)
{
    bool done = true;
    size_t opened = 0;
    for (; done && opened < count; opened++)
        done = open_one(job, &contestants[opened]) || drop_out(&contestants[opened]);
    if (done)
        done = run_rounds(job, contest_runs(runs, job->count), contestants, count);
    for (size_t i = 0; i < opened; i++)
        if (contestants[i].state)
            contestants[i].peer->close(contestants[i].state);
    for (size_t i = 0; done && i < count; i++)
        if (!contestants[i].failed)
            summarise(&contestants[i]);
    return done;
}
