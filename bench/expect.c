/* expect.c - detects peers that are far slower than their libraries should be */
#include "expect.h"

#include <err.h>
#include <string.h>

/* Returns the seconds of std::sort, 0 if it did not take part or failed. */
static double reference_seconds(const struct contestant *contestants, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(contestants[i].peer->name, "std::sort") == 0 && !contestants[i].failed)
            return contestants[i].median_s;
    return 0;
}

void expect_judge(const struct job *job, enum data_dist dist, struct contestant *contestants,
                  size_t count)
{
    const bool is_judged = dist == DATA_UNIFORM && job->count >= EXPECT_MIN_COUNT &&
                           job->spec.value_size == 0 && job->spec.op != OP_CUSTOM;
    const double reference_s = is_judged ? reference_seconds(contestants, count) : 0;
    for (size_t i = 0; i < count; i++) {
        struct contestant *contestant = &contestants[i];
        contestant->suspect = reference_s > 0 && contestant->peer->slow_cause &&
                              !contestant->failed &&
                              reference_s < EXPECT_MIN_SPEEDUP * contestant->median_s;
        if (contestant->suspect)
            warnx(
                "%s is only %.2f times as fast as std::sort with %zu uniform keys. This time "
                "says little about the library; the usual cause is %s",
                contestant->peer->name, reference_s / contestant->median_s, job->count,
                contestant->peer->slow_cause);
    }
}
