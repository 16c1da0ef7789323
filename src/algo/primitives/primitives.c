/* primitives.c - the building blocks of the work-group sorts, tested alone (blocks.cl) */
#include "algo/primitives/primitives.h"

#include "algo/common/programs.h"
#include "algo/common/rank.h"
#include "algo/common/split_tile.h"
#include "cl/common/layout.h"
#include "device/verdicts.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_SIZE = 256, ITEMS = 8, BITS = 8 };

/* The work-group that a primitive is tested in. */
struct primitive_size {
    unsigned group_size, items;
};

static const struct cls_spec SPEC = {.key_bytes = 4, .index_bits = 32};

static uint32_t scramble(uint32_t i)
{
    return (i + 1) * UINT32_C(2654435761);
}

/* What the kernels write, as they should: each returns how many numbers. */

static size_t expect_scan(const struct primitive_size *size, uint64_t *sums)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < size->group_size; t++) {
        sums[t] = sum;
        sum += scramble(t);
    }
    sums[size->group_size] = sum;
    return (size_t)size->group_size + 1;
}

static size_t expect_seen(const struct primitive_size *size, uint64_t *seen)
{
    uint64_t any = 0, all = UINT64_MAX;
    for (uint32_t t = 0; t < size->group_size; t++) {
        any |= scramble(t);
        all &= scramble(t);
    }
    for (size_t t = 0; t < size->group_size; t++) {
        seen[4 * t] = any;
        seen[4 * t + 1] = all;
        seen[4 * t + 2] = 0;
        seen[4 * t + 3] = 1;
    }
    return 4 * (size_t)size->group_size;
}

static size_t expect_rank(const struct primitive_size *size, uint64_t *places)
{
    const uint32_t tile = size->group_size * size->items;
    uint64_t next = 0;
    for (uint32_t digit = 0; digit < 4; digit++)
        for (uint32_t j = 0; j < tile; j++)
            if ((scramble(j) >> 9 & 3) == digit)
                places[j] = next++;
    return tile;
}

static uint32_t digit_of(uint32_t j)
{
    return (scramble(j) >> 9) % (scramble(j) >> 31 ? 1u << BITS : 3u);
}

static size_t expect_match(const struct primitive_size *size, uint64_t *places)
{
    const uint32_t tile = size->group_size * size->items, radix = 1u << BITS;
    uint64_t *start = places + tile;
    memset(start, 0, (radix + 1) * sizeof *start);
    for (uint32_t j = 0; j < tile; j++)
        start[digit_of(j) + 1]++;
    for (uint32_t d = 0; d < radix; d++)
        start[d + 1] += start[d];
    for (uint32_t j = 0; j < tile; j++)
        places[j] = start[digit_of(j)]++;
    memmove(start + 1, start, radix * sizeof *start);
    start[0] = 0;
    return (size_t)tile + radix + 1;
}

static const struct {
    const char *name, *kernel;
    bool has_lanes;
    size_t (*expect)(const struct primitive_size *size, uint64_t *numbers);
} BLOCKS[CLS_BLOCK_COUNT] = {
    [CLS_BLOCK_SCAN] = {"scan", "block_scan", false, expect_scan},
    [CLS_BLOCK_SEEN] = {"look", "block_seen", false, expect_seen},
    [CLS_BLOCK_RANK] = {"rank", "block_rank", false, expect_rank},
    [CLS_BLOCK_MATCH] = {"match", "block_match", true, expect_match},
};

const char *cls_block_name(enum cls_block block)
{
    return BLOCKS[block].name;
}

bool cls_block_is_of(enum cls_block block, const struct cls_algo *algo)
{
    return algo->primitives ==
           (BLOCKS[block].has_lanes ? CLS_SUB_GROUP_PRIMITIVES : CLS_WORK_GROUP_PRIMITIVES);
}

static cl_int prepare(struct cls_device *device, const struct primitive_size *size,
                      enum cls_block block, cl_kernel *kernels)
{
    const char *const names[] = {BLOCKS[block].kernel, NULL};
    const bool has_lanes = BLOCKS[block].has_lanes;
    struct cls_program_spec program;
    cls_program_begin(&program, has_lanes ? "self_test/match.cl" : "self_test/scan_and_split.cl",
                      names, size->group_size, &SPEC);
    cls_text_add(&program.options, " -DGROUP_SIZE=%u -DITEMS=%u", size->group_size, size->items);
    if (has_lanes) {
        cls_text_add(&program.options, " -DBITS=%d", BITS);
        cls_sub_group_options(&device->caps, &program.options);
    }
    return cls_kernels_create(device, &program, 1, NULL, kernels);
}

/* The largest group that fits the device. */
static bool fit(const struct cls_caps *caps, enum cls_block block, struct primitive_size *size)
{
    *size = (struct primitive_size){.group_size = GROUP_SIZE, .items = ITEMS};
    if (!BLOCKS[block].has_lanes)
        return cls_fit_split_tile(caps, &SPEC, sizeof(cls_key_summary), 0, &size->group_size,
                                  &size->items);
    while (size->group_size > caps->group_size ||
           cls_rank_bytes(caps, size->group_size, BITS) > caps->local_bytes)
        if ((size->group_size /= 2) == 0)
            return false;
    return true;
}

static clsort_status test(struct cls_device *device, struct primitive_size size,
                          enum cls_block block)
{
    cl_kernel kernels[CLS_MAX_KERNELS];
    cl_int status;
    while ((status = prepare(device, &size, block, kernels)) == CLSORT_E_UNSUPPORTED &&
           size.group_size > 1)
        size.group_size /= 2; /* as compiled, the kernel needs smaller groups */
    if (status != CL_SUCCESS)
        return status;
    /* Room for the most that a block writes. */
    const size_t most =
        (size_t)size.group_size * (size.items > 4 ? size.items : 4) + (1u << BITS) + 1;
    uint64_t *expected = malloc(most * sizeof *expected), *found = malloc(most * sizeof *found);
    if (expected && found) {
        const size_t bytes = BLOCKS[block].expect(&size, expected) * sizeof *expected;
        status = cls_launch_alone(device->context, device->id, kernels[0], size.group_size, bytes,
                                  found);
        if (status == CL_SUCCESS && memcmp(expected, found, bytes) != 0)
            status = CLSORT_E_SELF_TEST;
    } else {
        status = CLSORT_E_MEMORY;
    }
    free(expected);
    free(found);
    cls_kernels_release(kernels);
    return status;
}

clsort_status cls_block_test(struct cls_device *device, enum cls_block block)
{
    char line[128], known[64] = "";
    struct cls_text subject = CLS_TEXT(line), finding = CLS_TEXT(known);
    struct primitive_size size;
    if (!fit(&device->caps, block, &size))
        return CLSORT_E_UNSUPPORTED;
    cls_text_add(&subject, "block %s, %u x %u", BLOCKS[block].name, size.group_size, size.items);
    if (BLOCKS[block].has_lanes)
        cls_sub_group_options(&device->caps, &subject);
    if (cls_verdict_find(device, line, &finding))
        return *known ? CLSORT_E_SELF_TEST : CLSORT_OK;
    const clsort_status status = test(device, size, block);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep(device, line, status == CLSORT_OK ? "" : "wrong");
    return status;
}
