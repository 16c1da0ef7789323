/* contest.c - sorts one input with each contestant in turn, and takes the time */
#include "contest.h"

#include "stable.h"
#include "verify.h"

#include <err.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

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
    double start = now();
    if (!peer->sort(job, contestant->state))
        return false;
    *seconds = now() - start;
    if (!peer->finish(job, contestant->state))
        return false;

    const char *fault = verify_result(job, sum, is_stable(contestant));
    if (fault && contestant->verified) {
        warnx("%s, n = %zu: %s", peer->name, job->count, fault);
        contestant->verified = false;
    }
    return true;
}

static bool run_rounds(const struct job *job, size_t runs, struct contestant *contestants,
                       size_t count)
{
    uint64_t sum = verify_sum(job, job->keys, job->values);
    double warm_up;
    for (size_t i = 0; i < count; i++)
        if (!run_one(job, sum, &contestants[i], &warm_up))
            return false;
    for (size_t run = 0; run < runs; run++)
        for (size_t i = 0; i < count; i++)
            if (!run_one(job, sum, &contestants[i], &contestants[i].seconds[run]))
                return false;
    return true;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(struct contestant *contestant, size_t runs)
{
    double *seconds = contestant->seconds;
    qsort(seconds, runs, sizeof *seconds, compare_seconds);
    contestant->min_s = seconds[0];
    contestant->median_s = (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
}

static bool open_one(const struct job *job, struct contestant *contestant)
{
    const struct peer *peer = contestant->peer;
    contestant->state = NULL;
    contestant->verified = true;
    contestant->algorithm[0] = '\0';
    return (!peer->open || peer->open(job, contestant->asked, &contestant->state)) &&
           (!peer->algorithm ||
            peer->algorithm(job, contestant->state, sizeof contestant->algorithm,
                            contestant->algorithm));
}

bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count)
{
    bool done = true;
    size_t opened = 0;
    for (; done && opened < count; opened++)
        done = open_one(job, &contestants[opened]);
    if (done)
        done = run_rounds(job, runs, contestants, count);
    for (size_t i = 0; i < opened; i++)
        if (contestants[i].state)
            contestants[i].peer->close(contestants[i].state);
    for (size_t i = 0; done && i < count; i++)
        summarise(&contestants[i], runs);
    return done;
}
