/* sorted.c - checks on all cores whether keys in host memory are in order */
#include "host/key.h"
#include "host/partition.h"
#include "host/threads.h"

struct check {
    const struct cls_spec *spec;
    const char *keys;
    size_t count, threads;
    bool is_sorted[CLS_MAX_HOST_THREADS];
};

/* bytes is a constant in every call, so that compilers make a loop for each. */
static inline bool are_in_order(const struct cls_spec *of, const char *keys, size_t count,
                                size_t bytes)
{
    struct cls_spec spec = *of;
    spec.key_bytes = (unsigned)bytes;
    uint64_t previous = cls_host_ordered_key(&spec, keys);
    for (size_t i = 1; i < count; i++) {
        const uint64_t key = cls_host_ordered_key(&spec, keys + i * bytes);
        if (key < previous)
            return false;
        previous = key;
    }
    return true;
}

/* Checks the part of a thread, which includes the first key of the next part. */
static void check_part(void *data, size_t thread)
{
    struct check *check = data;
    const struct cls_spec *spec = check->spec;
    const size_t share = check->count / check->threads, first = thread * share;
    const size_t count = thread + 1 < check->threads ? share + 1 : check->count - first;
    const char *keys = check->keys + first * spec->key_bytes;
    check->is_sorted[thread] = spec->key_bytes == 1   ? are_in_order(spec, keys, count, 1)
                               : spec->key_bytes == 2 ? are_in_order(spec, keys, count, 2)
                               : spec->key_bytes == 4 ? are_in_order(spec, keys, count, 4)
                                                      : are_in_order(spec, keys, count, 8);
}

bool cls_host_is_sorted(const struct cls_spec *spec, const void *keys, size_t count)
{
    struct check check = {spec, keys, count, cls_host_threads(count), {false}};
    if (count == 0)
        return true;
    cls_host_run(check.threads, check_part, &check);
    for (size_t i = 0; i < check.threads; i++)
        if (!check.is_sorted[i])
            return false;
    return true;
}
