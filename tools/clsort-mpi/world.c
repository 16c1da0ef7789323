/* world.c - the ranks of clsort-mpi, which agree on errors and print each once */
#include "world.h"

#include "print.h"
#include "progress.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* -- errors of MPI ----------------------------------------------------------------------------- */

/* The first error of a function of MPI, which the ranks have not agreed on when it occurs. */
static char failure[MPI_MAX_ERROR_STRING + 64];

bool world_called(const char *function, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;

    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, text, &length);
    if (failure[0] == '\0')
        snprintf(failure, sizeof failure, "%s failed: %s", function, text);
    return false;
}

bool world_check(const char *subject, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (code == MPI_SUCCESS)
        return true;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        snprintf(text, sizeof text, "MPI error %d", code);
    print_error(subject, "%s", text);
    return false;
}

/* -- start and end ----------------------------------------------------------------------------- */

/* Finds the ranks of this node. */
static void find_node(struct world *world)
{
    if (!world_called("MPI_Comm_split_type",
                      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world->rank,
                                          MPI_INFO_NULL, &world->node)))
        return;
    MPI_Comm_set_errhandler(world->node, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world->node, &world->node_rank);
    MPI_Comm_size(world->node, &world->node_size);
}

bool world_start(struct world *world, int *argc, char ***argv)
{
    int provided;

    *world = (struct world){.size = 1, .node = MPI_COMM_NULL, .node_size = 1};
    /* Open MPI 4.1 has two implementations of files. That of its own cannot open any with some C libraries, and it
     * creates other files in their folders, for shared positions. Other implementations of MPI ignore this variable. */
    setenv("OMPI_MCA_io", "^ompio", 0);
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED,
                    &provided); /* MPI's default error handler aborts on failure */
    failure[0] = '\0';
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->size);
    find_node(world);
    world->messages = open_memstream(&world->text, &world->text_size);
    print_to(world->messages);
    return world_agree(world, world->messages != NULL);
}

void world_end(struct world *world)
{
    print_to(NULL);
    if (world->messages != NULL)
        fclose(world->messages);
    free(world->text);
    if (world->node != MPI_COMM_NULL)
        MPI_Comm_free(&world->node);
    MPI_Finalize();
}

/* -- agreement --------------------------------------------------------------------------------- */

/* Prints the messages of a rank. Those about the whole program need not name the rank: they are of rank 0. */
static void print_messages(char *text, const char *host, int rank)
{
    char *line, *rest = text;

    while (rank > 0 && (line = strtok_r(rest, "\n", &rest)) != NULL) {
        const size_t program = strcspn(line, " ");

        fprintf(stderr, "%.*s rank %d on %s:%s\n", (int)program, line, rank, host, line + program);
    }
    if (rank == 0)
        fputs(text, stderr);
}

/* Prints an error of a rank that has no memory for a message. */
static void print_bare_error(const struct world *world, int rank)
{
    char subject[32];

    snprintf(subject, sizeof subject, "rank %d", rank);
    print_to(NULL);
    print_error(subject, "out of memory");
    print_to(world->messages);
}

enum { MAX_TEXT = 1 << 16 }; /* longer messages are cut */

/* Sends the messages of a rank to rank 0, which prints them. No memory is allocated, since that could fail. */
static void pass_messages(const struct world *world, size_t size, int from, bool is_error)
{
    static char received[MAX_TEXT];
    char host[MPI_MAX_PROCESSOR_NAME] = "", *text = world->text;
    int length;

    progress_end(); /* as print_error does */
    if (world->rank == from && from > 0) {
        MPI_Get_processor_name(host, &length);
        world_called("MPI_Send", MPI_Send(host, sizeof host, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
        world_called("MPI_Send", MPI_Send(text, (int)(size < MAX_TEXT ? size : MAX_TEXT - 1),
                                          MPI_CHAR, 0, 0, MPI_COMM_WORLD));
    }
    if (world->rank > 0)
        return;
    if (from > 0) {
        memset(received, 0, sizeof received);
        world_called("MPI_Recv", MPI_Recv(host, sizeof host, MPI_CHAR, from, 0, MPI_COMM_WORLD,
                                          MPI_STATUS_IGNORE));
        world_called("MPI_Recv", MPI_Recv(received, sizeof received - 1, MPI_CHAR, from, 0,
                                          MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        text = received;
        size = strlen(received);
    }
    if (size == 0)
        print_bare_error(world, from);
    else
        print_messages(text, host, is_error ? from : 0);
}

bool world_agree(struct world *world, bool done)
{
    int own[2], first[2]; /* the first rank that failed, and the first one that has messages */

    if (failure[0] != '\0' && done)
        print_error("MPI", "%s", failure);
    done = done && failure[0] == '\0';
    if (world->messages != NULL)
        fflush(world->messages);
    const size_t size = world->text != NULL ? world->text_size : 0;
    if (size > 0)
        world->text[size] = '\0'; /* that of a longer message may follow */
    own[0] = first[0] = done ? world->size : world->rank;
    own[1] = first[1] = size > 0 ? world->rank : world->size;
    world_called("MPI_Allreduce", MPI_Allreduce(own, first, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    const bool all_done = first[0] == world->size;
    const int from = all_done ? first[1] : first[0];
    if (from < world->size)
        pass_messages(world, size, from, !all_done);
    if (world->messages != NULL)
        rewind(world->messages);
    return all_done;
}

/* -- reductions -------------------------------------------------------------------------------- */

uint64_t world_sum(uint64_t number)
{
    uint64_t sum = number;

    world_called("MPI_Allreduce",
                 MPI_Allreduce(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD));
    return sum;
}

uint64_t world_sum_before(uint64_t number)
{
    uint64_t sum = number;

    world_called("MPI_Scan", MPI_Scan(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD));
    return sum - number;
}

/* MPICH 4.0 takes the operands of MPI_MAX and MPI_MIN for signed numbers, also if they have the type MPI_UINT64_T. */
static uint64_t reduce(uint64_t number, MPI_Op operation)
{
    const int64_t own = (int64_t)number;
    int64_t result = own;

    world_called("MPI_Allreduce",
                 MPI_Allreduce(&own, &result, 1, MPI_INT64_T, operation, MPI_COMM_WORLD));
    return (uint64_t)result;
}

uint64_t world_max(uint64_t number)
{
    return reduce(number, MPI_MAX);
}

uint64_t world_min(uint64_t number)
{
    return reduce(number, MPI_MIN);
}

bool world_is_first(const struct world *world, uint64_t kind)
{
    const int color = (int)(kind % INT_MAX); /* two kinds that share one wait for each other */
    MPI_Comm same = MPI_COMM_NULL;
    int rank = 0;

    world_called("MPI_Comm_split", MPI_Comm_split(world->node, color, world->node_rank, &same));
    if (same != MPI_COMM_NULL) {
        MPI_Comm_rank(same, &rank);
        MPI_Comm_free(&same);
    }
    return rank == 0;
}

uint64_t world_first(const struct world *world, uint64_t count, int rank)
{
    const uint64_t ranks = (uint64_t)world->size, number = (uint64_t)rank;
    const uint64_t rest = count % ranks;

    return count / ranks * number + (number < rest ? number : rest);
}
