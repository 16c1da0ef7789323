/* main.c - clsort-bench: compares clsort with other sorts */
#include "contest.h"
#include "copy.h"
#include "expect.h"
#include "group.h"
#include "options.h"
#include "peers.h"
#include "report.h"
#include "table.h"

#include <err.h>
#include <stdlib.h>

enum { CLSORT_PEERS = 4 /* that are clsort itself */ };

enum exit_status { EXIT_CORRECT = 0, EXIT_WRONG = 1, EXIT_ERROR = 2 };

/* Adds a contestant that is clsort itself. */
static void add_clsort(const struct options *options, const struct peer *peer,
                       struct contestant *contestants, size_t *count)
{
    contestants[*count].peer = peer;
    contestants[*count].requested = options->algorithm;
    ++*count;
}

/* Lists the contestants that are clsort itself. Returns their number. */
static size_t list_clsort(const struct options *options, const struct target *target,
                          struct contestant *contestants)
{
    size_t count = 0;
    cl_bool unified = CL_FALSE;
    add_clsort(options,
               options->host              ? &peer_clsort_host
               : options->spec.no_scratch ? &peer_clsort_in_place
                                          : &peer_clsort_device,
               contestants, &count);
    if (options->spec.count_share > 0)
        add_clsort(options, &peer_clsort_counted, contestants, &count);
    if (options->enqueue) {
        add_clsort(options, &peer_clsort_host_fresh, contestants, &count);
        clGetDeviceInfo(target->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified,
                        NULL);
        if (unified)
            add_clsort(options, &peer_clsort_buffers, contestants, &count);
        else
            warnx("%s does not take part: the device has memory of its own",
                  peer_clsort_buffers.name);
    }
    if (target->group)
        add_clsort(options, &peer_clsort_group, contestants, &count);
    return count;
}

/* Makes the list of contestants: clsort, then the requested peers that support the sort. Returns
 * their number. */
static size_t list_contestants(const struct options *options, const struct target *target,
                               struct contestant *contestants)
{
    size_t count = list_clsort(options, target, contestants);
    for (size_t i = 0; peers_at(i); i++) {
        if (!(options->peers >> i & 1))
            continue;
        const struct peer *peer = peers_at(i);
        const char *unsupported = peer->missing ? NULL : peers_unsupported(peer, &options->spec);
        if (peer->missing)
            warnx("%s does not take part: it was not built in; it needs %s", peer->name,
                  peer->missing);
        else if (unsupported)
            warnx("%s does not take part: %s", peer->name, unsupported);
        else
            contestants[count++].peer = peer;
    }
    return count;
}

static int run_contest(struct report *report, const struct target *target, struct job_size size,
                       struct contestant *contestants, size_t count)
{
    const struct options *options = report->options;
    struct job job;
    if (!job_create(&options->spec, options->dist, size, target, &job))
        return EXIT_ERROR;
    job.batch = contest_batch(options->batch, job.count);
    job.device_time = options->device_time;
    int outcome = EXIT_ERROR;
    bool done = contest_run(&job, options->runs, contestants, count);
    if (done) {
        expect_judge(&job, options->dist, contestants, count);
        done = report_contest(report, &job, contestants, count);
    }
    if (done)
        outcome = contest_is_right(contestants, count) ? EXIT_CORRECT : EXIT_WRONG;
    job_destroy(&job);
    return outcome;
}

static int run_contests(const struct options *options, const struct target *target,
                        struct contestant *contestants)
{
    size_t count = list_contestants(options, target, contestants);
    struct report report;
    if (!report_open(options, target, &report))
        return EXIT_ERROR;
    if (contestants[0].peer->cost_bytes)
        report.copy_bytes_s = copy_measure(target);
    int worst = EXIT_CORRECT;
    struct job_size size;
    for (size_t i = 0; worst != EXIT_ERROR && options_size(options, i, &size); i++) {
        int outcome = run_contest(&report, target, size, contestants, count);
        worst = outcome > worst ? outcome : worst;
    }
    return report_close(&report) ? worst : EXIT_ERROR;
}

static int compete(const struct options *options, const struct target *target)
{
    struct contestant *contestants = calloc(CLSORT_PEERS + PEERS_MAX, sizeof *contestants);
    if (!contestants)
        warnx("out of memory");
    int outcome = contestants ? run_contests(options, target, contestants) : EXIT_ERROR;
    free(contestants);
    return outcome;
}

static int make_table(const struct options *options, const struct target *target)
{
    switch (table_print(options->table, options, target)) {
    case TABLE_DONE:
        return EXIT_CORRECT;
    case TABLE_WRONG:
        return EXIT_WRONG;
    default:
        return EXIT_ERROR;
    }
}

int main(int argc, char **argv)
{
    struct options options;
    int status;
    if (!options_parse(argc, argv, &options, &status))
        return status;

    struct target target;
    if (!target_open(options.device, &target))
        return EXIT_ERROR;
    int outcome = EXIT_ERROR;
    if (group_open(&options, &target))
        outcome = options.has_table ? make_table(&options, &target) : compete(&options, &target);
    group_close(&target);
    target_close(&target);
    return outcome;
}
