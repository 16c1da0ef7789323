/* contest.c - measures all contestants alternately, on the same input */
#include "contest.h"

#include "clock.h"
#include "stable.h"
#include "verify.h"

#include <err.h>
#include <stdlib.h>

/* Returns whether the result must be stable. clsort, the only contestant with a requested
 * algorithm, may be allowed to change the order of equal keys. */
static bool is_stable(const struct job *job, const struct contestant *contestant)
{
    const bool may_reorder = contestant->requested && job->spec.unstable;
    return contestant->peer->stable && !may_reorder && stable_by_name(contestant->requested);
}

static bool sort_timed(const struct job *job, const struct contestant *contestant, double *seconds)
{
    const double start = clock_now();
    const bool done = contestant->peer->sort(job, contestant->state);
    *seconds = clock_now() - start;
    return done;
}

/* Verifies a result that has only as many elements as the count in device memory. */
static const char *verify_counted(const struct job *job, const struct verify_rules *rules)
{
    struct job counted = *job;
    const char *rest = verify_rest(job, job->device_count);
    counted.count = counted.result_count = job->device_count;
    return rest ? rest
                : verify_result(&counted, verify_sum(&counted, job->keys, job->values), rules);
}

/* Makes, times and verifies one run. by_device: whether the clock of the device is used. */
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

    const struct verify_rules rules = {.stable = is_stable(job, contestant),
                                       .zeros_equal = peer->zeros_equal,
                                       .keys_only = peer->keys_only || job->spec.no_indexes,
                                       .unordered = peer->unordered};
    const char *fault =
        peer->is_counted ? verify_counted(job, &rules) : verify_result(job, sum, &rules);
    if (fault && contestant->verified) {
        warnx("%s, n = %zu: %s", peer->name, job->count, fault);
        contestant->verified = false;
    }
    return true;
}

size_t contest_runs(size_t runs, size_t n)
{
    const size_t max_small = 1 << 19;
    if (n <= max_small)
        runs *= 8;
    return runs < CONTEST_RUNS_MAX ? runs : CONTEST_RUNS_MAX;
}

size_t contest_batch(size_t batch, size_t n)
{
    const size_t max = 100, wanted = ((size_t)1 << 26) / n;
    if (batch > 0)
        return batch;
    return wanted < 1 ? 1 : wanted < max ? wanted : max;
}

/* Marks a contestant as failed. Returns whether the contest can continue: peers may fail on some
 * devices, but clsort is required, since all others are compared with it. */
static bool drop_out(struct contestant *contestant)
{
    contestant->failed = true;
    return !contestant->requested;
}

static bool has_enough(const struct contestant *contestant)
{
    double taken = 0;
    for (size_t run = 0; run < contestant->runs; run++)
        taken += contestant->seconds[run] * (double)contestant->batch;
    return contestant->runs >= CONTEST_ENOUGH_RUNS && taken > CONTEST_ENOUGH_S;
}

/* Makes the next run of a contestant, and one by the clock of the device if that is requested and supported. */
static bool run_next(const struct job *job, uint64_t sum, struct contestant *contestant)
{
    if (!run_one(job, sum, false, contestant, &contestant->seconds[contestant->runs]))
        return false;
    contestant->runs++;
    if (!job->device_time || !contestant->peer->timed_sort)
        return true;
    if (!run_one(job, sum, true, contestant, &contestant->device_seconds[contestant->device_runs]))
        return false;
    contestant->device_runs++;
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
            struct contestant *contestant = &contestants[i];
            if (contestant->failed || has_enough(contestant))
                continue;
            if (!run_next(job, sum, contestant) && !drop_out(contestant))
                return false;
        }
    return true;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median. The seconds must be sorted. */
static double median(const double *seconds, size_t runs)
{
    return (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
}

/* Computes the minimum and the medians. */
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
    contestant->algorithm[0] = '\0';
    contestant->cost_bytes = 0;
    const char *reason = peer->refuses ? peer->refuses(job) : NULL;
    contestant->failed = contestant->refused = reason;
    if (reason) {
        warnx("%s does not take part: n = %zu: %s", peer->name, job->count, reason);
        return true;
    }
    return (!peer->open || peer->open(job, contestant->requested, &contestant->state)) &&
           (!peer->cost_bytes || peer->cost_bytes(job, contestant->state, &contestant->cost_bytes));
}

/* Asks for the algorithm after the runs, since the first ones may influence the choice. */
static bool name_algorithm(const struct job *job, struct contestant *contestant)
{
    const struct peer *peer = contestant->peer;
    return !peer->algorithm || contestant->failed ||
           peer->algorithm(job, contestant->state, sizeof contestant->algorithm,
                           contestant->algorithm);
}

bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count)
{
    bool done = true;
    size_t opened = 0;
    for (; done && opened < count; opened++)
        done = open_one(job, &contestants[opened]) || drop_out(&contestants[opened]);
    if (done)
        done = run_rounds(job, contest_runs(runs, job->count), contestants, count);
    for (size_t i = 0; done && i < count; i++)
        done = name_algorithm(job, &contestants[i]) || drop_out(&contestants[i]);
    for (size_t i = 0; i < opened; i++)
        if (contestants[i].state)
            contestants[i].peer->close(contestants[i].state);
    for (size_t i = 0; done && i < count; i++)
        if (!contestants[i].failed)
            summarise(&contestants[i]);
    return done;
}

bool contest_is_right(const struct contestant *contestants, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!contestants[i].refused && (contestants[i].failed || !contestants[i].verified))
            return false;
    return true;
}
