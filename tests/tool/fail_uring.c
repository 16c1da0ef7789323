/* fail_uring.c - for LD_PRELOAD: calls of liburing and completions fail, as in fail_calls.c
 *
 * Programs find completions in memory that they share with the kernel, without a call. They read the end of the ring of
 * completions through a pointer in struct io_uring, though, which here points to a copy that changes in
 * __io_uring_get_cqe only, after the completions have been edited. */
#include "fail_calls.h"
#include "next.h"

#include <errno.h>
#include <liburing.h>

static unsigned *kernel_tail; /* where the kernel stores the end of the ring */
static unsigned visible_tail; /* the end that the program sees */

/* Changes the completions that the program has not seen yet, and shows them. */
static void show_completions(struct io_uring *ring)
{
    const unsigned end = io_uring_smp_load_acquire(kernel_tail);

    for (; visible_tail != end; visible_tail++) {
        struct io_uring_cqe *entry = &ring->cq.cqes[visible_tail & *ring->cq.kring_mask];

        if (entry->user_data == 0) /* not a transfer */
            continue;
        if (fail_call("completion")) {
            entry->res = -errno;
        } else if (entry->res > 0) {
            const size_t size = fail_transfer_size((size_t)entry->res);

            entry->res = size == 0 ? -errno : (int)size;
        }
    }
}

/* Makes the kernel refuse new direct transfers, by offsets that are invalid. */
static void spoil_direct(struct io_uring *ring)
{
    for (unsigned i = ring->sq.sqe_head; i != ring->sq.sqe_tail; i++) {
        struct io_uring_sqe *entry = &ring->sq.sqes[i & *ring->sq.kring_mask];

        if (fail_is_direct(entry->fd) && fail_call("direct"))
            entry->off = (unsigned long long)-2;
    }
}

int io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
    int (*next)(unsigned, struct io_uring *, unsigned);

    next_function("io_uring_queue_init", &next);
    if (fail_call("setup"))
        return -errno;
    const int result = next(entries, ring, flags);
    if (result == 0) {
        kernel_tail = ring->cq.ktail;
        visible_tail = *kernel_tail;
        ring->cq.ktail = &visible_tail;
    }
    return result;
}

int io_uring_submit_and_wait(struct io_uring *ring, unsigned count)
{
    int (*next)(struct io_uring *, unsigned);

    next_function("io_uring_submit_and_wait", &next);
    return fail_call("enter") ? -errno : next(ring, count);
}

int io_uring_submit(struct io_uring *ring)
{
    int (*next)(struct io_uring *);

    next_function("io_uring_submit", &next);
    if (fail_call("submit"))
        return -errno;
    spoil_direct(ring);
    return next(ring);
}

int __io_uring_get_cqe(struct io_uring *ring, struct io_uring_cqe **entry, unsigned submit,
                       unsigned count, sigset_t *mask)
{
    int (*next)(struct io_uring *, struct io_uring_cqe **, unsigned, unsigned, sigset_t *);

    next_function("__io_uring_get_cqe", &next);
    if (fail_call("wait")) {
        const int error = errno;

        show_completions(ring);
        return -error;
    }
    ring->cq.ktail = kernel_tail;
    const int result = next(ring, entry, submit, count, mask);
    ring->cq.ktail = &visible_tail;
    show_completions(ring);
    return result;
}
