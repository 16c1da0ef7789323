/* value_gather.c - the gather of an array of values: in place or not, of all elements or of some */
#include "plan/value_gather.h"

#include "algo/common/programs.h"
#include "algo/gather/rows.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "cl/common/layout.h"
#include "plan/test_buffers.h"
#include "plan/tested.h"

#include <stdlib.h>

enum {
    TEST_VERSION = 1, /* stored verdicts of other versions are not used */
    COUNT = 12289,    /* several batches of work-groups */
    GAP = 37,         /* the first elements, which do not move */
    UNITS = 3,        /* of a value; in place, two of them move at a time, then one */
    SLICE_UNITS = 2
};

uint64_t cls_value_gather_max_count(unsigned index_bytes)
{
    /* Kernels with 32-bit indexes compute numbers of rows above their count. */
    return index_bytes == 4 ? ((uint64_t)1 << 32) - ((uint64_t)1 << 28) : UINT64_MAX;
}

static clsort_status choose(const struct cls_caps *caps, const struct cls_request *request,
                            void *plan)
{
    struct cls_value_gather *gather = plan;
    gather->spec = request->spec;
    gather->spec.index_bits = 8 * request->index_bytes;
    gather->gather = cls_gather_rows_for(caps, &gather->spec, gather->spec.value_bytes);
    gather->gather.max_slice = gather->spec.value_bytes;
    return CLSORT_OK;
}

/* -- test -------------------------------------------------------------------------------------- */

enum { CONTROL, INDEX, FROM, TO, NUMBER, BUFFERS };

struct run {
    cl_command_queue queue;
    struct cls_gather gather; /* with values of UNITS units */
    const cl_kernel *kernels;
    bool in_place;
    size_t index_bytes, bytes;             /* of an index, of a value */
    uint64_t moved;                        /* the elements from GAP to this one move */
    char *values, *before, *found, *index; /* inputs, outputs before and after, and indexes */
    cl_mem buffers[BUFFERS];
};

static uint64_t source_of(const struct run *run, uint64_t i)
{
    return i * 7919 % run->moved;
}

static cl_int create_buffers(const struct cls_device *device, struct run *run)
{
    cls_control_head control = {0};
    char number[sizeof(uint64_t)];
    const size_t bytes = COUNT * run->bytes;
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < bytes; i++) {
        run->values[i] = (char)(i * 37 + i / 251);
        run->before[i] = (char)(run->in_place ? run->values[i] : 0x5a);
    }
    for (uint64_t i = 0; i < COUNT; i++)
        cls_store_index(source_of(run, i), run->index_bytes, run->index + i * run->index_bytes);
    cls_store_index(run->moved, sizeof number, number);
    run->buffers[CONTROL] = cls_test_buffer_create(device, sizeof control, &control, &status);
    run->buffers[INDEX] =
        cls_test_buffer_create(device, COUNT * run->index_bytes, run->index, &status);
    run->buffers[FROM] = cls_test_buffer_create(device, bytes, run->values, &status);
    run->buffers[TO] =
        cls_test_buffer_create(device, bytes, run->in_place ? NULL : run->before, &status);
    run->buffers[NUMBER] = cls_test_buffer_create(device, sizeof number, number, &status);
    return status;
}

/* Clears the indexes, sets all but those of the gap, and gathers. */
static cl_int gather_on_device(const struct run *run)
{
    const clsort_buffer from = {run->buffers[FROM], 0}, to = {run->buffers[TO], 0};
    const struct cls_arrays arrays = {.count = COUNT,
                                      .source_count = COUNT,
                                      .in_place = run->in_place,
                                      .values_in = from,
                                      .values_out = run->in_place ? from : to};
    const struct cls_gather_job job = {.arrays = &arrays,
                                       .control = {run->buffers[CONTROL], 0},
                                       .index = {run->buffers[INDEX], 0},
                                       .count = {run->buffers[NUMBER], 0},
                                       .has_gaps = true,
                                       .slice = to};
    const size_t gap = GAP * run->index_bytes, indexes = COUNT * run->index_bytes;
    struct cls_chain chain;
    cl_int status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_gather_clear(run->kernels, &run->gather, &job, &chain);
    status = cls_chain_end(&chain, status, NULL);
    if (status == CL_SUCCESS)
        status = cls_called("clEnqueueWriteBuffer",
                            clEnqueueWriteBuffer(run->queue, run->buffers[INDEX], CL_TRUE, gap,
                                                 indexes - gap, run->index + gap, 0, NULL, NULL));
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_gather_enqueue(run->kernels, &run->gather, &job, &chain);
    status = cls_chain_end(&chain, status, NULL);
    return status == CL_SUCCESS
               ? cls_test_buffer_read(run->queue, run->buffers[run->in_place ? FROM : TO],
                                      COUNT * run->bytes, run->found)
               : status;
}

static clsort_status compare(const struct run *run, struct cls_text *finding)
{
    for (uint64_t i = 0; i < COUNT; i++) {
        const bool moves = i >= GAP && i < run->moved;
        const char *expected =
            moves ? run->values + source_of(run, i) * run->bytes : run->before + i * run->bytes;
        if (memcmp(run->found + i * run->bytes, expected, run->bytes) == 0)
            continue;
        cls_text_add(finding, "value %llu of %d is wrong", (unsigned long long)i, COUNT);
        return CLSORT_E_SELF_TEST;
    }
    return CLSORT_OK;
}

static clsort_status test(const struct cls_device *device, cl_command_queue queue, const void *plan,
                          int round, struct cls_text *finding)
{
    const struct cls_value_gather *gather = plan;
    struct run run = {.queue = queue,
                      .gather = gather->gather,
                      .kernels = gather->kernels,
                      .in_place = round > 0,
                      .index_bytes = gather->spec.index_bits / 8,
                      .bytes = UNITS * cls_alignment(gather->gather.value_bytes),
                      .moved = gather->gather.count_bytes > 0 ? COUNT - COUNT / 4 : COUNT};
    const size_t bytes = COUNT * run.bytes;
    run.gather.value_bytes = run.bytes;
    run.gather.max_slice = run.bytes / UNITS * SLICE_UNITS;
    run.values = malloc(3 * bytes + COUNT * run.index_bytes);
    if (!run.values)
        return CLSORT_E_MEMORY;
    run.before = run.values + bytes;
    run.found = run.before + bytes;
    run.index = run.found + bytes;
    clsort_status status = create_buffers(device, &run);
    if (status == CLSORT_OK)
        status = gather_on_device(&run);
    if (status == CLSORT_OK)
        status = compare(&run, finding);
    cls_test_buffers_release(run.buffers, BUFFERS);
    free(run.values);
    return status;
}

/* -- the table --------------------------------------------------------------------------------- */

static unsigned group_size(const void *gather)
{
    return ((const struct cls_value_gather *)gather)->gather.group_size;
}

static const struct cls_spec *spec_of(const void *gather)
{
    return &((const struct cls_value_gather *)gather)->spec;
}

static size_t programs(const void *plan, struct cls_program_spec *program)
{
    cls_gather_program(&((const struct cls_value_gather *)plan)->gather, program);
    return 1;
}

static clsort_status compile(struct cls_device *device, const struct cls_program_spec *program,
                             size_t count, void *plan)
{
    return cls_kernels_create(device, program, count, NULL,
                              ((struct cls_value_gather *)plan)->kernels);
}

static void release(void *plan)
{
    cls_value_gather_release(plan);
}

static uint64_t test_count(const void *gather)
{
    (void)gather;
    return COUNT;
}

static const struct cls_tested tested = {.name = "gather of arrays",
                                         .version = TEST_VERSION,
                                         .choose = choose,
                                         .group_size = group_size,
                                         .spec = spec_of,
                                         .programs = programs,
                                         .compile = compile,
                                         .release = release,
                                         .test_count = test_count,
                                         .test = test};

clsort_status cls_value_gather_create(struct cls_device *device, const struct cls_request *request,
                                      struct cls_value_gather *gather)
{
    return cls_tested_create(&tested, device, request, gather);
}

void cls_value_gather_release(struct cls_value_gather *gather)
{
    cls_kernels_release(gather->kernels);
}
