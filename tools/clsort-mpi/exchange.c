/* exchange.c - clsort-mpi: passes parts of the sorted runs to the ranks that merge them */
#include "exchange.h"

#include "print.h"
#include "progress.h"
#include "temporary.h"

#include <stdlib.h>
#include <unistd.h>

enum { PIECE = 4 << 20 /* bytes of a message */ };

/* -- lengths of parts -------------------------------------------------------------------------- */

/* Lists the parts that this rank merges. lengths[r * max_runs + i]: elements of run i of rank r. */
static bool list_parts(struct received *received, const struct task *task, size_t size,
                       const struct sorted_runs *runs, const uint64_t *cuts,
                       const uint64_t *lengths, size_t max_runs)
{
    const size_t ranks = (size_t)task->world.size, rank = (size_t)task->world.rank;
    uint64_t offset = 0;

    received->parts = calloc(ranks * max_runs + 1, sizeof *received->parts);
    if (received->parts == NULL) {
        print_error(received->folder, "out of memory");
        return false;
    }
    for (size_t i = 0; i < ranks * max_runs; i++) {
        const bool is_own = i / max_runs == rank;
        struct external_input *part = &received->parts[received->count];

        if (lengths[i] == 0)
            continue;
        *part = (struct external_input){received->folder, is_own ? runs->fd : received->fd, offset,
                                        lengths[i]};
        if (is_own)
            part->offset = cuts[rank * runs->count + i % max_runs] * size;
        else
            offset += lengths[i] * size;
        received->elements += lengths[i];
        received->count++;
    }
    received->bytes = offset;
    return true;
}

/* Tells all ranks how long the parts of this rank's runs are. lengths: space for twice the runs of all ranks; becomes
 * those of the parts that this rank merges. */
static void exchange_lengths(const struct world *world, const struct sorted_runs *runs,
                             const uint64_t *cuts, size_t max_runs, uint64_t *lengths)
{
    uint64_t *own = lengths + (size_t)world->size * max_runs;

    for (size_t r = 0; r < (size_t)world->size; r++)
        for (size_t i = 0; i < runs->count; i++)
            own[r * max_runs + i] = cuts[(r + 1) * runs->count + i] - cuts[r * runs->count + i];
    world_called("MPI_Alltoall", MPI_Alltoall(own, (int)max_runs, MPI_UINT64_T, lengths,
                                              (int)max_runs, MPI_UINT64_T, MPI_COMM_WORLD));
}

/* -- pieces ------------------------------------------------------------------------------------ */

/* The parts of all runs that one rank merges, one behind the other. */
struct sender {
    const struct sorted_runs *runs;
    const uint64_t *from, *to; /* of each run: as indexes of bytes in the file */
    size_t run;
    uint64_t at; /* bytes of the part of this run that have been read */
};

/* Reads the next piece. Returns its size. */
static size_t read_piece(struct sender *sender, unsigned char *piece, bool *done)
{
    const struct sorted_runs *runs = sender->runs;
    size_t filled = 0;

    while (filled < PIECE && sender->run < runs->count) {
        const uint64_t from = sender->from[sender->run] + sender->at;
        const uint64_t left = sender->to[sender->run] - from;
        const size_t part = left < PIECE - filled ? (size_t)left : PIECE - filled;

        *done = *done && sorted_runs_read(runs, 1, from, part, piece + filled);
        filled += part;
        sender->at += part;
        if (part == left) {
            sender->run++;
            sender->at = 0;
        }
    }
    return filled;
}

/* Returns the bytes that a rank sends to this one. */
static uint64_t bytes_from(const uint64_t *lengths, size_t max_runs, size_t size, int rank)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < max_runs; i++)
        sum += lengths[(size_t)rank * max_runs + i] * size;
    return sum;
}

/* Where the pieces of one rank go. */
struct receiver {
    const struct received *received;
    uint64_t offset; /* in the file */
    uint64_t left;
};

/* Sends all pieces to one rank and receives those of another one. An error on this rank ends neither, since the other
 * ranks wait for them. */
static void exchange_pieces(struct sender *sender, int to, uint64_t sent, struct receiver *receiver,
                            int from, unsigned char *pieces, bool *done)
{
    const struct received *received = receiver->received;

    while (sent > 0 || receiver->left > 0) {
        const size_t out = read_piece(sender, pieces, done);
        const size_t in = receiver->left < PIECE ? (size_t)receiver->left : PIECE;

        world_called("MPI_Sendrecv",
                     MPI_Sendrecv(pieces, (int)out, MPI_BYTE, out > 0 ? to : MPI_PROC_NULL, 0,
                                  pieces + PIECE, (int)in, MPI_BYTE, in > 0 ? from : MPI_PROC_NULL,
                                  0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        *done = *done &&
                write_fully(received->folder, received->fd, receiver->offset, pieces + PIECE, in);
        sent -= out;
        receiver->offset += in;
        receiver->left -= in;
        progress_add(in);
    }
}

/* Copies cuts as indexes of bytes. */
static void scale(uint64_t *bytes, const uint64_t *cuts, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = cuts[i] * size;
}

/* What the ranks allocate before they exchange anything, so that none waits for one that cannot. */
struct space {
    uint64_t *lengths; /* of exchange_lengths */
    uint64_t *bounds;  /* of the parts of one rank in each run, as indexes of bytes */
    unsigned char *pieces;
};

static bool allocate(struct space *space, const struct received *received, size_t lengths,
                     size_t bounds)
{
    space->lengths = calloc(lengths + 1, sizeof *space->lengths);
    space->bounds = calloc(bounds + 1, sizeof *space->bounds);
    space->pieces = malloc(2 * PIECE);
    if (space->lengths != NULL && space->bounds != NULL && space->pieces != NULL)
        return true;
    print_error(received->folder, "out of memory");
    return false;
}

static void release(struct space *space)
{
    free(space->lengths);
    free(space->bounds);
    free(space->pieces);
}

/* Exchanges all pieces: in step s with the ranks that are s before and behind this one. */
static bool exchange_all(const struct received *received, const struct task *task, size_t size,
                         const struct sorted_runs *runs, const uint64_t *cuts,
                         const struct space *space, size_t max_runs)
{
    const int ranks = task->world.size, rank = task->world.rank;
    uint64_t *bounds = space->bounds;
    bool done = true;

    for (int s = 1; s < ranks; s++) {
        const int to = (rank + s) % ranks, from = (rank + ranks - s) % ranks;
        struct sender sender = {.runs = runs, .from = bounds, .to = bounds + runs->count};
        struct receiver receiver = {.received = received,
                                    .left = bytes_from(space->lengths, max_runs, size, from)};
        uint64_t sent = 0;

        scale(bounds, cuts + (size_t)to * runs->count, 2 * runs->count, size);
        for (size_t i = 0; i < runs->count; i++)
            sent += sender.to[i] - sender.from[i];
        for (int r = 0; r < from; r++)
            receiver.offset += r == rank ? 0 : bytes_from(space->lengths, max_runs, size, r);
        exchange_pieces(&sender, to, sent, &receiver, from, space->pieces, &done);
    }
    return done;
}

bool exchange_parts(struct received *received, struct task *task, size_t size,
                    const struct sorted_runs *runs, const uint64_t *cuts)
{
    struct world *world = &task->world;
    const size_t max_runs = (size_t)world_max(runs->count);
    struct space space = {.lengths = NULL};

    *received = (struct received){.folder = temporary_folder(task)};
    received->fd = temporary_open_removed(received->folder);
    if (received->fd < 0)
        print_errno(received->folder);
    bool done = world_agree(
        world, received->fd >= 0 &&
                   allocate(&space, received, 2 * (size_t)world->size * max_runs, 2 * runs->count));
    if (done) {
        exchange_lengths(world, runs, cuts, max_runs, space.lengths);
        done = world_agree(world,
                           list_parts(received, task, size, runs, cuts, space.lengths, max_runs));
    }
    progress_phase("exchanging", received->bytes);
    done = done &&
           world_agree(world, exchange_all(received, task, size, runs, cuts, &space, max_runs));
    release(&space);
    return done;
}

void exchange_free(struct received *received)
{
    if (received->fd >= 0)
        close(received->fd);
    free(received->parts);
    *received = (struct received){.fd = -1};
}
