/* descriptor.c - fuzz target: descriptors on made-up devices, and calls; accepted descriptors must have valid plans and
 * descriptions, and accepted calls the arrays that their operation needs
 *
 * An input is a sequence of little-endian numbers, which made_up_device and read_descriptor take in order. Missing
 * numbers are 0. The name of the algorithm follows, up to the first zero byte or the end. Behind it are numbers again:
 * the fields that not all operations have (take_forms), and the members of clsort_io (made_up_io). */
#include "base/versioned.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/segment_selection_test.h"
#include "plan/segmented_test.h"
#include "plan/selection_test.h"

#include "fuzz.h"

#include <string.h>

#define INDEX32_MAX 0xf0000000u /* as in caps.c */

struct input {
    const uint8_t *data;
    size_t size;
};

static uint64_t take(struct input *input, size_t bytes)
{
    uint64_t number = 0;
    const size_t there = bytes < input->size ? bytes : input->size;
    for (size_t i = 0; i < there; i++)
        number |= (uint64_t)input->data[i] << 8 * i;
    input->data += there;
    input->size -= there;
    return number;
}

/* Takes a limit from 1 to max. */
static uint64_t take_limit(struct input *input, size_t bytes, uint64_t max)
{
    const uint64_t limit = take(input, bytes);
    return limit == 0 ? 1 : limit < max ? limit : max;
}

static struct cls_caps made_up_device(struct input *input)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU,
                                           CL_DEVICE_TYPE_ACCELERATOR};
    const uint64_t type = take(input, 1);
    struct cls_caps caps = {.type = types[type % 3], .compresses = type & 128};
    caps.units = (cl_uint)take_limit(input, 2, UINT16_MAX);
    caps.group_size = take_limit(input, 4, UINT32_MAX);
    caps.local_bytes = take(input, 8);
    caps.max_alloc = take(input, 8);
    caps.index32_max = take_limit(input, 4, INDEX32_MAX);
    caps.max_iterations = take_limit(input, 8, UINT64_MAX);
    caps.max_launch_tiles = UINT64_MAX;
    return caps;
}

/* Takes the fields of a custom order. The texts are constants, because the request keeps pointers to them; nothing
 * compiles them. */
static void take_order(struct input *input, clsort_desc *desc)
{
    desc->key_size = take(input, 4);
    const uint64_t texts = take(input, 1);
    desc->key_type = texts & 1 ? NULL : "key";
    desc->less = texts & 2 ? " " : "a < b";
    desc->prelude = texts & 4 ? "struct key;" : NULL;
}

/* Takes the name of the algorithm, which the caller frees. */
static char *take_name(struct input *input)
{
    const uint8_t *end = input->size > 0 ? memchr(input->data, 0, input->size) : NULL;
    const size_t length = end ? (size_t)(end - input->data) : input->size;
    char *name = malloc(length + 1);
    require(name);
    if (length > 0)
        memcpy(name, input->data, length);
    name[length] = '\0';
    input->data += length;
    input->size -= length;
    take(input, 1);
    return name;
}

/* Takes the fields of segments, selections and counts in device memory. */
static void take_forms(struct input *input, clsort_desc *desc)
{
    const uint64_t forms = take(input, 1);
    if (forms & 7)
        desc->segments = (uint32_t)forms & 7;
    if (forms >> 3 & 3)
        desc->count_size = 4 * (uint32_t)(forms >> 3 & 3);
    if (forms >> 5 & 3)
        desc->index_size = 4 * (uint32_t)(forms >> 5 & 3);
    desc->max_k = take(input, 8);
    desc->max_segments = take(input, 8);
}

/* Reads a descriptor of any struct_size, as callers of other versions pass it. Its memory has exactly that size. */
static clsort_status read_descriptor(struct input *input, struct cls_request *request)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    const size_t size = desc.struct_size = take(input, 1) % (sizeof desc + 32);
    desc.key = (clsort_key)take(input, 1);
    desc.flags = (uint32_t)take(input, 4);
    desc.value_size = take(input, 8);
    desc.begin_bit = (uint32_t)take(input, 4);
    desc.end_bit = (uint32_t)take(input, 4);
    desc.max_count = take(input, 8);
    const uint8_t future = (uint8_t)take(input, 1);
    desc.operation = future % 9;
    desc.index_size = future < 64 ? 0 : future >> 4;
    desc.segments = future < 240 ? 0 : future % 8;
    desc.count_size = future < 224 ? 0 : future % 9;
    if (desc.key == CLSORT_CUSTOM)
        take_order(input, &desc);

    char *text = take_name(input);
    unsigned char *given = malloc(size > sizeof size ? size : sizeof size);
    require(given);
    desc.algorithm = *text ? text : NULL;
    take_forms(input, &desc);
    memcpy(given, &desc, sizeof size);
    memcpy(given, &desc, size < sizeof desc ? size : sizeof desc);
    if (size > sizeof desc)
        memset(given + sizeof desc, future, size - sizeof desc);
    const clsort_status status =
        cls_request_read((const clsort_desc *)(const void *)given, request);
    free(given);
    free(text); /* the request must not refer to it */
    return status;
}

static void check_request(const struct cls_request *request)
{
    const struct cls_spec *spec = &request->spec;
    const unsigned bits = 8 * spec->key_bytes;
    require(spec->begin_bit <= spec->end_bit && spec->end_bit <= bits);
    require(spec->order == CLS_ORDER_CUSTOM || request->columns.count > 0 ||
            cls_ordered(spec, spec->pad) == UINT64_MAX >> (64 - bits));
    require(cls_count_fits(spec, request->max_count));
}

/* Returns whether its work-groups sort tiles by 4-way splits. */
static bool splits_tiles(const struct cls_algo *algo)
{
    return algo == &cls_algo_local || algo == &cls_algo_radix;
}

/* The kernels are compiled for values within the device's limits. */
static void check_choice(const struct cls_caps *caps, const struct cls_request *request,
                         uint64_t count, unsigned failed, const struct cls_choice *choice)
{
    const struct cls_tuning *tuning = &choice->tuning;
    const struct cls_spec *spec = &choice->spec;
    require(!request->algorithm.algo || cls_algo_is(choice->algo, request->algorithm.algo));
    require(!(failed & cls_algo_bit(choice->algo)));
    require(choice->max_count >= count);
    require(spec->index_bits == 64 || (spec->index_bits == 32 && choice->max_count <= INDEX32_MAX));
    const unsigned once = choice->algo->max_value_bytes_once;
    const size_t max_moved = spec->operation != CLSORT_SORT && once > 0 ? once : 16;
    require(choice->gathers == (request->spec.value_bytes > max_moved));
    require(spec->value_bytes <= max_moved);
    require(tuning->group_size > 0 && tuning->group_size <= caps->group_size);
    require((tuning->group_size & (tuning->group_size - 1)) == 0);
    if (splits_tiles(choice->algo)) {
        const uint64_t tile =
            (uint64_t)tuning->group_size *
            (choice->algo == &cls_algo_local ? tuning->local.items : tuning->radix.items);
        require(tile > 0 && tile <= UINT16_MAX);
        require(tile * spec->key_bytes + 16 * tuning->group_size <= caps->local_bytes);
    }
    struct cls_program_spec programs[CLS_MAX_STAGE_PROGRAMS];
    const size_t count_of_programs = cls_stage_programs(caps, choice, programs);
    for (size_t i = 0; i < count_of_programs; i++)
        require(cls_text_fits(&programs[i].options));
}

static void check_gather(const struct cls_gather *gather, const struct cls_caps *caps)
{
    const uint64_t slice = cls_gather_slice(gather);
    require(slice > 0 && slice <= gather->value_bytes &&
            slice % cls_alignment(gather->value_bytes) == 0);
    require(gather->group_size > 0 && gather->group_size <= caps->group_size);
}

/* The stages that cls_plan_create would compile and test. */
static void add_stages(struct clsort_plan *plan, const struct cls_caps *caps, unsigned failed)
{
    const struct cls_spec *spec = &plan->request.spec;
    const uint64_t widest =
        spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes;
    const uint64_t wanted =
        plan->request.max_count ? plan->request.max_count : (UINT64_MAX >> 8) / widest;
    const struct cls_ladders ladders = cls_ladders_for(caps);
    while (plan->max_count < wanted && plan->stages < CLS_MAX_STAGES) {
        struct cls_stage *stage = &plan->stage[plan->stages];
        const uint64_t count = plan->max_count + 1;
        if (!cls_choose(caps, &ladders, &plan->request, count, failed, &stage->choice))
            return;
        check_choice(caps, &plan->request, count, failed, &stage->choice);
        if (stage->choice.gathers)
            check_gather(&stage->choice.gather, caps);
        if (failed)
            memset(stage->excluded, 'x', sizeof stage->excluded - 1);
        cls_plan_append_stage(plan);
        if (plan->max_count > wanted)
            plan->max_count = wanted;
    }
}

/* Checks what clsort.h guarantees about scratch and descriptions; returns the scratch size. */
static uint64_t check_count(const struct clsort_plan *plan, uint64_t count)
{
    const struct cls_spec *spec = &plan->request.spec;
    const uint64_t scratch = cls_plan_scratch_bytes(plan, count);
    const uint64_t data = count * (spec->key_bytes + spec->value_bytes);
    const uint64_t keys = spec->operation == CLSORT_ARGSORT ? count * spec->key_bytes : 0;
    require(scratch <= data + data / 16 + keys + (32 << 20));
    char line[1024]; /* as in clsort_plan_describe */
    struct cls_text text = CLS_TEXT(line);
    cls_plan_describe(plan, count, &text);
    require(text.length > 0 && cls_text_fits(&text));
    return scratch;
}

/* -- plans without stages ---------------------------------------------------------------------- */

/* A plan without stages, as it would be compiled. */
union unstaged {
    struct cls_selection selection;
    struct cls_segment_selection segment_selection;
    struct cls_segmented segmented;
};

/* The scratch of a segmented sort, without the sort of begins and ends: its bound, and that it is monotonic. */
static void check_segmented_scratch(const struct cls_segmented *segmented, uint64_t count,
                                    uint64_t number)
{
    const struct cls_spec *spec = &segmented->segments.spec;
    const uint64_t data = count * (spec->key_bytes + spec->value_bytes);
    const uint64_t extra = segmented->gathers             ? count * spec->value_bytes
                           : segmented->may_omit_keys_out ? count * spec->key_bytes
                                                          : 0;
    const uint64_t tile = cls_segments_tile(&segmented->segments, 0);
    const uint64_t tiles = tile < 512 ? 32 * (count / tile + 2) : 0;
    const uint64_t bytes = cls_segmented_scratch_for(segmented, count, number);
    require(segmented->gathers ||
            bytes <= data + data / 16 + extra + tiles + 16 * number + (32 << 20) + 4096);
    require(bytes >= cls_segmented_scratch_for(segmented, count / 2, number));
    require(bytes >= cls_segmented_scratch_for(segmented, count, number / 2));
}

/* Checks the kernels that cls_tested_create would compile. Returns the maximum count, or 0 if the device does not
 * support the plan. */
static uint64_t check_unstaged(const struct cls_request *request, const struct cls_caps *caps,
                               uint64_t number)
{
    static union unstaged plan;
    const bool selects = cls_operation_of(&request->spec)->selects;
    const struct cls_tested *tested = !selects ? &cls_segmented_tested
                                      : request->spec.segments != CLSORT_WHOLE
                                          ? &cls_segment_selection_tested
                                          : &cls_selection_tested;
    plan = (union unstaged){0};
    if (tested->choose(caps, request, &plan) != CLSORT_OK)
        return 0;
    const struct cls_selection_parts *parts =
        tested == &cls_selection_tested ? &plan.selection.parts : &plan.segment_selection.parts;
    const uint64_t max = selects ? parts->max_count : plan.segmented.max_count;
    const unsigned group = tested->group_size(&plan);
    struct cls_program_spec programs[CLS_MAX_TESTED_PROGRAMS];
    const size_t count = tested->programs(&plan, programs);
    require(max > 0 && (request->max_count == 0 || max == request->max_count));
    require(!selects || (parts->max_k > 0 && parts->max_k <= max));
    require(group > 0 && group <= caps->group_size && (group & (group - 1)) == 0);
    require(count > 0 && count <= CLS_MAX_TESTED_PROGRAMS);
    require(tested->test_count(&plan) > 0);
    for (size_t i = 0; i < count; i++)
        require(cls_text_fits(&programs[i].options));
    if (!selects)
        check_segmented_scratch(&plan.segmented, number % (max < 1ull << 40 ? max : 1ull << 40) + 1,
                                number >> 32);
    return max;
}

/* -- calls ------------------------------------------------------------------------------------- */

enum { OBJECTS = 16 };

/* Takes a buffer, or none: one of a few, so that some are the same. No function uses its object. */
static clsort_buffer take_buffer(struct input *input)
{
    static char objects[OBJECTS];
    const uint64_t byte = take(input, 1);
    return (clsort_buffer){byte % OBJECTS > 0 ? (cl_mem)(void *)&objects[byte % OBJECTS] : NULL,
                           8 * (size_t)(byte / OBJECTS)};
}

/* Makes up the members of a call of a plan for up to max elements, as clsort_enqueue checks them before. */
static clsort_io made_up_io(struct input *input, uint64_t max)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = (size_t)take(input, 8);
    io.second_count = (size_t)take(input, 8);
    io.source_count = (size_t)take(input, 8);
    io.k = (size_t)take(input, 8);
    io.segment_count = (size_t)take(input, 8);
    clsort_buffer *const buffers[] = {
        &io.keys,      &io.values,       &io.keys_out,    &io.values_out,   &io.scratch,
        &io.index_out, &io.index,        &io.result,      &io.offsets,      &io.ends,
        &io.ks,        &io.count_buffer, &io.second_keys, &io.second_values};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        *buffers[i] = take_buffer(input);
    io.count = io.count <= max ? io.count : (size_t)max;
    io.second_count =
        io.second_count <= max - io.count ? io.second_count : (size_t)(max - io.count);
    return io;
}

/* Checks the arrays of an accepted call. */
static void check_arrays(const struct cls_spec *spec, const clsort_io *io,
                         const struct cls_arrays *arrays)
{
    const bool has_offsets = spec->segments == CLSORT_OFFSETS || spec->segments == CLSORT_BEGIN_END;
    require(arrays->count ==
            io->count + (spec->operation == CLSORT_MERGE_SORTED ? io->second_count : 0));
    require(arrays->count == 0 || arrays->keys_in.mem);
    require(!io->count_buffer.mem == (spec->count_bytes == 0));
    require(spec->count_bytes == 0 || arrays->count_buffer.mem);
    require(!has_offsets || arrays->segment_count == 0 || arrays->offsets.mem);
    require(has_offsets || !io->offsets.mem);
    require((spec->segments == CLSORT_BEGIN_END && arrays->segment_count > 0) ==
            (arrays->ends.mem && arrays->segment_count > 0));
    require(spec->segments != CLSORT_ROWS || arrays->count == 0 ||
            arrays->count % arrays->segment_count == 0);
    if (!cls_operation_of(spec)->selects) {
        require(!io->ks.mem && io->k == 0);
        return;
    }
    require(!io->ks.mem || spec->segments != CLSORT_WHOLE);
    require(spec->segments != CLSORT_WHOLE || arrays->out_count <= arrays->count);
    require(arrays->out_count == 0 || arrays->keys_out.mem || arrays->values_out.mem ||
            arrays->index_out.mem);
    require(spec->segments == CLSORT_WHOLE || arrays->segment_count == 0 ||
            arrays->out_count ==
                arrays->segment_count * (spec->operation == CLSORT_NTH ? 1 : io->k));
}

/* Passes a call of any struct_size. Its memory has exactly that size. */
static void check_call(struct input *input, const struct cls_spec *spec, uint64_t max)
{
    clsort_io io = made_up_io(input, max), own;
    struct cls_arrays arrays;
    const size_t older = (size_t)take(input, 1) % sizeof io, size = sizeof io - older;
    char *given = malloc(size);
    require(given);
    io.struct_size = size;
    memcpy(given, &io, size < sizeof io.struct_size ? sizeof io.struct_size : size);
    clsort_status status =
        cls_versioned_copy(given, &own, sizeof own, "clsort_io", "CLSORT_IO_INIT");
    free(given);
    if (status == CLSORT_OK)
        status = cls_operation_of(spec)->read_io(&own, spec, &arrays);
    if (status == CLSORT_OK)
        check_arrays(spec, &own, &arrays);
    else
        require(status == CLSORT_E_ARGUMENT || status == CLSORT_E_OPERATION ||
                status == CLSORT_E_COUNT || status == CLSORT_E_SEGMENTS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    const struct cls_caps caps = made_up_device(&input);
    static struct clsort_plan plan;
    plan = (struct clsort_plan){0};
    const unsigned failed = (unsigned)take(&input, 1); /* the variants that fail their self-test */
    const uint64_t number = take(&input, 8);
    const clsort_status status = read_descriptor(&input, &plan.request);
    if (status != CLSORT_OK) {
        require(status == CLSORT_E_ARGUMENT || status == CLSORT_E_ORDER ||
                status == CLSORT_E_OPERATION || status == CLSORT_E_SEGMENTS ||
                status == CLSORT_E_COLUMNS ||
                (status >= CLSORT_E_VERSION && status <= CLSORT_E_COUNT));
        return 0;
    }
    check_request(&plan.request);
    if (plan.request.columns.count > 0 || plan.request.value_count > 0)
        return 0; /* these plans read the device */
    if (cls_operation_of(&plan.request.spec)->selects ||
        plan.request.spec.segments != CLSORT_WHOLE) {
        const uint64_t max = check_unstaged(&plan.request, &caps, number);
        if (max > 0)
            check_call(&input, &plan.request.spec, max);
        return 0;
    }
    add_stages(&plan, &caps, failed);
    if (plan.stages == 0)
        return 0;
    const uint64_t count = number % plan.max_count + 1;
    const uint64_t min = check_count(&plan, 1), scratch = check_count(&plan, count),
                   max = check_count(&plan, plan.max_count);
    require(min <= scratch && scratch <= max);
    if (count < plan.max_count)
        require(scratch <= check_count(&plan, count + 1));
    check_call(&input, &plan.request.spec, plan.max_count);
    return 0;
}
