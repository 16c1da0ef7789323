/* sorted.c - checks whether keys in host memory are in order */
#include "host/key.h"
#include "host/partition.h"
#include "host/threads.h"
#include "host/words.h"

struct check {
    const struct cls_spec *spec;
    const char *keys;
    size_t count, threads;
    bool is_sorted[CLS_MAX_HOST_THREADS];
};

enum { BLOCK = 512 }; /* keys at a time, whose words fit in the L1 cache */

static bool is_block_in_order(const struct cls_words *code, const struct cls_spec *spec,
                              const char *keys, size_t count)
{
    uint32_t words32[BLOCK + 1];
    uint64_t words64[BLOCK + 1];
    if (cls_host_are_words(spec, keys, sizeof *words32))
        return code->summarise_32((const uint32_t *)(const void *)keys, count).is_ascending;
    if (cls_host_are_words(spec, keys, sizeof *words64))
        return code->summarise_64((const uint64_t *)(const void *)keys, count).is_ascending;
    switch (spec->key_bytes) {
    case 1:
        cls_host_read_keys(spec, 1, keys, count, (char *)words32, sizeof *words32);
        break;
    case 2:
        cls_host_read_keys(spec, 2, keys, count, (char *)words32, sizeof *words32);
        break;
    case 4:
        cls_host_read_keys(spec, 4, keys, count, (char *)words32, sizeof *words32);
        break;
    default:
        cls_host_read_keys(spec, 8, keys, count, (char *)words64, sizeof *words64);
        return code->summarise_64(words64, count).is_ascending;
    }
    return code->summarise_32(words32, count).is_ascending;
}

/* A block includes the first key of the next one. */
static bool are_in_order(const struct cls_spec *spec, const char *keys, size_t count)
{
    const struct cls_words *code = cls_words_best();
    for (size_t first = 0; first + 1 < count; first += BLOCK) {
        const size_t left = count - first;
        if (!is_block_in_order(code, spec, keys + first * spec->key_bytes,
                               left <= BLOCK ? left : BLOCK + 1))
            return false;
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
    check->is_sorted[thread] = are_in_order(spec, check->keys + first * spec->key_bytes, count);
}

bool cls_host_is_sorted(const struct cls_spec *spec, const void *keys, size_t count, size_t threads)
{
    struct check check = {spec, keys, count, threads, {false}};
    cls_host_run(threads, check_part, &check);
    for (size_t i = 0; i < threads; i++)
        if (!check.is_sorted[i])
            return false;
    return true;
}
