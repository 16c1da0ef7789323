/* io_ring.c - clsort-external: reads and writes by io_uring
 *
 * The kernel transfers while the calling thread sorts. Containers and kernels may forbid io_uring; the queue then
 * cannot be created, and threads take over.
 *
 * The kernel has `pending` requests, whose memory is in use until their completions have been taken. No error of a call
 * therefore ends the wait for these. A request of which a part is missing is appended to a list and submitted again. */
#include "io.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

enum {
    ENTRIES =
        1024, /* requests that the kernel has at a time: blocks of a run, and of a chunk that is read */
    MAX_SIZE = 1 << 30 /* bytes of a transfer, since its size has 32 bits */
};

struct queue {
    struct io_uring ring;
    unsigned pending;
    struct io_request *first, **last; /* requests that have to be submitted */
    int error; /* of io_uring_enter, after which nothing is submitted; 0: none */
};

/* Submits an entry that does nothing, because calls may be forbidden although a ring could be created. */
static bool can_submit(struct io_uring *ring)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(ring);
    struct io_uring_cqe *completion;

    if (entry == NULL)
        return false;
    io_uring_prep_nop(entry);
    if (io_uring_submit_and_wait(ring, 1) != 1 || io_uring_peek_cqe(ring, &completion) != 0)
        return false;
    io_uring_cqe_seen(ring, completion);
    return true;
}

static void *create(void)
{
    struct queue *queue = calloc(1, sizeof *queue);
    const int result = queue == NULL ? -ENOMEM : io_uring_queue_init(ENTRIES, &queue->ring, 0);
    struct io_uring_probe *probe = result < 0 ? NULL : io_uring_get_probe_ring(&queue->ring);
    const bool is_supported = probe != NULL && io_uring_opcode_supported(probe, IORING_OP_READ) &&
                              io_uring_opcode_supported(probe, IORING_OP_WRITE) &&
                              can_submit(&queue->ring);

    if (probe != NULL)
        io_uring_free_probe(probe);
    if (is_supported) {
        queue->last = &queue->first;
        return queue;
    }
    if (result >= 0)
        io_uring_queue_exit(&queue->ring);
    free(queue);
    errno = result < 0 ? -result : ENOSYS;
    return NULL;
}

static void append(struct queue *queue, struct io_request *request)
{
    request->next = NULL;
    *queue->last = request;
    queue->last = &request->next;
}

/* Waits for a completion, and completes its request or appends the rest of it to the list. A wait that has failed is
 * repeated, which finds completions without a call, too. */
static void take_completion(struct queue *queue)
{
    struct io_uring_cqe *entry;
    int result;

    while ((result = io_uring_wait_cqe(&queue->ring, &entry)) != 0) {
        if (result == -EINTR)
            continue;
        if (result != -EAGAIN && result != -EBUSY && queue->error == 0)
            queue->error = -result;
        io_pause();
    }
    struct io_request *request = io_uring_cqe_get_data(entry);
    const int transferred = entry->res;
    io_uring_cqe_seen(&queue->ring, entry);
    queue->pending--;
    request->is_complete = io_advance(request, transferred);
    if (!request->is_complete)
        append(queue, request);
}

/* Makes the kernel take the entries of the ring. If it is short of memory, completions are taken first. Returns an
 * error number, or 0. */
static int enter(struct queue *queue)
{
    for (int retries = 0;;) {
        const int result = io_uring_submit(&queue->ring);

        if (result > 0)
            return 0;
        if (result == -EINTR)
            continue;
        if (result != 0 && result != -EAGAIN && result != -EBUSY)
            return -result;
        if (queue->pending > 0)
            take_completion(queue);
        else if (++retries <= IO_MAX_RETRIES)
            io_pause();
        else
            return EAGAIN;
    }
}

/* Hands the rest of a request to the kernel. After an error, which leaves the entry in the ring, all requests fail. */
static void submit(struct queue *queue, struct io_request *request)
{
    struct io_uring_sqe *entry = queue->error == 0 ? io_uring_get_sqe(&queue->ring) : NULL;
    const size_t left = request->size - request->done;
    const unsigned size = left < MAX_SIZE ? (unsigned)left : MAX_SIZE;
    unsigned char *data = request->data + request->done;
    const uint64_t offset = request->offset + request->done;

    if (entry != NULL) {
        if (request->is_write)
            io_uring_prep_write(entry, request->fd, data, size, offset);
        else
            io_uring_prep_read(entry, request->fd, data, size, offset);
        io_uring_sqe_set_data(entry, request);
        const int error = enter(queue);
        if (error == 0) {
            queue->pending++;
            return;
        }
        queue->error = error;
    }
    request->error = queue->error != 0 ? queue->error : EAGAIN;
    request->is_complete = true;
}

static void submit_all(struct queue *queue)
{
    struct io_request *request;

    while ((request = queue->first) != NULL) {
        queue->first = request->next;
        if (queue->first == NULL)
            queue->last = &queue->first;
        while (queue->pending >= ENTRIES)
            take_completion(queue);
        submit(queue, request);
    }
}

static void start(void *argument, struct io_request *request)
{
    struct queue *queue = argument;

    append(queue, request);
    submit_all(queue);
}

static void wait_for(void *argument, struct io_request *request)
{
    while (!request->is_complete) {
        take_completion(argument);
        submit_all(argument);
    }
}

static void destroy(void *argument)
{
    struct queue *queue = argument;

    while (queue->pending > 0)
        take_completion(queue);
    io_uring_queue_exit(&queue->ring);
    free(queue);
}

const struct io_backend io_ring = {"uring", create, destroy, start, wait_for};
