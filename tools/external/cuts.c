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
 * batch and at least g that are read ahead, and the buffer of k + g blocks with the scratch memory of its sort. */
#include "cuts.h"

#include "arena.h"
#include "parallel.h"
#include "print.h"
#include "reader.h"
#include "transfer.h"

#include <inttypes.h>
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
    int fd; /* of an input, opened for direct transfers if possible; -1: not open */
    uint64_t block_count;
    uint64_t started;      /* blocks whose requests have been started */
    uint64_t loaded_count; /* blocks that have been loaded */
    struct list loaded;
};

struct merge {
    struct external *external;
    struct io *io;
    struct store *store;
    const struct runs *runs;
    struct arena arena;
    struct block *blocks;
    size_t block_total;
    struct block *free_blocks;
    struct list reading; /* in the order in which they are needed */
    size_t source_count;
    struct source *sources;
    unsigned char *buffer;
    struct parallel_copy *copies; /* to the buffer, at most one of each block */
    size_t copy_count;
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

/* Returns the number of blocks in memory of this number of runs. */
static size_t pool_blocks(const struct external_plan *plan, size_t count)
{
    return plan->pool_blocks - plan->fan_in + count;
}

size_t cuts_memory(const struct external_plan *plan, size_t count)
{
    return pool_blocks(plan, count) * arena_padded(external_plan_block_memory(plan)) +
           arena_padded((count + plan->batch_blocks) * plan->block_elements * plan->size);
}

static bool open_merge(struct merge *merge, size_t first)
{
    const struct external_plan *plan = &merge->external->plan;
    const size_t count = merge->source_count;

    merge->block_total = pool_blocks(plan, count);
    merge->blocks = calloc(merge->block_total, sizeof *merge->blocks);
    merge->sources = calloc(count, sizeof *merge->sources);
    merge->copies = calloc(merge->block_total, sizeof *merge->copies);
    for (size_t i = 0; merge->sources != NULL && i < count; i++)
        merge->sources[i].fd = -1;
    if (merge->blocks == NULL || merge->sources == NULL || merge->copies == NULL) {
        print_error(merge->external->inputs[0].name, "out of memory");
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

static const struct external_input *input_of(const struct merge *merge, const struct source *source)
{
    return &merge->external->inputs[source->run->input];
}

static void close_source(const struct merge *merge, struct source *source)
{
    if (source->fd >= 0 && source->fd != input_of(merge, source)->fd)
        close(source->fd);
    source->fd = -1;
}

static void close_merge(struct merge *merge)
{
    if (merge->blocks != NULL)
        for (size_t i = 0; i < merge->block_total; i++)
            io_wait(merge->io, &merge->blocks[i].transfer.request);
    for (size_t i = 0; merge->sources != NULL && i < merge->source_count; i++)
        close_source(merge, &merge->sources[i]);
    arena_unmap(&merge->arena);
    free(merge->blocks);
    free(merge->sources);
    free(merge->copies);
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
        const struct external_input *input = input_of(merge, source);

        if (source->fd < 0)
            source->fd = reader_open_direct(input);
        block->elements = reader_request(&block->transfer.request, source->fd, block->memory,
                                         input->offset + (source->run->first + first) * size,
                                         block->count * size);
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

/* Checks the order of a block of an input that is merged. */
static bool check_order(const struct merge *merge, const struct source *source,
                        const struct block *block)
{
    const struct external_order *order = merge->external->order;
    const unsigned char *last = block->elements + (block->count - 1) * order->size;
    const uint64_t number = source->loaded_count;
    const uint64_t first = number * merge->external->plan.block_elements;
    size_t at = order->disorder(order->context, block->elements, block->count);

    if (number > 0 &&
        order->compare(order->context, runs_last(merge->runs, source->run, number - 1),
                       block->elements) > 0)
        at = 0;
    if (at == block->count &&
        order->compare(order->context, last, runs_last(merge->runs, source->run, number)) == 0)
        return true;
    if (at == block->count)
        print_error(input_of(merge, source)->name,
                    "the file has changed while it was read; merge a copy of it");
    else
        print_error(input_of(merge, source)->name,
                    "element %" PRIu64
                    " precedes the one before it, but --merge expects files in order; sort it, or "
                    "leave out --merge",
                    first + at);
    return false;
}

/* Converts a block of an input. */
static bool accept_input(struct merge *merge, const struct source *source,
                         const struct block *block)
{
    struct external *external = merge->external;
    const struct external_order *order = external->order;

    if (external->plan.is_merge) {
        external->count += block->count;
        if (external->is_verified || external->is_summed)
            external->checksum += order->checksum(order->context, block->elements, block->count);
    }
    order->decode(order->context, block->elements, block->count);
    return !external->plan.is_merge || check_order(merge, source, block);
}

/* Checks that a block of the store ends with the element that it had when it was written. */
static bool check_stored(const struct merge *merge, const struct source *source,
                         const struct block *block)
{
    const size_t size = merge->external->order->size;

    if (memcmp(block->elements + (block->count - 1) * size,
               runs_last(merge->runs, source->run, source->loaded_count), size) == 0)
        return true;
    print_error(merge->store->folder[block->transfer.file],
                "temporary file: a block is not what was written, because the memory or the disk "
                "is faulty");
    return false;
}

/* Waits for the next block in the order of need, and appends it to the loaded ones of its run. */
static bool load_block(struct merge *merge)
{
    const struct external *external = merge->external;
    struct block *block = list_take(&merge->reading);
    struct source *source = &merge->sources[block->source];

    if (!io_wait(merge->io, &block->transfer.request)) {
        if (source->run->is_input)
            reader_print_error(input_of(merge, source), &block->transfer.request);
        else
            transfer_print_error(&block->transfer);
        return false;
    }
    if (!source->run->is_input) {
        if (!check_stored(merge, source, block))
            return false;
        store_punch(merge->store, block->transfer.block);
    } else if (!accept_input(merge, source, block)) {
        return false;
    }
    source->loaded_count++;
    external->progress(block->count * external->order->size);
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

/* Lists the copies to the buffer of the elements of a run that precede the cut (NULL: all that are loaded), and frees
 * the blocks of which all elements are taken. Returns false if the buffer has no space for them. */
static bool gather(struct merge *merge, struct source *source, const unsigned char *cut,
                   bool is_inclusive, size_t *count)
{
    const struct external_plan *plan = &merge->external->plan;
    const size_t size = merge->external->order->size;
    const size_t capacity = (merge->source_count + plan->batch_blocks) * plan->block_elements;
    struct block *block;

    while ((block = source->loaded.first) != NULL) {
        const size_t part = cut == NULL ? block->count - block->taken
                                        : count_before(merge, block, cut, is_inclusive);

        if (part > capacity - *count)
            return false;
        merge->copies[merge->copy_count++] = (struct parallel_copy){
            merge->buffer + *count * size, block->elements + block->taken * size, part * size};
        *count += part;
        block->taken += part;
        if (block->taken < block->count)
            return true;
        list_take(&source->loaded);
        block->next = merge->free_blocks;
        merge->free_blocks = block;
    }
    return true;
}

/* Copies the part of each run up to the cut to the buffer. Prints an error and returns false if the elements are not
 * those that the runs had when they were formed, which shows in too many or too few of them. */
static bool gather_batch(struct merge *merge, size_t *count)
{
    const struct block *next = merge->reading.first;
    const struct source *source = next == NULL ? NULL : &merge->sources[next->source];
    const unsigned char *cut = NULL;
    bool done = next != NULL || next_source(merge) == NULL;

    *count = merge->copy_count = 0;
    if (next != NULL) {
        /* The index of the block within its run */
        uint64_t number = source->started;
        for (const struct block *block = next; block != NULL; block = block->next)
            number -= block->source == next->source;
        cut = runs_last(merge->runs, source->run, number - 1);
    }
    for (size_t i = 0; i < merge->source_count && done; i++)
        done = gather(merge, &merge->sources[i], cut,
                      source == NULL || &merge->sources[i] <= source, count);
    parallel_copy(merge->copies, merge->copy_count);
    if (done && (*count > 0 || next == NULL))
        return true;
    print_error(merge->external->inputs[0].name,
                "the runs are not in order any more: %sthe input has changed meanwhile, or the "
                "memory or a disk is faulty",
                merge->external->order->suspect);
    return false;
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
        size_t count;
        if (!gather_batch(merge, &count))
            return false;
        read_ahead(merge);
        if (count == 0)
            return true;
        if (!order->sort(order->context, merge->buffer, count) ||
            !take(context, merge->buffer, count))
            return false;
    }
}

bool cuts_merge(struct external *external, struct io *io, struct store *store,
                const struct runs *runs, size_t first, size_t count, cuts_taker *take,
                void *context)
{
    struct merge merge = {
        .external = external, .io = io, .store = store, .runs = runs, .source_count = count};
    const bool done = open_merge(&merge, first) && merge_all(&merge, take, context);

    close_merge(&merge);
    return done;
}
