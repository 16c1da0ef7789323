/* parallel.c - clsort-external: passes over large arrays by several threads */
#include "parallel.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { MIN_PART = 1 << 19 }; /* bytes, which take several times as long as the start of a thread */

struct call {
    void (*run)(void *context, size_t part);
    void *context;
    size_t part;
    pthread_t thread;
    bool has_thread;
};

struct pass {
    const struct external_order *order;
    const unsigned char *elements;
    size_t count, parts;
    uint64_t sum[PARALLEL_MAX];
    size_t disorder[PARALLEL_MAX];
};

size_t parallel_parts(uint64_t bytes)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t parts = 1;

    while (parts < PARALLEL_MAX && 2 * (long)parts <= cores && 2 * parts * MIN_PART <= bytes)
        parts *= 2;
    return parts;
}

static void *run_call(void *argument)
{
    const struct call *call = argument;

    call->run(call->context, call->part);
    return NULL;
}

void parallel_run(size_t parts, void (*run)(void *context, size_t part), void *context)
{
    struct call calls[PARALLEL_MAX];
    sigset_t all, before;

    /* The threads inherit the mask, so that signals interrupt the main thread only. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 1; i < parts; i++) {
        calls[i] = (struct call){.run = run, .context = context, .part = i};
        calls[i].has_thread = pthread_create(&calls[i].thread, NULL, run_call, &calls[i]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run(context, 0);
    for (size_t i = 1; i < parts; i++) {
        if (calls[i].has_thread)
            pthread_join(calls[i].thread, NULL);
        else
            run(context, i);
    }
}

/* Returns the first element of a part. */
static size_t part_begin(const struct pass *pass, size_t part)
{
    return pass->count / pass->parts * part + (part == pass->parts ? pass->count % pass->parts : 0);
}

static void sum_part(void *context, size_t part)
{
    struct pass *pass = context;
    const size_t begin = part_begin(pass, part), end = part_begin(pass, part + 1);

    pass->sum[part] = pass->order->checksum(
        pass->order->context, pass->elements + begin * pass->order->size, end - begin);
}

/* Each part begins with the last element of the one before it. */
static void check_part(void *context, size_t part)
{
    struct pass *pass = context;
    const size_t end = part_begin(pass, part + 1);
    const size_t begin = part == 0 ? 0 : part_begin(pass, part) - 1;
    const size_t at = pass->order->disorder(
        pass->order->context, pass->elements + begin * pass->order->size, end - begin);

    pass->disorder[part] = begin + at < end ? begin + at : pass->count;
}

static struct pass run_pass(const struct external_order *order, const void *elements, size_t count,
                            void (*run)(void *context, size_t part))
{
    struct pass pass = {.order = order,
                        .elements = elements,
                        .count = count,
                        .parts = parallel_parts((uint64_t)count * order->size)};

    if (pass.parts > count)
        pass.parts = 1;
    parallel_run(pass.parts, run, &pass);
    return pass;
}

uint64_t parallel_checksum(const struct external_order *order, const void *elements, size_t count)
{
    const struct pass pass = run_pass(order, elements, count, sum_part);
    uint64_t sum = 0;

    for (size_t i = 0; i < pass.parts; i++)
        sum += pass.sum[i];
    return sum;
}

size_t parallel_disorder(const struct external_order *order, const void *elements, size_t count)
{
    const struct pass pass = run_pass(order, elements, count, check_part);

    for (size_t i = 0; i < pass.parts; i++)
        if (pass.disorder[i] < count)
            return pass.disorder[i];
    return count;
}
