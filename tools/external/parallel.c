/* parallel.c - clsort-external: passes over large arrays by several threads */
#include "parallel.h"

#include "copy.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum {
    MIN_PART = 1 << 19, /* bytes, which take several times as long as the start of a thread */
    PIECE = 1 << 18,    /* bytes that stay in the cache of a core while they are proved */
    /* Bytes of a thread's stack. The usual 8 MiB would count for `ulimit -v`, also once the thread
     * has ended. */
    STACK = 1 << 18
};

struct call {
    void (*run)(void *context, size_t part);
    void *context;
    size_t part;
    pthread_t thread;
    bool has_thread;
};

struct pass {
    const struct external_order *order;
    unsigned char *elements; /* only parallel_prove changes them */
    size_t count, parts;
    uint64_t sum[PARALLEL_MAX];
    size_t disorder[PARALLEL_MAX];
};

size_t parallel_parts(uint64_t bytes)
{
    const long cores = bytes < 2 * MIN_PART ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    size_t parts = 1;

    while (parts < PARALLEL_MAX && 2 * (long)parts <= cores && 2 * parts * MIN_PART <= bytes)
        parts *= 2;
    return parts;
}

static bool start_thread(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    const bool is_started = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
                            pthread_create(thread, &attributes, run, argument) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
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

    if (parts == 1) {
        run(context, 0);
        return;
    }
    /* The threads inherit the mask, so that signals interrupt the main thread only. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 1; i < parts; i++) {
        calls[i] = (struct call){.run = run, .context = context, .part = i};
        calls[i].has_thread = start_thread(&calls[i].thread, run_call, &calls[i]);
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

static struct pass make_pass(const struct external_order *order, const void *elements, size_t count)
{
    struct pass pass = {.order = order,
                        .elements = (unsigned char *)elements,
                        .count = count,
                        .parts = parallel_parts((uint64_t)count * order->size)};

    /* Functions that can fail call OpenCL, which may need a large stack. */
    if (pass.parts > count || order->has_failed != NULL)
        pass.parts = 1;
    return pass;
}

static struct pass run_pass(const struct external_order *order, const void *elements, size_t count,
                            void (*run)(void *context, size_t part))
{
    struct pass pass = make_pass(order, elements, count);

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

static size_t first_disorder(const struct pass *pass)
{
    for (size_t i = 0; i < pass->parts; i++)
        if (pass->disorder[i] < pass->count)
            return pass->disorder[i];
    return pass->count;
}

size_t parallel_disorder(const struct external_order *order, const void *elements, size_t count)
{
    const struct pass pass = run_pass(order, elements, count, check_part);

    return first_disorder(&pass);
}

static void encode(struct pass *pass, size_t part, size_t begin, size_t end)
{
    const struct external_order *order = pass->order;
    unsigned char *elements = pass->elements + begin * order->size;

    order->encode(order->context, elements, end - begin);
    pass->sum[part] += order->checksum(order->context, elements, end - begin);
}

/* The last element of each piece is encoded later than the others, since the next piece is checked against it. */
static void prove_part(void *context, size_t part)
{
    struct pass *pass = context;
    const struct external_order *order = pass->order;
    const size_t begin = part_begin(pass, part), end = part_begin(pass, part + 1);
    const size_t piece = PIECE / order->size + 1;
    size_t encoded = begin;

    pass->disorder[part] = pass->count;
    for (size_t at = begin, next; at < end; at = next) {
        const size_t first = at == begin ? at : at - 1;

        next = end - at < piece ? end : at + piece;
        const size_t disorder =
            first +
            order->disorder(order->context, pass->elements + first * order->size, next - first);
        if (disorder < next) {
            pass->disorder[part] = disorder;
            return;
        }
        encode(pass, part, encoded, next - 1);
        encoded = next - 1;
    }
    encode(pass, part, encoded, end);
}

/* Returns whether no part begins with an element that precedes the last one of the part before. */
static bool are_parts_ordered(const struct pass *pass)
{
    const struct external_order *order = pass->order;

    for (size_t i = 1; i < pass->parts; i++) {
        const unsigned char *first = pass->elements + part_begin(pass, i) * order->size;

        if (order->compare(order->context, first - order->size, first) > 0)
            return false;
    }
    return true;
}

bool parallel_prove(const struct external_order *order, void *elements, size_t count, uint64_t *sum)
{
    struct pass pass = make_pass(order, elements, count);

    if (!are_parts_ordered(&pass))
        return false;
    parallel_run(pass.parts, prove_part, &pass);
    for (size_t i = 0; i < pass.parts; i++)
        *sum += pass.sum[i];
    return first_disorder(&pass) == count;
}

struct copying {
    const struct parallel_copy *copies;
    size_t count;
    size_t size, parts; /* bytes of all */
};

/* Each part copies the same number of bytes, and thus may begin and end within copies. */
static void copy_part(void *context, size_t part)
{
    const struct copying *copying = context;
    const size_t share = copying->size / copying->parts, begin = part * share;
    const size_t end = part + 1 == copying->parts ? copying->size : begin + share;
    size_t at = 0; /* bytes of the copies before this one */

    for (size_t i = 0; i < copying->count && at < end; i++) {
        const struct parallel_copy *copy = &copying->copies[i];
        const size_t from = begin > at ? begin - at : 0;
        const size_t to = end - at < copy->size ? end - at : copy->size;

        if (from < to)
            copy_past_caches(copy->to + from, copy->from + from, to - from);
        at += copy->size;
    }
}

void parallel_copy(const struct parallel_copy *copies, size_t count)
{
    struct copying copying = {.copies = copies, .count = count};

    for (size_t i = 0; i < count; i++)
        copying.size += copies[i].size;
    copying.parts = parallel_parts(copying.size);
    parallel_run(copying.parts, copy_part, &copying);
}
