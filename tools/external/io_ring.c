/* io_ring.c - clsort-external: reads and writes by io_uring
 *
 * The kernel transfers while the calling thread sorts. Containers and kernels may forbid io_uring; the queue then
 * cannot be created, and threads take over. */
#include "io.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

enum { ENTRIES = 256 /* requests that the kernel has at a time */ };

struct queue {
    struct io_uring ring;
    unsigned pending;
    int error; /* of io_uring_enter; 0: none */
};

static void *create(void)
{
    struct queue *queue = calloc(1, sizeof *queue);
    const int result = queue == NULL ? -ENOMEM : io_uring_queue_init(ENTRIES, &queue->ring, 0);
    struct io_uring_probe *probe = result < 0 ? NULL : io_uring_get_probe_ring(&queue->ring);
    const bool is_supported = probe != NULL && io_uring_opcode_supported(probe, IORING_OP_READ) &&
                              io_uring_opcode_supported(probe, IORING_OP_WRITE);

    if (probe != NULL)
        io_uring_free_probe(probe);
    if (is_supported)
        return queue;
    if (result >= 0)
        io_uring_queue_exit(&queue->ring);
    free(queue);
    errno = result < 0 ? -result : ENOSYS;
    return NULL;
}

/* Hands the rest of a request to the kernel. After an error of the call, which leaves the entry in the ring, all
 * requests fail with it. */
static void submit(struct queue *queue, struct io_request *request)
{
    struct io_uring_sqe *entry = queue->error == 0 ? io_uring_get_sqe(&queue->ring) : NULL;
    const unsigned size = (unsigned)(request->size - request->done);
    unsigned char *data = request->data + request->done;
    const uint64_t offset =
        request->offset == IO_SEQUENTIAL ? IO_SEQUENTIAL : request->offset + request->done;
    int result;

    if (entry == NULL) {
        request->error = queue->error != 0 ? queue->error : EAGAIN;
        request->is_complete = true;
        return;
    }
    if (request->is_write)
        io_uring_prep_write(entry, request->fd, data, size, offset);
    else
        io_uring_prep_read(entry, request->fd, data, size, offset);
    io_uring_sqe_set_data(entry, request);
    do
        result = io_uring_submit(&queue->ring);
    while (result == -EINTR || result == -EAGAIN || result == -EBUSY || result == 0);
    if (result > 0) {
        queue->pending++;
        return;
    }
    queue->error = -result;
    request->error = -result;
    request->is_complete = true;
}

/* Waits for a completion and continues or completes its request. */
static void take_completion(struct queue *queue)
{
    struct io_uring_cqe *entry;

    if (io_uring_wait_cqe(&queue->ring, &entry) != 0)
        return; /* interrupted */
    struct io_request *request = io_uring_cqe_get_data(entry);
    const int result = entry->res;
    io_uring_cqe_seen(&queue->ring, entry);
    queue->pending--;
    request->is_complete = io_advance(request, result);
    if (!request->is_complete)
        submit(queue, request);
}

static void start(void *argument, struct io_request *request)
{
    struct queue *queue = argument;

    while (queue->pending >= ENTRIES)
        take_completion(queue);
    submit(queue, request);
}

static void wait_for(void *argument, struct io_request *request)
{
    while (!request->is_complete)
        take_completion(argument);
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
