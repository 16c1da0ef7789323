/* main.c - clsort-bench: measures clsort beside other sorts */
#include "contest.h"
#include "copy.h"
#include "options.h"
#include "peers.h"
#include "report.h"
#include "table.h"

#include <err.h>
#include <stdlib.h>

/* Exit statuses. */
enum { ALL_RIGHT = 0, SOME_WRONG = 1, TROUBLE = 2 };

/* clsort, then the peers that were asked for and can do the sort. Returns how many they are. */
static size_t gather(const struct options *options, struct contestant *contestants)
{
    size_t count = 0;
    contestants[count].peer = options->host ? &peer_clsort_host : &peer_clsort_device;
    contestants[count++].asked = options->algorithm;
    for (size_t i = 0; peers_at(i); i++) {
        if (!(options->peers >> i & 1))
            continue;
        const struct peer *peer = peers_at(i);
        const char *objection = peer->missing ? NULL : peer->objection(&options->shape);
        if (peer->missing)
            warnx("%s does not take part: it was not built in; it needs %s", peer->name,
                  peer->missing);
        else if (objection)
            warnx("%s does not take part: %s", peer->name, objection);
        else
            contestants[count++].peer = peer;
    }
    return count;
}

static int hold_contest(struct report *report, const struct target *target, size_t n,
                        struct contestant *contestants, size_t count)
{
    const struct options *options = report->options;
    struct job job;
    if (!job_create(&options->shape, options->dist, n, target, &job))
        return TROUBLE;
    job.batch = contest_batch(options->batch, n);
    job.device_time = options->device_time;
    int outcome = TROUBLE;
    if (contest_run(&job, options->runs, contestants, count) &&
        report_contest(report, &job, contestants, count)) {
        outcome = ALL_RIGHT;
        for (size_t i = 0; i < count; i++)
            if (contestants[i].failed || !contestants[i].verified)
                outcome = SOME_WRONG;
    }
    job_destroy(&job);
    return outcome;
}

static int hold_contests(const struct options *options, const struct target *target,
                         struct contestant *contestants)
{
    size_t count = gather(options, contestants);
    struct report report;
    if (!report_open(options, target, &report))
        return TROUBLE;
    if (!options->host) /* of host arrays, most of the time goes to other memory */
        report.copy_bytes_s = copy_measure(target);
    int worst = ALL_RIGHT;
    for (size_t i = 0; i < options->count_count && worst != TROUBLE; i++) {
        int outcome = hold_contest(&report, target, options->counts[i], contestants, count);
        worst = outcome > worst ? outcome : worst;
    }
    return report_close(&report) ? worst : TROUBLE;
}

static int compete(const struct options *options, const struct target *target)
{
    struct contestant *contestants = calloc(1 + PEERS_MAX, sizeof *contestants);
    if (!contestants)
        warnx("out of memory");
    int outcome = contestants ? hold_contests(options, target, contestants) : TROUBLE;
    free(contestants);
    return outcome;
}

static int make_table(const struct options *options, const struct target *target)
{
    switch (table_print(options->table, options, target)) {
    case TABLE_DONE:
        return ALL_RIGHT;
    case TABLE_WRONG:
        return SOME_WRONG;
    default:
        return TROUBLE;
    }
}

int main(int argc, char **argv)
{
    struct options options;
    options_parse(argc, argv, &options);

    struct target target;
    if (!target_open(options.device, &target))
        return TROUBLE;
    int outcome = options.has_table ? make_table(&options, &target) : compete(&options, &target);
    target_close(&target);
    return outcome;
}
