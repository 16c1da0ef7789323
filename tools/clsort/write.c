/* write.c - writes sorted keys, and merges them meanwhile if they were sorted in pieces */
#include "write.h"

#include "elements.h"
#include "merge.h"
#include "print.h"
#include "progress.h"

#include <stdlib.h>

enum {
    WRITE_BLOCK = 64 << 20, /* bytes between two updates of the progress */
    MERGE_BLOCK = 1 << 20   /* bytes that are merged at a time; they fit in L2 */
};

bool write_keys(struct output *output, const struct input *input)
{
    const size_t size = input->array.count * input->type->size;

    progress_phase("writing", size);
    for (size_t at = 0, block; at < size; at += block) {
        block = size - at < WRITE_BLOCK ? size - at : WRITE_BLOCK;
        if (!output_write(output, input->keys + at, block))
            return false;
        progress_add(block);
    }
    progress_phase("waiting for the disk", 0);
    return true;
}

/* Writes the keys that the merge has begun with. */
static bool write_row(struct output *output, const struct input *input, struct merge *merge,
                      size_t length, uint32_t flags, void *buffer)
{
    const size_t size = input->type->size, block = MERGE_BLOCK / size;

    for (size_t at = 0; at < length; at += block) {
        const size_t count = length - at < block ? length - at : block;

        merge_take(merge, buffer, count);
        elements_from_keys(&input->array, flags, buffer, count);
        if (!output_write(output, buffer, count * size))
            return false;
        progress_add(count * size);
    }
    return true;
}

bool write_merged(struct output *output, const struct input *input, const struct rows *rows,
                  const struct pieces *pieces, uint32_t flags)
{
    const size_t row_size = rows->length * rows->key_size;
    struct merge *merge = merge_create(input->type, flags, rows->length, pieces->length);
    void *buffer = malloc(MERGE_BLOCK);
    bool done = merge != NULL && buffer != NULL;

    if (!done)
        print_error(input->name, "out of memory");
    progress_phase("merging", rows->count * row_size);
    for (size_t row = 0; row < rows->count && done; row++) {
        merge_start(merge, input->keys + row * row_size, rows->length);
        done = write_row(output, input, merge, rows->length, flags, buffer);
    }
    progress_phase("waiting for the disk", 0);
    free(buffer);
    merge_destroy(merge);
    return done;
}
