/* world.c - the ranks of clsort-mpi, which agree on errors and print each once */
#include "world.h"

#include "print.h"
#include "progress.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool open_messages(struct world *world)
{
    world->messages = open_memstream(&world->text, &world->text_size);
    print_to(world->messages);
    return world->messages != NULL;
}

static void close_messages(struct world *world)
{
    print_to(NULL);
    if (world->messages != NULL)
        fclose(world->messages);
    free(world->text);
    world->messages = NULL;
    world->text = NULL;
}

bool world_start(struct world *world, int *argc, char ***argv)
{
    int provided;

    *world = (struct world){.messages = NULL};
    /* Open MPI 4.1 has two implementations of files. That of its own cannot open any with some C libraries, and it
     * creates other files in their folders, for shared positions. Other implementations of MPI ignore this variable. */
    setenv("OMPI_MCA_io", "^ompio", 0);
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL,
                        &world->node);
    MPI_Comm_rank(world->node, &world->node_rank);
    MPI_Comm_size(world->node, &world->node_size);
    return open_messages(world);
}

void world_end(struct world *world)
{
    close_messages(world);
    MPI_Comm_free(&world->node);
    MPI_Finalize();
}

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

/* Sends the messages of a rank to rank 0, which prints them. */
static void pass_messages(const struct world *world, int from, bool is_error)
{
    progress_end(); /* as print_error does */
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int size = (int)world->text_size + 1, length;
    char *text = world->text;

    if (world->rank == from && from > 0) {
        MPI_Get_processor_name(host, &length);
        MPI_Send(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(host, sizeof host, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        MPI_Send(text, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    if (world->rank > 0)
        return;
    if (from > 0) {
        MPI_Recv(&size, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(host, sizeof host, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        text = calloc((size_t)size, 1);
        if (text == NULL) /* the rank waits until its message is received */
            MPI_Abort(MPI_COMM_WORLD, EXIT_ERROR);
        MPI_Recv(text, size, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    print_messages(text, host, is_error ? from : 0);
    if (from > 0)
        free(text);
}

bool world_agree(struct world *world, bool done)
{
    int own[2], first[2]; /* the first rank that failed, and the first one that has messages */

    fflush(world->messages);
    own[0] = done ? world->size : world->rank;
    own[1] = world->text_size > 0 ? world->rank : world->size;
    MPI_Allreduce(own, first, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    const bool all_done = first[0] == world->size;
    const int from = all_done ? first[1] : first[0];
    if (from < world->size)
        pass_messages(world, from, !all_done);
    close_messages(world);
    if (open_messages(world))
        return all_done;
    MPI_Abort(MPI_COMM_WORLD, EXIT_ERROR); /* not even an error can be agreed on */
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

uint64_t world_sum(uint64_t number)
{
    uint64_t sum;

    MPI_Allreduce(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

uint64_t world_sum_before(uint64_t number)
{
    uint64_t sum;

    MPI_Scan(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum - number;
}

/* MPICH 4.0 takes the operands of MPI_MAX and MPI_MIN for signed numbers, also if they have the type MPI_UINT64_T. */
static uint64_t reduce(uint64_t number, MPI_Op operation)
{
    const int64_t own = (int64_t)number;
    int64_t result;

    MPI_Allreduce(&own, &result, 1, MPI_INT64_T, operation, MPI_COMM_WORLD);
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
    MPI_Comm same;
    int rank;

    MPI_Comm_split(world->node, color, world->node_rank, &same);
    MPI_Comm_rank(same, &rank);
    MPI_Comm_free(&same);
    return rank == 0;
}

uint64_t world_first(const struct world *world, uint64_t count, int rank)
{
    const uint64_t ranks = (uint64_t)world->size, number = (uint64_t)rank;
    const uint64_t rest = count % ranks;

    return count / ranks * number + (number < rest ? number : rest);
}
