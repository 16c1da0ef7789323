/* argsort_check.c - checks the output of clsort --argsort: argsort_check TYPE FLAGS LENGTH KEYS INDEXES
 *
 * KEYS and INDEXES are raw files. FLAGS are those of clsort_desc, in decimal. Each LENGTH keys are a row, whose indexes
 * count from 0; the last row may be shorter. The pairs of a key and its index must ascend strictly, so that each
 * index occurs once, and equal keys keep their order. */
#include "bits.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIZE = 64 << 20 };

/* Reads a whole file of at most MAX_SIZE bytes. */
static unsigned char *read_file(const char *path, size_t *size)
{
    unsigned char *data = malloc(MAX_SIZE + 1);
    FILE *file = fopen(path, "rb");

    *size = data == NULL || file == NULL ? 0 : fread(data, 1, MAX_SIZE + 1, file);
    if (data == NULL || file == NULL || ferror(file) || *size > MAX_SIZE) {
        fprintf(stderr, "argsort_check: %s cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    return data;
}

/* Returns whether the indexes are the permutation that sorts the keys of a row. */
static bool check_row(const struct data_type *type, uint32_t flags, const unsigned char *keys,
                      const unsigned char *indexes, size_t count)
{
    uint64_t last_order = 0, last_index = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t index = bits_load(indexes + 8 * i, 8);

        if (index >= count) {
            fprintf(stderr, "index %zu is %llu\n", i, (unsigned long long)index);
            return false;
        }
        const uint64_t order = data_order(type, flags, keys + index * type->size);
        if (i > 0 && (order < last_order || (order == last_order && index <= last_index))) {
            fprintf(stderr, "index %zu, %llu, must precede %llu\n", i, (unsigned long long)index,
                    (unsigned long long)last_index);
            return false;
        }
        last_order = order;
        last_index = index;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    const struct data_type *type = data_type_find(argv[1]);
    const uint32_t flags = (uint32_t)strtoul(argv[2], NULL, 10);
    const size_t length = strtoul(argv[3], NULL, 10);
    size_t keys_size, indexes_size;
    unsigned char *keys = read_file(argv[4], &keys_size);
    unsigned char *indexes = read_file(argv[5], &indexes_size);

    if (type == NULL || length == 0)
        return 2;
    const size_t count = keys_size / type->size;
    bool is_right = indexes_size == 8 * count;
    if (!is_right)
        fprintf(stderr, "%zu bytes of indexes for %zu keys\n", indexes_size, count);
    for (size_t at = 0; at < count && is_right; at += length)
        is_right = check_row(type, flags, keys + at * type->size, indexes + at * 8,
                             count - at < length ? count - at : length);
    free(keys);
    free(indexes);
    return is_right ? 0 : 1;
}
