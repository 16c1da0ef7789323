/* cuts.c - clsort-external: stable merges of many runs, by cuts
 *
 * Blocks of the runs are loaded in the order in which a merge needs them, and sorted together as far as all
 * elements that are not loaded yet follow them. A library that sorts at 1 GB/s thus merges at this speed, and runs
 * of any number cost the same.
 *
 * Block b of run r is needed when the last element of its block b - 1 has been taken. The order of loading is
 * therefore that of these last elements, which are known (runs.h), and by runs among equal ones; the first blocks
 * of all runs come first. If the next block in this order, of run r, follows a block whose last element is x, then
 * all elements up to the cut (x, r) are loaded: those below x, and those equal to x of the runs up to r. All
 * others, loaded or not, follow them in the stable order. Every run's part up to the cut is copied to one buffer,
 * one after the other in the order of the runs, and the buffer is sorted stably.
 *
 * Memory for k runs and batches of g blocks: a partly consumed block for each run, g blocks that are loaded for the
 * batch and g that are read ahead, and the buffer of k + g blocks with the scratch memory of its sort. */
#include "cuts.h"

#include "arena.h"
#include "print.h"
#include "reader.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct block {
    struct transfer transfer; /* its request only, if the run is in the input */
    unsigned char *memory;
    unsigned char *elements;
    size_t count, taken;
    size_t source;      /* index of its run */
    struct block *next; /* in a list */
};

struct list {
    struct block *first, **last;
};

/* A run. */
struct source {
    const struct run *run;
    uint64_t block_count;
    uint64_t started; /* blocks whose requests have been started */
    struct list loaded;
};

struct merge {
    const struct external *external;
    struct io *io;
    struct store *store;
    const struct runs *runs;
    int input;
    struct arena arena;
    struct block *blocks;
    size_t block_total;
    struct block *free_blocks;
    struct list reading; /* in the order in which they are needed */
    size_t source_count;
    struct source *sources;
    unsigned char *buffer;
};

static void list_init(struct list *list)
{
    *list = (struct list){.last = &list->first};
}

static void list_append(struct list *list, struct block *block)
{
    block->next = NULL;
    *list->last = block;
    list->last = &block->next;
}

static struct block *list_take(struct list *list)
{
    struct block *block = list->first;

    if (block != NULL && (list->first = block->next) == NULL)
        list->last = &list->first;
    return block;
}

size_t cuts_memory(const struct external_plan *plan, size_t count)
{
    const size_t pool = count + 2 * plan->batch_blocks;

    return pool * arena_padded(external_plan_block_memory(plan)) +
           arena_padded((count + plan->batch_blocks) * plan->block_elements * plan->size);
}

static bool open_merge(struct merge *merge, size_t first)
{
    const struct external_plan *plan = &merge->external->plan;
    const size_t count = merge->source_count;

    merge->block_total = count + 2 * plan->batch_blocks;
    merge->blocks = calloc(merge->block_total, sizeof *merge->blocks);
    merge->sources = calloc(count, sizeof *merge->sources);
    if (merge->blocks == NULL || merge->sources == NULL) {
        print_error(merge->external->input_name, "out of memory");
        return false;
    }
    if (!arena_map(&merge->arena, cuts_memory(plan, count)))
        return false;
    list_init(&merge->reading);
    for (size_t i = 0; i < merge->block_total; i++) {
        struct block *block = &merge->blocks[i];

        block->memory = arena_take(&merge->arena, external_plan_block_memory(plan));
        block->next = merge->free_blocks;
        merge->free_blocks = block;
    }
    merge->buffer =
        arena_take(&merge->arena, (count + plan->batch_blocks) * plan->block_elements * plan->size);
    for (size_t i = 0; i < count; i++) {
        struct source *source = &merge->sources[i];

        source->run = &merge->runs->run[first + i];
        source->block_count = runs_blocks(merge->runs, source->run);
        list_init(&source->loaded);
    }
    return true;
}

static void close_merge(struct merge *merge)
{
    if (merge->blocks != NULL)
        for (size_t i = 0; i < merge->block_total; i++)
            io_wait(merge->io, &merge->blocks[i].transfer.request);
    if (merge->input >= 0 && merge->input != merge->external->input)
        close(merge->input);
    arena_unmap(&merge->arena);
    free(merge->blocks);
    free(merge->sources);
}

/* Compares the elements after which two runs need their next blocks. A run that has no block yet comes first. */
static bool needs_earlier(const struct merge *merge, const struct source *a, const struct source *b)
{
    const struct external_order *order = merge->external->order;

    if (a->started == 0 || b->started == 0)
        return a->started == 0 && b->started != 0;
    return order->compare(order->context, runs_last(merge->runs, a->run, a->started - 1),
                          runs_last(merge->runs, b->run, b->started - 1)) < 0;
}

/* Returns the run whose next block is needed next; NULL if all blocks have been started. */
static struct source *next_source(const struct merge *merge)
{
    struct source *next = NULL;

    for (size_t i = 0; i < merge->source_count; i++) {
        struct source *source = &merge->sources[i];

        if (source->started < source->block_count &&
            (next == NULL || needs_earlier(merge, source, next)))
            next = source;
    }
    return next;
}

/* Begins to read the next block of a run. */
static void start_block(struct merge *merge, struct source *source, struct block *block)
{
    const struct external *external = merge->external;
    const size_t size = external->order->size;
    const uint64_t first = source->started * external->plan.block_elements;
    const uint64_t left = source->run->count - first;

    block->source = (size_t)(source - merge->sources);
    block->taken = 0;
    block->count =
        left < external->plan.block_elements ? (size_t)left : external->plan.block_elements;
    if (source->run->is_input) {
        if (merge->input < 0)
            merge->input = reader_open_direct(external);
        block->elements = reader_request(
            &block->transfer.request, merge->input, block->memory,
            external->input_offset + (source->run->first + first) * size, block->count * size);
        io_start(merge->io, &block->transfer.request);
    } else {
        block->elements = block->memory;
        transfer_start_read(&block->transfer, merge->io, merge->store,
                            source->run->first + source->started, block->memory,
                            block->count * size);
    }
    source->started++;
    list_append(&merge->reading, block);
}

static void read_ahead(struct merge *merge)
{
    struct source *source;

    while (merge->free_blocks != NULL && (source = next_source(merge)) != NULL) {
        struct block *block = merge->free_blocks;

        merge->free_blocks = block->next;
        start_block(merge, source, block);
    }
}

/* Waits for the next block in the order of need, and appends it to the loaded ones of its run. */
static bool load_block(struct merge *merge)
{
    const struct external *external = merge->external;
    const struct external_order *order = external->order;
    struct block *block = list_take(&merge->reading);
    struct source *source = &merge->sources[block->source];

    if (!io_wait(merge->io, &block->transfer.request)) {
        if (source->run->is_input)
            reader_print_error(external, &block->transfer.request);
        else
            transfer_print_error(&block->transfer);
        return false;
    }
    if (source->run->is_input)
        order->decode(order->context, block->elements, block->count);
    else
        store_punch(merge->store, block->transfer.block);
    external->progress(block->count * order->size);
    list_append(&source->loaded, block);
    return true;
}

/* Returns the number of elements of a block that are not taken yet and precede the cut: those below it, and if
 * is_inclusive those that are equal to it. */
static size_t count_before(const struct merge *merge, const struct block *block,
                           const unsigned char *cut, bool is_inclusive)
{
    const struct external_order *order = merge->external->order;
    size_t low = block->taken, high = block->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int sign =
            order->compare(order->context, block->elements + middle * order->size, cut);

        if (sign < 0 || (sign == 0 && is_inclusive))
            low = middle + 1;
        else
            high = middle;
    }
    return low - block->taken;
}

/* Copies the elements of a run that precede the cut (NULL: all that are loaded) to the buffer, and frees the blocks of
 * which all elements are taken. */
static void gather(struct merge *merge, struct source *source, const unsigned char *cut,
                   bool is_inclusive, size_t *count)
{
    const size_t size = merge->external->order->size;
    struct block *block;

    while ((block = source->loaded.first) != NULL) {
        const size_t part = cut == NULL ? block->count - block->taken
                                        : count_before(merge, block, cut, is_inclusive);

        memcpy(merge->buffer + *count * size, block->elements + block->taken * size, part * size);
        *count += part;
        block->taken += part;
        if (block->taken < block->count)
            return;
        list_take(&source->loaded);
        block->next = merge->free_blocks;
        merge->free_blocks = block;
    }
}

/* Copies the part of each run up to the cut to the buffer. Returns the number of elements. */
static size_t gather_batch(struct merge *merge)
{
    const struct block *next = merge->reading.first;
    const struct source *source = next == NULL ? NULL : &merge->sources[next->source];
    const unsigned char *cut = NULL;
    size_t count = 0;

    if (next != NULL) {
        /* The index of the block within its run */
        uint64_t number = source->started;
        for (const struct block *block = next; block != NULL; block = block->next)
            number -= block->source == next->source;
        cut = runs_last(merge->runs, source->run, number - 1);
    }
    for (size_t i = 0; i < merge->source_count; i++)
        gather(merge, &merge->sources[i], cut, source == NULL || &merge->sources[i] <= source,
               &count);
    return count;
}

static bool merge_all(struct merge *merge, cuts_taker *take, void *context)
{
    const struct external_order *order = merge->external->order;
    const size_t batch = merge->external->plan.batch_blocks;

    read_ahead(merge);
    /* The first cut follows the first blocks of all runs. */
    for (size_t i = 0; i < merge->source_count; i++)
        if (!load_block(merge))
            return false;
    for (;;) {
        for (size_t i = 0; i < batch && merge->reading.first != NULL; i++)
            if (!load_block(merge))
                return false;
        const size_t count = gather_batch(merge);
        read_ahead(merge);
        if (count == 0)
            return true;
        if (!order->sort(order->context, merge->buffer, count) ||
            !take(context, merge->buffer, count))
            return false;
    }
}

bool cuts_merge(const struct external *external, struct io *io, struct store *store,
                const struct runs *runs, size_t first, size_t count, cuts_taker *take,
                void *context)
{
    struct merge merge = {.external = external,
                          .io = io,
                          .store = store,
                          .runs = runs,
                          .input = -1,
                          .source_count = count};
    const bool done = open_merge(&merge, first) && merge_all(&merge, take, context);

    close_merge(&merge);
    return done;
}
