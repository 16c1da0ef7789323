/* exchange.c - moves parts of arrays between all ranks, point to point
 *
 * In round s, each rank sends to the rank that is s after it, and receives from the one that is s before it, so that no
 * rank is the target of several others at once. These shifts share no link of a fat-tree with D-mod-K routing (Zahavi,
 * Johnson, Kerbyson and Lang, "Optimized InfiniBand fat-tree routing for shift all-to-all communication patterns",
 * Concurrency and Computation 22(2), 2010); perfect matchings (the 1-factor algorithm) do, and are slower there. Rounds
 * overlap: each rank works on its sends and on its receives in the order of the rounds, and posts the next message as
 * soon as one of those in flight is complete. The oldest message of the earliest round that is not complete is posted
 * by both of its ranks, so that there is always one that makes progress. */
#include "mpi/exchange.h"

#include "base/arithmetic.h"

enum { TAG = 1 };

/* The sends or the receives of this rank, in the order of rounds, arrays and offsets. */
struct lane {
    const struct cls_ranks *ranks;
    const struct cls_exchange_parts *parts;
    const struct cls_exchange_array *arrays;
    size_t count;
    bool is_send;
    int round; /* the next message is the one at this offset of the part */
    size_t array;
    uint64_t offset;
};

struct message {
    int partner, bytes;
    const char *from;
    char *to;
};

/* Takes the next message. Returns false if there are no more. */
static bool next_message(struct lane *lane, struct message *message)
{
    for (; lane->round < lane->ranks->size; lane->round++, lane->array = 0) {
        const int partner = lane->is_send ? cls_exchange_target(lane->ranks, lane->round)
                                          : cls_exchange_source(lane->ranks, lane->round);
        const struct cls_exchange_parts *parts = lane->parts;
        const uint64_t elements = lane->is_send
                                      ? parts->send_first[partner + 1] - parts->send_first[partner]
                                      : parts->receive_count[partner];
        for (; lane->array < lane->count; lane->array++, lane->offset = 0) {
            const struct cls_exchange_array *array = &lane->arrays[lane->array];
            const uint64_t bytes = elements * array->element_bytes, offset = lane->offset;
            if (offset == bytes)
                continue;
            const uint64_t length = cls_min(bytes - offset, lane->ranks->max_message_bytes);
            *message = (struct message){.partner = partner, .bytes = (int)length};
            if (lane->is_send)
                message->from =
                    array->from + parts->send_first[partner] * array->element_bytes + offset;
            else
                message->to =
                    array->to + parts->receive_first[partner] * array->element_bytes + offset;
            lane->offset += length;
            return true;
        }
    }
    return false;
}

/* Posts the next message of a lane, if it has one, in a free slot. */
static void post(struct cls_ranks *ranks, struct lane *lane, MPI_Request *slot,
                 clsort_status *status)
{
    struct message message;
    if (!next_message(lane, &message))
        return;
    const int code = lane->is_send ? MPI_Isend(message.from, message.bytes, MPI_BYTE,
                                               message.partner, TAG, ranks->comm, slot)
                                   : MPI_Irecv(message.to, message.bytes, MPI_BYTE, message.partner,
                                               TAG, ranks->comm, slot);
    const clsort_status posted =
        cls_ranks_called(ranks, lane->is_send ? "MPI_Isend" : "MPI_Irecv", code);
    if (*status == CLSORT_OK)
        *status = posted;
}

clsort_status cls_exchange(struct cls_ranks *ranks, const struct cls_exchange_parts *parts,
                           const struct cls_exchange_array *arrays, size_t count)
{
    MPI_Request slots[2 * CLS_MAX_IN_FLIGHT];
    struct lane lanes[2];
    clsort_status status = CLSORT_OK;
    for (int i = 0; i < 2; i++)
        lanes[i] = (struct lane){ranks, parts, arrays, count, i == 1, 1, 0, 0};
    for (int i = 0; i < 2 * CLS_MAX_IN_FLIGHT; i++) {
        slots[i] = MPI_REQUEST_NULL;
        post(ranks, &lanes[i / CLS_MAX_IN_FLIGHT], &slots[i], &status);
    }
    for (;;) {
        int done = MPI_UNDEFINED;
        const clsort_status waited =
            cls_ranks_called(ranks, "MPI_Waitany",
                             MPI_Waitany(2 * CLS_MAX_IN_FLIGHT, slots, &done, MPI_STATUS_IGNORE));
        if (status == CLSORT_OK)
            status = waited;
        if (done == MPI_UNDEFINED)
            return status;
        slots[done] = MPI_REQUEST_NULL; /* also after a failure */
        post(ranks, &lanes[done / CLS_MAX_IN_FLIGHT], &slots[done], &status);
    }
}

clsort_status cls_exchange_round(struct cls_ranks *ranks, int round, const char *from,
                                 uint64_t send_bytes, char *to, uint64_t receive_bytes)
{
    const int target = cls_exchange_target(ranks, round);
    const int source = cls_exchange_source(ranks, round);
    clsort_status status = CLSORT_OK;
    while (send_bytes > 0 || receive_bytes > 0) {
        const uint64_t sent = cls_min(send_bytes, ranks->max_message_bytes);
        const uint64_t received = cls_min(receive_bytes, ranks->max_message_bytes);
        const clsort_status exchanged = cls_ranks_called(
            ranks, "MPI_Sendrecv",
            MPI_Sendrecv(from, (int)sent, MPI_BYTE, sent > 0 ? target : MPI_PROC_NULL, TAG, to,
                         (int)received, MPI_BYTE, received > 0 ? source : MPI_PROC_NULL, TAG,
                         ranks->comm, MPI_STATUS_IGNORE));
        if (status == CLSORT_OK)
            status = exchanged;
        from += sent;
        send_bytes -= sent;
        to += received;
        receive_bytes -= received;
    }
    return status;
}
