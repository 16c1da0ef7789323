/* write.c - writes sorted keys or indexes, and merges them meanwhile if there are pieces */
#include "write.h"

#include "elements.h"
#include "indexes.h"
#include "merge.h"
#include "print.h"
#include "progress.h"

#include <stdlib.h>

enum {
    WRITE_BLOCK = 64 << 20, /* bytes between two updates of the progress */
    MERGE_BLOCK = 1 << 20   /* bytes that are merged or widened at a time; they fit in L2 */
};

bool write_keys(struct output *output, const void *keys, size_t size)
{
    progress_phase("writing", size);
    for (size_t at = 0, block; at < size; at += block) {
        block = size - at < WRITE_BLOCK ? size - at : WRITE_BLOCK;
        if (!output_write(output, (const char *)keys + at, block))
            return false;
        progress_add(block);
    }
    progress_wait_for_disk();
    return true;
}

bool write_indexes(struct output *output, const void *indexes, size_t index_size, size_t count)
{
    const size_t max = MERGE_BLOCK / sizeof(uint64_t);
    uint64_t *buffer = malloc(MERGE_BLOCK);
    bool done = buffer != NULL;

    if (!done)
        print_error(output->name, "out of memory");
    progress_phase("writing", count * sizeof *buffer);
    for (size_t at = 0, block; at < count && done; at += block) {
        block = count - at < max ? count - at : max;
        indexes_widen(buffer, (const char *)indexes + at * index_size, index_size, block);
        done = output_write(output, buffer, block * sizeof *buffer);
        progress_add(block * sizeof *buffer);
    }
    progress_wait_for_disk();
    free(buffer);
    return done;
}

/* Writes the elements that the merge has begun with. */
static bool write_row(struct output *output, const struct input *input, struct merge *merge,
                      const struct rows *rows, uint32_t flags, void *buffer)
{
    const bool has_indexes = rows->index_size > 0;
    const size_t size = has_indexes ? sizeof(uint64_t) : rows->key_size;
    const size_t block = MERGE_BLOCK / size;

    for (size_t at = 0; at < rows->length; at += block) {
        const size_t count = rows->length - at < block ? rows->length - at : block;

        if (has_indexes) {
            merge_take_indexes(merge, buffer, count);
        } else {
            merge_take(merge, buffer, count);
            elements_from_keys(&input->array, flags, buffer, count);
        }
        if (!output_write(output, buffer, count * size))
            return false;
        progress_add(count * size);
    }
    return true;
}

bool write_merged(struct output *output, const struct input *input, const struct rows *rows,
                  void *indexes, const struct pieces *pieces, uint32_t flags)
{
    const size_t size = indexes != NULL ? sizeof(uint64_t) : rows->key_size;
    struct merge *merge = merge_create(input->type, flags, rows->length, pieces->length);
    void *buffer = malloc(MERGE_BLOCK);
    bool done = merge != NULL && buffer != NULL;

    if (!done)
        print_error(input->name, "out of memory");
    progress_phase("merging", rows->count * rows->length * size);
    for (size_t i = 0; i < rows->count && done; i++) {
        const struct row row = rows_adjacent(rows, input->keys, indexes, i);

        pieces_start_merge(merge, rows, &row);
        done = write_row(output, input, merge, rows, flags, buffer);
    }
    progress_wait_for_disk();
    free(buffer);
    merge_destroy(merge);
    return done;
}
