/* primitives.c - self-tests of the primitives of sorts for work-groups (cl/self_test) */
#include "algo/primitives/primitives.h"

#include "algo/common/programs.h"
#include "algo/common/rank.h"
#include "algo/common/split_tile.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "cl/common/layout.h"
#include "cl/self_test/layout.h"
#include "device/verdicts.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_SIZE = 256, ITEMS = 8, BITS = 8, RADIX = 1 << BITS };

/* The work-group that a primitive is tested in. */
struct size {
    unsigned group_size, items;
};

static const struct cls_spec SPEC = {.key_bytes = 4, .index_bits = 32};

/* -- the expected results: each function returns their size in bytes --------------------------- */

static size_t expect_scan(const struct size *size, void *results)
{
    uint64_t *sums = results, sum = 0;
    for (uint32_t t = 0; t < size->group_size; t++) {
        sums[t] = sum;
        sum += cls_scramble(t);
    }
    sums[size->group_size] = sum;
    return (size->group_size + 1) * sizeof *sums;
}

static size_t expect_summary(const struct size *size, void *results)
{
    cls_summary_result *summaries = results;
    cls_summary_result summary = {.all = UINT64_MAX, .is_sorted = 1};
    for (uint32_t t = 0; t < size->group_size; t++) {
        summary.any |= cls_scramble(t);
        summary.all &= cls_scramble(t);
    }
    for (size_t t = 0; t < size->group_size; t++)
        summaries[t] = summary;
    return size->group_size * sizeof *summaries;
}

static size_t expect_rank(const struct size *size, void *results)
{
    const uint32_t tile = size->group_size * size->items;
    uint64_t *ranks = results, next = 0;
    for (uint32_t digit = 0; digit < 4; digit++)
        for (uint32_t j = 0; j < tile; j++)
            if ((cls_scramble(j) >> 9 & 3) == digit)
                ranks[j] = next++;
    return tile * sizeof *ranks;
}

/* Returns the digit of element j in match.cl. */
static uint32_t digit_of(uint32_t j)
{
    return (cls_scramble(j) >> 9) % (cls_scramble(j) >> 31 ? (uint32_t)RADIX : 3u);
}

static size_t expect_match(const struct size *size, void *results)
{
    const uint32_t tile = size->group_size * size->items;
    uint64_t *ranks = results, *start = ranks + tile;
    memset(start, 0, (RADIX + 1) * sizeof *start);
    for (uint32_t j = 0; j < tile; j++)
        start[digit_of(j) + 1]++;
    for (uint32_t d = 0; d < RADIX; d++)
        start[d + 1] += start[d];
    for (uint32_t j = 0; j < tile; j++)
        ranks[j] = start[digit_of(j)]++;
    memmove(start + 1, start, RADIX * sizeof *start); /* each start is now the end of its digit */
    start[0] = 0;
    return (tile + RADIX + 1) * sizeof *ranks;
}

/* Returns an upper bound of these sizes. */
static size_t max_bytes(const struct size *size)
{
    const uint64_t ranks =
        ((uint64_t)size->group_size * size->items + RADIX + 1) * sizeof(cl_ulong);
    const uint64_t summaries = size->group_size * sizeof(cls_summary_result);
    return (size_t)cls_max(ranks, summaries);
}

/* -- the tests --------------------------------------------------------------------------------- */

static const struct {
    const char *name, *root, *kernel;
    enum { NOT_RANKED, RANKED, COUNTED } ranks; /* the way of cl/common/rank.cl, by sub-groups */
    size_t (*expect)(const struct size *size, void *results);
} PRIMITIVES[CLS_PRIMITIVE_COUNT] = {
    [CLS_PRIMITIVE_SCAN] = {"scan", "self_test/scan_and_split.cl", "test_scan", NOT_RANKED,
                            expect_scan},
    [CLS_PRIMITIVE_SUMMARY] = {"summary", "self_test/scan_and_split.cl", "test_summary", NOT_RANKED,
                               expect_summary},
    [CLS_PRIMITIVE_RANK] = {"rank", "self_test/scan_and_split.cl", "test_rank", NOT_RANKED,
                            expect_rank},
    [CLS_PRIMITIVE_MATCH] = {"match", "self_test/match.cl", "test_match", RANKED, expect_match},
    [CLS_PRIMITIVE_COUNTED_MATCH] = {"match of counted digits", "self_test/match.cl", "test_match",
                                     COUNTED, expect_match},
};

const char *cls_primitive_name(enum cls_primitive primitive)
{
    return PRIMITIVES[primitive].name;
}

bool cls_primitive_is_of(enum cls_primitive primitive, const struct cls_algo *algo)
{
    return algo->primitives == (PRIMITIVES[primitive].ranks != NOT_RANKED
                                    ? CLS_SUB_GROUP_PRIMITIVES
                                    : CLS_WORK_GROUP_PRIMITIVES);
}

static cl_int create_kernel(struct cls_device *device, const struct size *size,
                            enum cls_primitive primitive, cl_kernel *kernels)
{
    const char *const names[] = {PRIMITIVES[primitive].kernel, NULL};
    struct cls_program_spec program;
    cls_program_begin(&program, PRIMITIVES[primitive].root, names, size->group_size, &SPEC);
    cls_text_add(&program.options, " -DGROUP_SIZE=%u -DITEMS=%u", size->group_size, size->items);
    if (PRIMITIVES[primitive].ranks != NOT_RANKED) {
        cls_text_add(&program.options, " -DBITS=%d -DRANK_STABLE=1 -DRANK_COUNTED=%d", BITS,
                     PRIMITIVES[primitive].ranks == COUNTED);
        cls_sub_group_options(&device->caps, &program.options);
    }
    return cls_kernels_create(device, &program, 1, NULL, kernels);
}

/* Sets *size to the largest work-group that the device can run. Returns false if it can run no
 * work-group. */
static bool fit(const struct cls_caps *caps, enum cls_primitive primitive, struct size *size)
{
    *size = (struct size){.group_size = GROUP_SIZE, .items = ITEMS};
    if (PRIMITIVES[primitive].ranks == NOT_RANKED)
        return cls_fit_split_tile(caps, &SPEC, 0, sizeof(cls_key_summary), 0, &size->group_size,
                                  &size->items);
    while (size->group_size > caps->group_size ||
           cls_counted_rank_bytes(caps, size->group_size, BITS) > caps->local_bytes)
        if ((size->group_size /= 2) == 0)
            return false;
    return true;
}

static clsort_status compare(struct cls_device *device, cl_kernel kernel, const struct size *size,
                             enum cls_primitive primitive)
{
    void *expected = malloc(max_bytes(size)), *found = malloc(max_bytes(size));
    cl_int status = CLSORT_E_MEMORY;
    if (expected && found) {
        const size_t bytes = PRIMITIVES[primitive].expect(size, expected);
        status =
            cls_launch_alone(device->context, device->id, kernel, size->group_size, bytes, found);
        if (status == CL_SUCCESS && memcmp(expected, found, bytes) != 0)
            status = CLSORT_E_SELF_TEST;
    }
    free(expected);
    free(found);
    return status;
}

static clsort_status test(struct cls_device *device, struct size size, enum cls_primitive primitive)
{
    cl_kernel kernels[CLS_MAX_KERNELS];
    cl_int status;
    while ((status = create_kernel(device, &size, primitive, kernels)) == CLSORT_E_UNSUPPORTED &&
           size.group_size > 1)
        size.group_size /= 2; /* the compiled kernel supports smaller work-groups only */
    if (status != CL_SUCCESS)
        return status;
    status = compare(device, kernels[0], &size, primitive);
    cls_kernels_release(kernels);
    return status;
}

clsort_status cls_primitive_test(struct cls_device *device, enum cls_primitive primitive)
{
    char line[128];
    struct cls_text subject = CLS_TEXT(line);
    struct size size;
    clsort_status status;
    if (!fit(&device->caps, primitive, &size))
        return cls_fail(CLSORT_E_UNSUPPORTED, "the device has too little local memory");
    cls_text_add(&subject, "primitive %s, %u x %u", PRIMITIVES[primitive].name, size.group_size,
                 size.items);
    if (PRIMITIVES[primitive].ranks != NOT_RANKED)
        cls_sub_group_options(&device->caps, &subject);
    if (cls_verdict_find_status(device, line, &status))
        return status;
    status = test(device, size, primitive);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep_status(device, line, status);
    return status;
}
