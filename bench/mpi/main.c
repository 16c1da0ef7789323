/* main.c - clsort-bench-mpi: compares sorts over the ranks of MPI */
#include "contest.h"
#include "options.h"
#include "print.h"
#include "report.h"

#include <stdlib.h>

enum { EXIT_WRONG = 1 };

/* Returns the exit status, which all ranks agree on. */
static int run_contests(struct contest *contest, struct report *report)
{
    const struct options *options = contest->options;
    int status = EXIT_SUCCESS;
    for (size_t i = 0; i < options->dist_count; i++) {
        struct result results[SORTS_MAX];
        if (!contest_run(contest, options->dists[i], results) ||
            !world_agree(contest->world, report_contest(report, options->dists[i], results)))
            return EXIT_ERROR;
        for (size_t j = 0; j < SORTS_MAX; j++)
            if (results[j].sort && !results[j].verified)
                status = EXIT_WRONG;
    }
    return status;
}

static int compete(struct world *world, const struct options *options)
{
    struct contest contest;
    struct report report;
    int status = EXIT_ERROR;
    if (contest_open(&contest, world, options) &&
        world_agree(world, report_open(&report, world, options))) {
        status = run_contests(&contest, &report);
        if (!world_agree(world, report_close(&report)))
            status = EXIT_ERROR;
    }
    contest_close(&contest);
    return status;
}

int main(int argc, char **argv)
{
    struct world world;
    struct options options;
    int status = EXIT_ERROR;
    print_start("clsort-bench-mpi");
    if (world_start(&world, &argc, &argv)) {
        const bool goes_on = options_parse(argc, argv, world.rank == 0 ? stdout : world.messages,
                                           world.messages, &options, &status);
        if (world_agree(&world, goes_on || status == EXIT_SUCCESS) && goes_on)
            status = compete(&world, &options);
    }
    world_end(&world);
    return status;
}
