/* contest.c - sorts one input with each contestant in turn, and takes the time */
#include "contest.h"

#include "clock.h"
#include "stable.h"
#include "verify.h"

#include <err.h>
#include <stdlib.h>

static bool is_stable(const struct contestant *contestant)
{
    return contestant->peer->stable && stable_by_name(contestant->asked);
}

static bool run_one(const struct job *job, uint64_t sum, struct contestant *contestant,
                    double *seconds)
{
    const struct peer *peer = contestant->peer;
    if (!peer->prepare(job, contestant->state))
        return false;
    double start = clock_now();
    if (!peer->sort(job, contestant->state))
        return false;
    *seconds = clock_now() - start;
    if (!peer->finish(job, contestant->state))
        return false;

    const char *fault = verify_result(job, sum, is_stable(contestant));
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
        taken += contestant->seconds[run];
    return contestant->runs >= CONTEST_ENOUGH_RUNS && taken > CONTEST_ENOUGH_S;
}

static bool run_rounds(const struct job *job, size_t runs, struct contestant *contestants,
                       size_t count)
{
    uint64_t sum = verify_sum(job, job->keys, job->values);
    double warm_up;
    for (size_t i = 0; i < count; i++)
        if (!contestants[i].failed && !run_one(job, sum, &contestants[i], &warm_up) &&
            !drop_out(&contestants[i]))
            return false;
    for (size_t run = 0; run < runs; run++)
        for (size_t i = 0; i < count; i++) {
            struct contestant *one = &contestants[i];
            if (one->failed || has_enough(one))
                continue;
            if (run_one(job, sum, one, &one->seconds[run]))
                one->runs++;
            else if (!drop_out(one))
                return false;
        }
    return true;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(struct contestant *contestant)
{
    double *seconds = contestant->seconds;
    const size_t runs = contestant->runs;
    qsort(seconds, runs, sizeof *seconds, compare_seconds);
    contestant->min_s = seconds[0];
    contestant->median_s = (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
}

static bool open_one(const struct job *job, struct contestant *contestant)
{
    const struct peer *peer = contestant->peer;
    contestant->state = NULL;
    contestant->runs = 0;
    contestant->verified = true;
    contestant->failed = false;
    contestant->algorithm[0] = '\0';
    contestant->traffic = 0;
    return (!peer->open || peer->open(job, contestant->asked, &contestant->state)) &&
           (!peer->algorithm ||
            peer->algorithm(job, contestant->state, sizeof contestant->algorithm,
                            contestant->algorithm)) &&
           (!peer->traffic || peer->traffic(job, contestant->state, &contestant->traffic));
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
