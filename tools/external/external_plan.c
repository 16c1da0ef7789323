/* external_plan.c - clsort-external: the sizes of an external sort, and what it costs */
#include "external_plan.h"

#include "io.h"

enum {
    BLOCKS =
        512, /* into which the memory is divided, if that gives blocks of a size in these limits */
    MIN_BLOCK = IO_ALIGNMENT,
    MAX_BLOCK = 4 << 20,
    MAX_BATCH = 64 << 20, /* bytes; sorts of more are not faster */
    MIN_WRITE_BLOCKS = 8,
    PLACES = 64,           /* bytes for each block: the entries of 4 passes in a list that grows */
    COUNT_CHUNK = 8 << 20, /* bytes of keys that are counted at a time */
    COUNT_TABLES = 3 << 19 /* bytes of the counters of keys of 16 bits, and of their order */
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t align(uint64_t size)
{
    return divide_up(size, IO_ALIGNMENT) * IO_ALIGNMENT;
}

size_t external_plan_block_memory(const struct external_plan *plan)
{
    return plan->block_size + 2 * IO_ALIGNMENT;
}

size_t external_plan_group(size_t fan_in, uint64_t runs)
{
    if (runs <= fan_in)
        return 0;
    return runs - fan_in + 1 < fan_in ? (size_t)(runs - fan_in + 1) : fan_in;
}

/* Chooses the size of blocks. Huge elements have blocks of their own. */
static void choose_blocks(struct external_plan *plan, uint64_t memory)
{
    uint64_t target = memory / BLOCKS;

    target = target < MIN_BLOCK ? MIN_BLOCK : target > MAX_BLOCK ? MAX_BLOCK : target;
    plan->block_elements = target / plan->size > 0 ? (size_t)(target / plan->size) : 1;
    plan->block_size = align(plan->block_elements * plan->size);
}

/* Chooses the sizes of merges for memory of `blocks` blocks. A merge of k runs in batches of g blocks has a pool of
 * k + 2g blocks: the partly consumed block of each run, the blocks of the batch, and those that are read ahead. Up to
 * k + g blocks become one batch, which needs scratch memory to be sorted, and g + 2 blocks are being written. */
static bool choose_merges(struct external_plan *plan, double blocks, double scratch)
{
    const double per_run = 2 + scratch, per_batch_block = 4 + scratch;
    const double max_batch = MAX_BATCH / (double)plan->block_size;
    double batch = blocks / (4 * per_batch_block);

    batch = batch > max_batch ? max_batch : batch;
    batch = batch < 1 ? 1 : (double)(uint64_t)batch;
    const double runs = (blocks - 2 - batch * per_batch_block) / per_run;
    if (runs < 2)
        return false;
    plan->fan_in = (size_t)runs;
    if (plan->run_count < plan->fan_in) { /* larger batches fit */
        batch = (blocks - 2 - (double)plan->run_count * per_run) / per_batch_block;
        batch = batch > max_batch ? max_batch : batch;
        plan->fan_in = plan->run_count < 2 ? 2 : (size_t)plan->run_count;
    }
    plan->batch_blocks = batch < 1 ? 1 : (size_t)batch;
    plan->pool_blocks = plan->fan_in + 2 * plan->batch_blocks;
    return true;
}

/* Computes passes and bytes by the sequence of merges. Runs are consecutive parts of a list, from the first to the
 * last, and again from the first. */
static void count_moves(struct external_plan *plan)
{
    const uint64_t bytes = plan->count * plan->size;
    uint64_t runs = plan->run_count, left = runs; /* left: not merged yet in this pass */
    double length = 1;                            /* of these, in runs */
    size_t group;

    plan->passes = runs > 1 ? 2 : 1;
    plan->bytes_moved = 2 * bytes * plan->passes;
    for (bool is_first = true; (group = external_plan_group(plan->fan_in, runs)) > 0;) {
        if (is_first || left < group) {
            length *= is_first ? 1 : (double)plan->fan_in;
            left = runs;
            is_first = false;
            plan->passes++;
        }
        const double moved = 2.0 * (double)group * length * (double)plan->run_elements;
        const double all = 2.0 * (double)plan->count;
        plan->bytes_moved += (uint64_t)((moved < all ? moved : all) * (double)plan->size);
        plan->merges++;
        runs -= group - 1;
        left -= group;
    }
}

/* Plans a count of keys. Returns false if the memory does not suffice. */
static bool make_count(struct external_plan *plan, uint64_t memory)
{
    const uint64_t chunk = memory / 4 < COUNT_CHUNK ? memory / 4 : COUNT_CHUNK;
    const uint64_t buffer = plan->block_size + (plan->size << 16); /* and a sort of all keys */

    plan->run_elements = (size_t)(chunk / plan->size);
    plan->write_blocks = MIN_WRITE_BLOCKS;
    plan->passes = 1;
    plan->bytes_moved = 2 * plan->count * plan->size;
    return chunk >= plan->block_size &&
           2 * (chunk + 2 * IO_ALIGNMENT) + buffer + COUNT_TABLES +
                   plan->write_blocks * external_plan_block_memory(plan) <=
               memory;
}

static bool make(struct external_plan *plan, const struct external_request *request)
{
    uint64_t memory = request->memory;

    choose_blocks(plan, memory);
    if (request->is_counted && make_count(plan, memory)) {
        plan->is_counted = true;
        return true;
    }
    /* The last element of each block is kept in memory. */
    const uint64_t blocks = divide_up(plan->count, plan->block_elements);
    uint64_t fixed = request->scratch_fixed + 2 * blocks * plan->size;
    if (request->compression != CODEC_NONE)
        fixed += PLACES * blocks + IO_WORKERS * plan->block_size;
    if (fixed > memory)
        return false;
    memory -= fixed;
    plan->write_blocks = MIN_WRITE_BLOCKS;
    const uint64_t writing = plan->write_blocks * external_plan_block_memory(plan);
    const uint64_t ends = 4 * IO_ALIGNMENT; /* of the two buffers of runs */
    if (memory < writing + ends)
        return false;
    const double per_element = (double)plan->size * (2 + request->scratch_per_byte);
    const double max_elements = (double)(memory - writing - ends) / per_element;
    plan->run_elements =
        max_elements < (double)plan->count ? (size_t)max_elements : (size_t)plan->count;
    if (plan->run_elements < plan->count)
        plan->run_elements -= plan->run_elements % plan->block_elements;
    if (plan->run_elements == 0)
        return plan->count == 0;
    plan->run_count = divide_up(plan->count, plan->run_elements);
    if (!choose_merges(plan, (double)memory / (double)external_plan_block_memory(plan),
                       request->scratch_per_byte))
        return false;
    count_moves(plan);
    plan->compression = plan->run_count > 1 ? request->compression : CODEC_NONE;
    plan->disk = plan->run_count > 1 ? blocks * plan->block_size : 0;
    return true;
}

bool external_plan_make(struct external_plan *plan, const struct external_request *request,
                        uint64_t *needed)
{
    struct external_request larger = *request;

    for (*needed = request->memory;; *needed = larger.memory) {
        *plan = (struct external_plan){
            .is_counted = request->is_counted, .size = request->size, .count = request->count};
        if (make(plan, &larger))
            return *needed == request->memory;
        larger.memory += larger.memory / 8 + 65536;
    }
}
