/* sweep.c - runs scenarios with the N-th call failing: sweep opencl|alloc GROUP [N [lasting]]
 *
 * With N it makes one run only, to look at a failure. */
#include "sweep.h"

#include "alloc.h"
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- one run ------------------------------------------------------------------------------------- */

void sweep_arm(struct sweep *sweep)
{
    if (sweep->at >= 0)
        fault_arm(sweep->point, sweep->at, sweep->lasting);
}

static bool allowed(const struct sweep *sweep, clsort_status status)
{
    if (status == CLSORT_OK)
        return true;
    if (!sweep->reached)
        return false;
    return status == sweep->scenario->or_else ||
           (sweep->point == fault_alloc() ? status == CLSORT_E_MEMORY : fault_layer_gave(status));
}

bool sweep_judge(struct sweep *sweep, clsort_status status)
{
    sweep->reached = fault_disarm(sweep->point);
    if (!allowed(sweep, status)) {
        char what[128];
        snprintf(what, sizeof what, "the status is %d, %s", status, clsort_status_string(status));
        sweep_wrong(sweep, what, __FILE__, __LINE__);
    }
    return status == CLSORT_OK;
}

bool sweep_judge_made(struct sweep *sweep, clsort_status status, const void *made)
{
    const bool done = sweep_judge(sweep, status);
    SWEEP_CHECK(sweep, (made != NULL) == done);
    return done;
}

_Noreturn void sweep_wrong(const struct sweep *sweep, const char *what, const char *file, int line)
{
    const char *reached = atomic_load(&sweep->point->reached);
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n  in the scenario '%s', where %s call %ld, %s, fails%s\n", file,
            line, what, sweep->scenario->name, sweep->point->name, sweep->at,
            reached ? reached : "which this process has not reached",
            sweep->lasting ? " with all that follow" : "");
    _Exit(EXIT_FAILURE);
}

void sweep_ok(const struct sweep *sweep, clsort_status status, const char *call, const char *file,
              int line)
{
    char what[512];
    if (status == CLSORT_OK)
        return;
    snprintf(what, sizeof what, "%s: %d, %s", call, status, clsort_status_string(status));
    sweep_wrong(sweep, what, file, line);
}

/* -- what is held -------------------------------------------------------------------------------- */

struct held {
    long handles[FAULT_KINDS];
    long blocks;
};

static struct held held_now(void)
{
    struct held held = {.blocks = fault_alloc_live()};
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        held.handles[kind] = fault_layer_live(kind);
    return held;
}

static void compare(const struct sweep *sweep, const char *what, long before, long after)
{
    char text[128];
    if (before == after)
        return;
    snprintf(text, sizeof text, "%ld %s are held instead of %ld", after, what, before);
    sweep_wrong(sweep, text, __FILE__, __LINE__);
}

/* What an engine keeps, programs and findings, may grow while it lives. */
static void compare_held(const struct sweep *sweep, const struct held *before, bool engines_live)
{
    static const char *const names[FAULT_KINDS] = {
        [FAULT_CONTEXTS] = "contexts", [FAULT_QUEUES] = "queues",   [FAULT_BUFFERS] = "buffers",
        [FAULT_PROGRAMS] = "programs", [FAULT_KERNELS] = "kernels", [FAULT_EVENTS] = "events"};
    const struct held now = held_now();
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        if (kind != FAULT_PROGRAMS || !engines_live)
            compare(sweep, names[kind], before->handles[kind], now.handles[kind]);
    if (!engines_live)
        compare(sweep, "allocations", before->blocks, now.blocks);
}

/* -- many runs ------------------------------------------------------------------------------------ */

static void run_once(struct sweep *sweep, long at)
{
    sweep->at = at;
    sweep->reached = false;
    sweep->scenario->run(sweep);
}

/* Also checks that the layer and the allocators see what the library does, for else nothing would fail. */
static void open_env(struct sweep *sweep)
{
    SWEEP_OK(sweep, env_open(&sweep->env));
    SWEEP_CHECK(sweep, fault_layer_live(FAULT_CONTEXTS) > 0);
    SWEEP_CHECK(sweep, fault_alloc_live() > 0);
}

/* With an engine that all runs share: what one of them leaves behind, the next ones find. The first is
 * without a fault, so that nothing is new to the others. */
static long sweep_here(struct sweep *sweep)
{
    const struct held outside = held_now();
    long at = 0;
    open_env(sweep);
    run_once(sweep, -1);
    const struct held before = held_now();
    for (int lasting = 0; lasting <= 1; lasting++) {
        sweep->lasting = lasting;
        for (at = 0; at == 0 || sweep->reached; at++) {
            run_once(sweep, at);
            compare_held(sweep, &before, true);
        }
    }
    env_close(&sweep->env);
    compare_held(sweep, &outside, false);
    return at - 1;
}

/* One run in a process of its own, which holds the same at its end whatever has failed; whether its fault was
 * reached. No call of OpenCL has been made before, so that the child may. */
static bool run_apart(struct sweep *sweep, long at, struct held *before)
{
    enum { NOT_REACHED = 10, REACHED }; /* nothing else ends a process so */
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run_once(sweep, at);
        if (at < 0) {
            *before = held_now();
            open_env(sweep); /* which the scenario may do without */
            env_close(&sweep->env);
        }
        compare_held(sweep, before, true);
        exit(sweep->reached ? REACHED : NOT_REACHED);
    }
    sweep->at = at;
    SWEEP_CHECK(sweep, child > 0 && waitpid(child, &status, 0) == child);
    SWEEP_CHECK(sweep, WIFEXITED(status)); /* the child has not crashed */
    status = WEXITSTATUS(status);
    if (status != NOT_REACHED && status != REACHED) {
        char what[64];
        snprintf(what, sizeof what, "the process of this run ended with %d", status);
        sweep_wrong(sweep, what, __FILE__, __LINE__);
    }
    return status == REACHED;
}

static long sweep_apart(struct sweep *sweep)
{
    struct held *before =
        mmap(NULL, sizeof *before, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SWEEP_CHECK(sweep, before != MAP_FAILED);
    long at = 0;
    SWEEP_CHECK(sweep, !run_apart(sweep, -1, before));
    for (int lasting = 0; lasting <= 1; lasting++) {
        sweep->lasting = lasting;
        for (at = 0; run_apart(sweep, at, before);)
            at++;
    }
    munmap(before, sizeof *before);
    return at;
}

/* One run with that fault, to look at it. */
static void run_this(struct sweep *sweep, long at, bool lasting)
{
    if (!sweep->scenario->own_process) {
        SWEEP_OK(sweep, env_open(&sweep->env));
        run_once(sweep, -1);
    }
    sweep->lasting = lasting;
    run_once(sweep, at);
    env_close(&sweep->env);
}

static bool is_in_group(const struct scenario *scenario, const char *group)
{
    const size_t length = strlen(group);
    return strncmp(scenario->name, group, length) == 0 &&
           (scenario->name[length] == ' ' || scenario->name[length] == '\0');
}

int main(int count, char **arguments)
{
    struct sweep sweep = {.point = fault_alloc()};
    if (count < 3)
        return EXIT_FAILURE;
    if (strcmp(arguments[1], "opencl") == 0)
        sweep.point = fault_layer();

    size_t found = 0;
    long reached = 0;
    for (size_t i = 0; sweep_scenarios[i]; i++)
        for (sweep.scenario = sweep_scenarios[i]; sweep.scenario->name; sweep.scenario++) {
            if (!is_in_group(sweep.scenario, arguments[2]))
                continue;
            found++;
            sweep.lasting = false;
            memset(&sweep.env, 0, sizeof sweep.env);
            if (count > 3) {
                run_this(&sweep, strtol(arguments[3], NULL, 10), count > 4);
                continue;
            }
            const long calls =
                sweep.scenario->own_process ? sweep_apart(&sweep) : sweep_here(&sweep);
            printf("%s: %ld %s calls\n", sweep.scenario->name, calls, sweep.point->name);
            reached += calls;
        }
    /* There are groups that allocate nothing, and scenarios without a call of OpenCL, but no such group. */
    if (found > 0 && (reached > 0 || count > 3 || sweep.point == fault_alloc()))
        return EXIT_SUCCESS;
    fprintf(stderr, "no %s call was reached in the group '%s'\n", sweep.point->name, arguments[2]);
    return EXIT_FAILURE;
}
