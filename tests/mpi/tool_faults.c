/* tool_faults.c - runs clsort-mpi once for each fault on one rank: all ranks must end with the same status
 *
 *   clsort-test-mpi-tool_faults SOURCE RANK STEP EXPECTED OUTPUT ARGUMENT...
 *
 * SOURCE is alloc, mpi or opencl. In each run, one allocation of the tool, one call of MPI, or all calls of OpenCL from
 * one on fail on the rank; with alloc, also all allocations from one on. STEP is the distance between these. The
 * arguments are those of clsort-mpi, which writes OUTPUT, as in the file EXPECTED unless it fails. */
#include "alloc.h"
#include "failing_calls.h"
#include "layer.h"
#include "print.h"
#include "ranks_main.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_BYTES = 1 << 22,
    MAX_ARGUMENTS = 32,
    LATE_CALLS = 3 /* of MPI: the agreement before the output is replaced, and those after that */
};

static const char before[] = "before";
static const char *source;
static int rank, ranks, faulty, failures;
static FILE *errors; /* the standard error of this program; that of the tool is in a file */

/* -- MPI, which is initialized once --------------------------------------------------------------- */

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    *provided = required;
    return MPI_SUCCESS;
}

int MPI_Finalize(void)
{
    return MPI_SUCCESS;
}

/* -- faults --------------------------------------------------------------------------------------- */

static struct fault_point *point(void)
{
    return strcmp(source, "alloc") == 0 ? fault_alloc() : fault_layer();
}

static void arm(long at, bool is_lasting)
{
    if (strcmp(source, "mpi") == 0)
        calls_left = at + 1;
    else
        fault_arm(point(), at, is_lasting);
}

/* Returns whether the fault has occurred. */
static bool disarm(void)
{
    if (strcmp(source, "mpi") != 0)
        return fault_disarm(point());
    const bool has_failed = calls_left <= 0;
    calls_left = LONG_MAX;
    return has_failed;
}

/* -- files ---------------------------------------------------------------------------------------- */

static size_t read_file(const char *name, char *bytes)
{
    FILE *file = fopen(name, "rb");
    const size_t size = file ? fread(bytes, 1, MAX_BYTES, file) : 0;
    if (file)
        fclose(file);
    return size;
}

static bool has(const char *name, const char *bytes, size_t size)
{
    static char found[MAX_BYTES];
    return read_file(name, found) == size && memcmp(found, bytes, size) == 0;
}

static void reset(const char *output)
{
    FILE *file = fopen(output, "wb");
    if (!file || fputs(before, file) < 0 || fclose(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Returns whether the tool has printed one message. text: becomes what it has printed. */
static bool has_message(char text[MAX_BYTES + 1])
{
    text[read_file("messages.0", text)] = '\0';
    const char *line = strchr(text, '\n');
    return strncmp(text, "clsort-mpi: ", 12) == 0 && line && !strstr(line, "\nclsort-mpi: ");
}

/* -- runs ----------------------------------------------------------------------------------------- */

/* The outcome on one rank. */
struct outcome {
    int status;
    int reached;
    long leaks;
};

/* What must be true after the last call of MPI has failed: the other ranks do not know of it. */
static bool may_differ(const struct outcome *all)
{
    return strcmp(source, "mpi") == 0 && all[faulty].status == EXIT_ERROR;
}

/* Checks the outcomes of all ranks, on rank 0. is_late: the output may be complete although the status is that of an
 * error, since the last agreements have failed. */
static void check(const struct outcome *all, const char *output, const char *expected,
                  size_t expected_size, bool is_late, long at, bool is_lasting)
{
    static char text[MAX_BYTES + 1];
    const int status = all[0].status;
    const bool is_one_message = has_message(text);
    const char *wrong = NULL;
    for (int i = 0; i < ranks; i++) {
        if (all[i].status != status && !(is_late && may_differ(all)))
            wrong = "the statuses of the ranks differ";
        if (all[i].leaks != 0)
            wrong = "memory leaks";
    }
    const bool is_complete = has(output, expected, expected_size);
    const bool is_unchanged = has(output, before, sizeof before - 1);
    if (status != EXIT_SUCCESS && status != EXIT_ERROR)
        wrong = "the status is neither that of success nor that of an error";
    if (status != EXIT_SUCCESS && !all[faulty].reached)
        wrong = "the tool fails without a fault";
    if (status == EXIT_SUCCESS && !is_complete)
        wrong = "the output is wrong";
    if (status == EXIT_ERROR && !is_unchanged && !(is_late && is_complete))
        wrong = "the output has changed after an error";
    if (status == EXIT_ERROR && !is_one_message)
        wrong = "there is not one message";
    if (!wrong)
        return;
    fprintf(errors, "fault %ld%s: %s (statuses %d and %d): %s\n", at, is_lasting ? "+" : "", wrong,
            status, all[faulty].status, text);
    failures++;
}

static struct outcome run(int argc, char **argv, long at, bool is_lasting)
{
    char *arguments[MAX_ARGUMENTS + 1] = {NULL};
    memcpy(arguments, argv, (size_t)argc * sizeof *argv); /* which are permuted */
    if (ftruncate(STDERR_FILENO, 0) != 0 || lseek(STDERR_FILENO, 0, SEEK_SET) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const long live = fault_alloc_live();
    if (rank == faulty)
        arm(at, is_lasting);
    struct outcome outcome = {.status = ranks_main(argc, arguments)};
    outcome.reached = rank == faulty && disarm();
    outcome.leaks = fault_alloc_live() - live;
    return outcome;
}

/* Runs the tool with a fault. Returns whether it has occurred. */
static bool run_and_check(int argc, char **argv, const char *output, const char *expected,
                          size_t expected_size, long calls, long at, bool is_lasting)
{
    struct outcome *all = calloc((size_t)ranks, sizeof *all);
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        reset(output);
    PMPI_Barrier(MPI_COMM_WORLD);
    const struct outcome own = run(argc, argv, at, is_lasting);
    PMPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    if (rank == 0)
        check(all, output, expected, expected_size,
              strcmp(source, "mpi") == 0 && at >= calls - LATE_CALLS, at, is_lasting);
    const bool reached = all[faulty].reached;
    free(all);
    return reached;
}

/* Returns the number of calls of MPI on the rank if none fails; 0 for other sources. */
static long count_calls(int argc, char **argv)
{
    enum { MANY = 1000000 };
    char *arguments[MAX_ARGUMENTS + 1] = {NULL};
    memcpy(arguments, argv, (size_t)argc * sizeof *argv);
    long calls = 0;
    if (strcmp(source, "mpi") != 0)
        return 0;
    calls_left = MANY;
    const int status = ranks_main(argc, arguments);
    calls = MANY - calls_left;
    calls_left = LONG_MAX;
    if (status != EXIT_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    PMPI_Bcast(&calls, 1, MPI_LONG, faulty, MPI_COMM_WORLD);
    return calls;
}

static void redirect(void)
{
    char name[32];
    const int copy = dup(STDERR_FILENO);
    snprintf(name, sizeof name, "messages.%d", rank);
    const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    errors = fdopen(copy, "w");
    if (copy < 0 || file < 0 || !errors || dup2(file, STDERR_FILENO) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(file);
}

int main(int argc, char **argv)
{
    static char expected[MAX_BYTES];
    int provided;
    PMPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    source = argv[1];
    faulty = atoi(argv[2]);
    const long step = atol(argv[3]);
    const size_t size = read_file(argv[4], expected);
    const char *output = argv[5];
    char **arguments = argv + 5; /* the name of the output is in the place of that of the program */
    const int count = argc - 5;
    print_start("clsort-mpi");
    redirect();
    const long calls = count_calls(count, arguments);
    long at = 0;
    for (int lasting = strcmp(source, "opencl") == 0; lasting <= (strcmp(source, "mpi") != 0);
         lasting++)
        for (at = 0; run_and_check(count, arguments, output, expected, size, calls, at, lasting);)
            at += step;
    if (rank == 0)
        fprintf(errors, "%s on rank %d: %ld faults\n", source, faulty, at);
    if (at == 0)
        failures++; /* the calls are not intercepted */
    PMPI_Bcast(&failures, 1, MPI_INT, 0, MPI_COMM_WORLD);
    PMPI_Finalize();
    return failures > 0;
}
