/* sweep.c - fault sweeps of the scenarios of a group: sweep opencl|alloc GROUP [N [lasting]]
 *
 * With N it makes only the run in which call N fails, to debug a failure; "lasting" makes all later calls fail, too. */
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

static bool is_allowed(const struct sweep *sweep, clsort_status status)
{
    if (status == CLSORT_OK)
        return true;
    if (!sweep->reached)
        return false;
    return status == sweep->scenario->other_allowed ||
           (sweep->point == fault_alloc() ? status == CLSORT_E_MEMORY
                                          : fault_layer_returned(status));
}

bool sweep_judge(struct sweep *sweep, clsort_status status)
{
    sweep->reached = fault_disarm(sweep->point);
    if (!is_allowed(sweep, status)) {
        char what[128];
        snprintf(what, sizeof what,
                 "the call returned %d, %s, which is neither success nor the fault's status",
                 status, clsort_status_string(status));
        sweep_wrong(sweep, what, __FILE__, __LINE__);
    }
    size_t size = 0;
    SWEEP_OK(sweep, clsort_last_error(NULL, 0, NULL, &size));
    SWEEP_CHECK(sweep, (size > 1) == (status != CLSORT_OK));
    return status == CLSORT_OK;
}

bool sweep_judge_object(struct sweep *sweep, clsort_status status, const void *object)
{
    const bool success = sweep_judge(sweep, status);
    SWEEP_CHECK(sweep, (object != NULL) == success);
    return success;
}

_Noreturn void sweep_wrong(const struct sweep *sweep, const char *what, const char *file, int line)
{
    const char *reached = atomic_load(&sweep->point->reached);
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n  in the scenario '%s', in which %s call %ld (%s) fails%s\n", file,
            line, what, sweep->scenario->name, sweep->point->name, sweep->at,
            reached ? reached : "not reached in this process",
            sweep->lasting ? ", as do all later calls" : "");
    _Exit(EXIT_FAILURE);
}

void sweep_ok(const struct sweep *sweep, clsort_status status, const char *call, const char *file,
              int line)
{
    char what[512];
    if (status == CLSORT_OK)
        return;
    snprintf(what, sizeof what, "%s returned %d, %s", call, status, clsort_status_string(status));
    sweep_wrong(sweep, what, file, line);
}

/* -- leaks --------------------------------------------------------------------------------------- */

/* The number of live handles of each kind, and of live allocations. */
struct live {
    long handles[FAULT_KINDS];
    long allocations;
};

static struct live live_now(void)
{
    struct live live = {.allocations = fault_alloc_live()};
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        live.handles[kind] = fault_layer_live(kind);
    return live;
}

static void compare(const struct sweep *sweep, const char *what, long before, long after)
{
    char text[128];
    if (before == after)
        return;
    snprintf(text, sizeof text, "the number of live %s is %ld, and was %ld before the run", what,
             after, before);
    sweep_wrong(sweep, text, __FILE__, __LINE__);
}

/* Checks that nothing leaks. A live engine may have stored more programs and verdicts. */
static void compare_live(const struct sweep *sweep, const struct live *before, bool engines_live)
{
    static const char *const names[FAULT_KINDS] = {
        [FAULT_CONTEXTS] = "contexts", [FAULT_QUEUES] = "queues",   [FAULT_BUFFERS] = "buffers",
        [FAULT_PROGRAMS] = "programs", [FAULT_KERNELS] = "kernels", [FAULT_EVENTS] = "events"};
    const struct live now = live_now();
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        if (kind != FAULT_PROGRAMS || !engines_live)
            compare(sweep, names[kind], before->handles[kind], now.handles[kind]);
    if (!engines_live)
        compare(sweep, "allocations", before->allocations, now.allocations);
}

/* -- sweeps --------------------------------------------------------------------------------------- */

static void run_once(struct sweep *sweep, long at)
{
    sweep->at = at;
    sweep->reached = false;
    sweep->scenario->run(sweep);
}

/* Also checks that the layer and the wrapped allocators are in use. Otherwise no call would fail. */
static void open_env(struct sweep *sweep)
{
    SWEEP_OK(sweep, env_open(&sweep->env));
    SWEEP_CHECK(sweep, fault_layer_live(FAULT_CONTEXTS) > 0);
    SWEEP_CHECK(sweep, fault_alloc_live() > 0);
}

/* Sweeps in this process, with an engine that all runs share. The first run has no fault, so that the engine has
 * compiled all programs before the others. Returns the number of calls that can fail. */
static long sweep_here(struct sweep *sweep)
{
    const struct live outside = live_now();
    long at = 0;
    open_env(sweep);
    run_once(sweep, -1);
    const struct live before = live_now();
    for (int lasting = 0; lasting <= 1; lasting++) {
        sweep->lasting = lasting;
        for (at = 0; at == 0 || sweep->reached; at++) {
            run_once(sweep, at);
            compare_live(sweep, &before, true);
        }
    }
    env_close(&sweep->env);
    compare_live(sweep, &outside, false);
    return at - 1;
}

/* Makes a run in a child process and returns whether its fault was reached. The run without a fault sets *before to
 * what is live at its end; the others must equal it. The parent makes no OpenCL calls, because drivers need not work
 * in a child of a process that has used them. */
static bool run_apart(struct sweep *sweep, long at, struct live *before)
{
    enum { NOT_REACHED = 10, REACHED }; /* exit statuses that nothing else uses */
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run_once(sweep, at);
        if (at < 0) {
            *before = live_now();
            open_env(sweep); /* checks that the layer is in use */
            env_close(&sweep->env);
        }
        compare_live(sweep, before, true);
        exit(sweep->reached ? REACHED : NOT_REACHED);
    }
    sweep->at = at;
    SWEEP_CHECK(sweep, child > 0 && waitpid(child, &status, 0) == child);
    SWEEP_CHECK(sweep, WIFEXITED(status)); /* the child has not crashed */
    status = WEXITSTATUS(status);
    if (status != NOT_REACHED && status != REACHED) {
        char what[64];
        snprintf(what, sizeof what, "the process of this run exited with status %d", status);
        sweep_wrong(sweep, what, __FILE__, __LINE__);
    }
    return status == REACHED;
}

/* Sweeps in child processes. Returns the number of calls that can fail. */
static long sweep_apart(struct sweep *sweep)
{
    struct live *before =
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

/* Makes only the run with this fault, in this process, for a debugger. */
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
    if (count < 3) {
        fprintf(stderr, "usage: %s opencl|alloc GROUP [N [lasting]]\n", arguments[0]);
        return EXIT_FAILURE;
    }
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
    /* Some groups allocate nothing, but every group makes OpenCL calls. */
    if (found > 0 && (reached > 0 || count > 3 || sweep.point == fault_alloc()))
        return EXIT_SUCCESS;
    fprintf(stderr, "the group '%s' has %zu scenarios, which make no %s calls\n", arguments[2],
            found, sweep.point->name);
    return EXIT_FAILURE;
}
