/* external_plan.c - clsort-external: the sizes of an external sort, and what it costs */
#include "external_plan.h"

#include "io.h"
#include "store.h"

enum {
    BLOCKS =
        512, /* into which the memory is divided, if that gives blocks of a size in these limits */
    MIN_BLOCK = IO_ALIGNMENT,
    MAX_BLOCK = 4 << 20,
    MAX_BATCH = 64 << 20, /* bytes; sorts of more are not faster */
    MIN_WRITE_BLOCKS = 8,
    PLACES = 64, /* bytes for each block: the places of 4 passes in a list that grows */
    COUNT_CHUNK =
        8 << 20, /* bytes of keys that are counted, or from which is selected, at a time */
    CANDIDATES =
        1 << 15, /* of a selection of few, which the host sorts in less than a millisecond */
    COUNT_TABLES = 17 << 17 /* bytes of the counters of keys of 16 bits, and of their order */
};

/* The part of a run that is being written while the next one is sorted, if blocks are copied before */
static const double WRITTEN_PART = 0.5;

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

/* Returns the bytes that an element needs when it is read: for itself, and for the one that is read meanwhile. */
static size_t reading_size(const struct external_plan *plan, const struct external_request *request)
{
    const size_t converted = request->input_size > 0 ? plan->size : 0;

    return 2 * plan->input_size + converted;
}

/* Returns the bytes of a part of the output. */
static uint64_t output_bytes(const struct external_plan *plan, uint64_t count)
{
    return external_plan_output(plan, count) * plan->output_size;
}

/* Chooses the size of blocks. Huge elements have blocks of their own. If those of the inputs are larger, a block has no
 * more elements than one of these would have, because runs consist of whole blocks. */
static void choose_blocks(struct external_plan *plan, uint64_t memory)
{
    const size_t multiple =
        plan->size & -plan->size; /* the highest power of 2 that divides the size */
    const size_t unit = multiple < IO_ALIGNMENT ? IO_ALIGNMENT / multiple : 1;
    uint64_t target = memory / BLOCKS;

    target = target < MIN_BLOCK ? MIN_BLOCK : target > MAX_BLOCK ? MAX_BLOCK : target;
    const size_t size = plan->size > plan->input_size ? plan->size : plan->input_size;
    plan->block_elements = target / size > 0 ? (size_t)(target / size) : 1;
    plan->is_in_place = plan->block_elements >= unit;
    if (plan->is_in_place)
        plan->block_elements -= plan->block_elements % unit;
    plan->block_size = align(plan->block_elements * plan->size);
}

/* Chooses the sizes of merges for memory of `blocks` blocks. A merge of k runs in batches of g blocks has a pool of at
 * least k + 2g blocks: the partly consumed block of each run, the blocks of the batch, and those that are read ahead.
 * Up to k + g blocks become one batch, which needs scratch memory to be sorted, and at least g + 2 blocks are being
 * written. If memory is left, k more can be written, so that no batch waits for its own blocks, and read ahead. */
static bool choose_merges(struct external_plan *plan, double blocks, double scratch,
                          size_t max_fan_in)
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
    if (max_fan_in > 0 && plan->fan_in > max_fan_in)
        plan->fan_in = max_fan_in;
    if (plan->run_count < plan->fan_in) { /* larger batches fit */
        batch = (blocks - 2 - (double)plan->run_count * per_run) / per_batch_block;
        batch = batch > max_batch ? max_batch : batch;
        plan->fan_in = plan->run_count < 2 ? 2 : (size_t)plan->run_count;
    }
    plan->batch_blocks = batch < 1 ? 1 : (size_t)batch;
    const double used =
        2 + (double)plan->fan_in * per_run + (double)plan->batch_blocks * per_batch_block;
    const size_t left = blocks > used ? (size_t)(blocks - used) : 0;
    const size_t written = left < plan->fan_in ? left : plan->fan_in;
    const size_t ahead = left - written < plan->fan_in ? left - written : plan->fan_in;
    plan->pool_blocks = plan->fan_in + 2 * plan->batch_blocks + ahead;
    plan->merge_write_blocks = plan->batch_blocks + 2 + written;
    return true;
}

size_t external_plan_next(struct external_sequence *sequence)
{
    const size_t group = external_plan_group(sequence->fan_in, sequence->runs);

    if (group == 0)
        return 0;
    if (sequence->pass == 0 || sequence->next + group > sequence->runs) {
        sequence->pass++;
        sequence->next = 0;
    }
    sequence->first = sequence->next++;
    sequence->runs -= group - 1;
    return group;
}

unsigned external_plan_passes_left(struct external_sequence sequence)
{
    while (external_plan_next(&sequence) > 0)
        continue;
    return sequence.pass + 1;
}

unsigned external_plan_merge_passes(const struct external_plan *plan, uint64_t runs)
{
    return external_plan_passes_left(
        (struct external_sequence){.fan_in = plan->fan_in, .runs = runs});
}

/* Returns the bytes that merges to runs read and write, and those of the largest of these runs. */
static uint64_t count_merges(const struct external_plan *plan, uint64_t runs, double run_elements,
                             uint64_t *largest)
{
    struct external_sequence sequence = {.fan_in = plan->fan_in, .runs = runs};
    const double all = (double)plan->count;
    uint64_t bytes = 0;
    size_t group;

    *largest = 0;
    for (unsigned pass = 1; (group = external_plan_next(&sequence)) > 0;) {
        if (sequence.pass > pass) {
            run_elements *= (double)plan->fan_in;
            pass = sequence.pass;
        }
        const double moved = (double)group * run_elements;
        const double merged = (moved < all ? moved : all) * (double)plan->size;

        *largest = (double)*largest < merged ? (uint64_t)merged : *largest;
        bytes += (uint64_t)(2 * merged);
    }
    return bytes;
}

uint64_t external_plan_merge_bytes(const struct external_plan *plan, uint64_t runs,
                                   double run_elements)
{
    const uint64_t last = plan->count * plan->size + output_bytes(plan, plan->count);
    uint64_t largest;

    return last + count_merges(plan, runs, run_elements, &largest);
}

/* Returns the maximum number of runs of inputs that are in the store at a time: those that the first pass merges. */
static uint64_t count_stored_runs(const struct external_plan *plan)
{
    struct external_sequence sequence = {.fan_in = plan->fan_in, .runs = plan->run_count};
    uint64_t count = 0;

    while (external_plan_next(&sequence) > 0 && sequence.pass == 1)
        count++;
    return count;
}

/* Returns the maximum number of bytes of all runs in the store. If it has places, the last block of a run takes only
 * the units of IO_ALIGNMENT bytes that its elements need; else only the last run has a block that is not full. */
static uint64_t stored_bytes(const struct external_plan *plan)
{
    const uint64_t rest = plan->count % plan->block_elements;
    const uint64_t full = plan->count / plan->block_elements * plan->block_size;

    if (!plan->is_merge)
        return full + (rest > 0 ? plan->block_size : 0);
    return align(full + divide_up(rest * plan->block_size, plan->block_elements)) +
           (count_stored_runs(plan) + 1) * IO_ALIGNMENT;
}

/* Computes passes and bytes. */
static void count_moves(struct external_plan *plan)
{
    plan->passes = !plan->is_merge;
    plan->bytes_moved = plan->is_merge ? 0 : plan->count * (plan->input_size + plan->size);
    if (plan->run_count <= 1 && !plan->is_merge)
        return;
    plan->passes += external_plan_merge_passes(plan, plan->run_count);
    plan->bytes_moved +=
        external_plan_merge_bytes(plan, plan->run_count, (double)plan->run_elements);
}

/* Plans a count of keys. Returns false if the memory does not suffice. */
static bool make_count(struct external_plan *plan, const struct external_request *request,
                       uint64_t memory)
{
    const uint64_t chunk = memory / 4 < COUNT_CHUNK ? memory / 4 : COUNT_CHUNK;
    const uint64_t keys = plan->size << 16; /* bytes of all keys, which are sorted */
    const uint64_t buffer = plan->block_size + keys + request->scratch_fixed +
                            (uint64_t)((double)keys * request->scratch_per_byte);

    plan->run_elements = (size_t)(chunk / plan->size);
    plan->write_blocks = MIN_WRITE_BLOCKS;
    plan->passes = 1;
    plan->bytes_moved = plan->count * plan->size + output_bytes(plan, plan->count);
    return chunk >= plan->block_size &&
           2 * (chunk + 2 * IO_ALIGNMENT) + buffer + COUNT_TABLES +
                   plan->write_blocks * external_plan_block_memory(plan) <=
               memory;
}

uint64_t external_plan_near(const struct external_selection *selection, uint64_t count)
{
    const uint64_t near =
        selection->is_from_end ? count - selection->first : selection->first + selection->count;

    return near > 0 ? near : 1;
}

uint64_t external_plan_output(const struct external_plan *plan, uint64_t count)
{
    if (plan->row_elements > 0)
        return count / plan->row_elements * plan->row_kept;
    return plan->selection.is_given && plan->selection.count < count ? plan->selection.count
                                                                     : count;
}

/* Returns how many elements fit in the memory if each of them needs `bytes`, besides the scratch memory of a sort, the
 * ends of the buffers that are read, and the blocks that are being written. */
static double fitting_elements(const struct external_plan *plan,
                               const struct external_request *request, uint64_t memory,
                               size_t bytes)
{
    const uint64_t writing = plan->write_blocks * external_plan_block_memory(plan);
    const uint64_t fixed = request->scratch_fixed + writing + 4 * IO_ALIGNMENT;

    return memory < fixed ? 0
                          : (double)(memory - fixed) /
                                ((double)bytes + (double)plan->size * request->scratch_per_byte);
}

/* Plans a selection in one read. Returns false if the memory does not suffice for twice as many elements as must be
 * kept. */
static bool make_selection(struct external_plan *plan, const struct external_request *request,
                           uint64_t memory)
{
    const double near = (double)external_plan_near(&request->selection, plan->count);
    const double preferred = 4 * near > CANDIDATES ? 4 * near : CANDIDATES;
    const uint64_t chunk = memory / 8 < COUNT_CHUNK ? memory / 8 : COUNT_CHUNK;

    plan->write_blocks = MIN_WRITE_BLOCKS;
    plan->run_elements = chunk / plan->size > 0 ? (size_t)(chunk / plan->size) : 1;
    const uint64_t reading =
        (uint64_t)plan->run_elements * reading_size(plan, request) + IO_ALIGNMENT;
    const double fitting =
        reading < memory ? fitting_elements(plan, request, memory - reading, plan->size) : 0;
    if (fitting < 2 * near)
        return false;
    plan->candidates = (size_t)(fitting < preferred ? fitting : preferred);
    plan->run_count = plan->passes = 1;
    plan->bytes_moved = plan->count * plan->input_size + plan->selection.count * plan->output_size;
    return true;
}

/* Plans sorts of as many whole rows as fit at a time. Returns false if not even one does. */
static bool make_rows(struct external_plan *plan, const struct external_request *request,
                      uint64_t memory)
{
    plan->write_blocks = MIN_WRITE_BLOCKS;
    const double rows = fitting_elements(plan, request, memory, reading_size(plan, request)) /
                        (double)request->row_elements;
    const uint64_t total = plan->count / request->row_elements;
    if (rows < 1)
        return false;
    plan->row_elements = request->row_elements;
    plan->row_kept = request->row_kept;
    plan->run_elements =
        (rows < (double)total ? (size_t)rows : (size_t)total) * request->row_elements;
    plan->run_count = plan->passes = 1;
    plan->bytes_moved = plan->count * plan->input_size + output_bytes(plan, plan->count);
    return true;
}

/* Makes a plan whose store, if it has one, keeps a list of places or not. */
static bool make(struct external_plan *plan, const struct external_request *request,
                 bool has_places)
{
    uint64_t memory = request->memory;

    plan->input_size = request->input_size > 0 ? request->input_size : plan->size;
    plan->output_size = request->output_size > 0 ? request->output_size : plan->size;
    choose_blocks(plan, memory);
    plan->is_merge = request->inputs > 0;
    plan->selection = request->selection;
    if (request->row_elements > 0 && plan->count > 0)
        return make_rows(plan, request, memory);
    if (request->selection.is_given && make_selection(plan, request, memory))
        return true;
    if (request->is_counted && !plan->is_merge && make_count(plan, request, memory)) {
        plan->is_counted = true;
        return true;
    }
    /* The last element of each block is kept in memory. */
    const uint64_t blocks = divide_up(plan->count, plan->block_elements) + request->inputs;
    uint64_t fixed = request->scratch_fixed + 2 * blocks * plan->size;
    plan->has_places = has_places;
    if (plan->has_places)
        fixed += PLACES * blocks;
    if (request->compression != CODEC_NONE)
        fixed += IO_WORKERS * plan->block_size;
    if (fixed > memory)
        return false;
    memory -= fixed;
    const double written_part = plan->is_in_place ? 1 : WRITTEN_PART;
    plan->write_blocks = MIN_WRITE_BLOCKS;
    const uint64_t writing = plan->write_blocks * external_plan_block_memory(plan);
    const uint64_t ends = 6 * IO_ALIGNMENT; /* of the buffers that are read and converted */
    if (memory < writing + ends)
        return false;
    const double per_element = (double)reading_size(plan, request) +
                               (double)plan->size * (written_part + request->scratch_per_byte);
    const double max_elements = (double)(memory - writing - ends) / per_element;
    plan->run_elements =
        max_elements < (double)plan->count ? (size_t)max_elements : (size_t)plan->count;
    if (plan->run_elements < plan->count)
        plan->run_elements -= plan->run_elements % plan->block_elements;
    if (plan->run_elements == 0 && plan->count > 0)
        return false;
    if (plan->is_merge)
        plan->run_elements = (size_t)divide_up(plan->count, request->inputs);
    else if (request->run_elements > 0)
        plan->run_elements = request->run_elements;
    plan->write_blocks +=
        (size_t)(written_part * (double)plan->run_elements / (double)plan->block_elements);
    plan->run_count = plan->is_merge     ? request->inputs
                      : plan->count == 0 ? 0
                                         : divide_up(plan->count, plan->run_elements);
    if (plan->run_count == 0)
        return true;
    if (!choose_merges(plan, (double)memory / (double)external_plan_block_memory(plan),
                       request->scratch_per_byte, request->max_fan_in))
        return false;
    count_moves(plan);
    const bool is_stored = plan->is_merge ? plan->run_count > plan->fan_in : plan->run_count > 1;
    plan->compression = is_stored ? request->compression : CODEC_NONE;
    plan->disk = is_stored ? stored_bytes(plan) : 0;
    if (plan->run_count > plan->fan_in && !request->is_kept)
        plan->lag = align(plan->disk / (STORE_PUNCHES - 1)); /* 1/STORE_PUNCHES of the sum */
    plan->disk += plan->lag;
    if (request->is_kept)
        count_merges(plan, plan->run_count, (double)plan->run_elements, &plan->merge_disk);
    return true;
}

/* Makes a plan. A merge of inputs has a list of places, which takes memory, only if one pass does not suffice. */
static bool make_plan(struct external_plan *plan, const struct external_request *request)
{
    const struct external_plan empty = {.size = request->size, .count = request->count};

    *plan = empty;
    if (!make(plan, request, request->compression != CODEC_NONE))
        return false;
    if (!plan->is_merge || plan->has_places || plan->disk == 0)
        return true;
    *plan = empty;
    return make(plan, request, true);
}

bool external_plan_make(struct external_plan *plan, const struct external_request *request,
                        uint64_t *needed)
{
    struct external_request larger = *request;

    for (*needed = request->memory;; *needed = larger.memory) {
        if (make_plan(plan, &larger))
            return *needed == request->memory;
        larger.memory += larger.memory / 8 + 65536;
    }
}
