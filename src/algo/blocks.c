/* blocks.c - the building blocks of the work-group sorts, tested alone (blocks.cl) */
#include "algo/blocks.h"

#include "algo/rank.h"
#include "algo/tile.h"
#include "device/verdicts.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_SIZE = 256, ITEMS = 8, BITS = 8 };

static const char *const SPLIT_FILES[] = {"types.cl", "keys.cl",  "head.cl",   "control.cl",
                                          "scan.cl",  "split.cl", "blocks.cl", NULL};
static const char *const LANE_FILES[] = {"lanes.cl", "group.cl", "rank.cl", "blocks.cl", NULL};

static const struct cls_shape SHAPE = {.key_bytes = 4, .index_bits = 32};

static uint32_t scramble(uint32_t i)
{
    return (i + 1) * UINT32_C(2654435761);
}

/* What the kernels write, as they should: each returns how many numbers. */

static size_t expect_scan(const struct cls_tuning *tuning, uint64_t *sums)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < tuning->group_size; t++) {
        sums[t] = sum;
        sum += scramble(t);
    }
    sums[tuning->group_size] = sum;
    return (size_t)tuning->group_size + 1;
}

static size_t expect_seen(const struct cls_tuning *tuning, uint64_t *seen)
{
    uint64_t any = 0, all = UINT64_MAX;
    for (uint32_t t = 0; t < tuning->group_size; t++) {
        any |= scramble(t);
        all &= scramble(t);
    }
    for (size_t t = 0; t < tuning->group_size; t++) {
        seen[4 * t] = any;
        seen[4 * t + 1] = all;
        seen[4 * t + 2] = 0;
        seen[4 * t + 3] = 1;
    }
    return 4 * (size_t)tuning->group_size;
}

static size_t expect_rank(const struct cls_tuning *tuning, uint64_t *places)
{
    const uint32_t tile = tuning->group_size * tuning->items;
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

static size_t expect_match(const struct cls_tuning *tuning, uint64_t *places)
{
    const uint32_t tile = tuning->group_size * tuning->items, radix = 1u << BITS;
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
    size_t (*expect)(const struct cls_tuning *tuning, uint64_t *numbers);
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
    return BLOCKS[block].has_lanes ? algo->is_made_of_lanes : algo->is_made_of_blocks;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      enum cls_block block, cl_kernel *kernels)
{
    const char *const names[] = {BLOCKS[block].kernel, NULL};
    const bool has_lanes = BLOCKS[block].has_lanes;
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_text_add(&options, "-DGROUP_SIZE=%u -DITEMS=%u ", tuning->group_size, tuning->items);
    if (has_lanes) {
        cls_text_add(&options, "-DBITS=%d", BITS);
        cls_lanes_options(&device->caps, &options);
    } else {
        cls_shape_options(&SHAPE, &options);
    }
    const struct cls_code code = {has_lanes ? LANE_FILES : SPLIT_FILES, line, NULL};
    return cls_kernels_create(device, &code, names, tuning->group_size, kernels);
}

/* The largest group that fits the device. */
static bool fit(const struct cls_caps *caps, enum cls_block block, struct cls_tuning *tuning)
{
    *tuning = (struct cls_tuning){.group_size = GROUP_SIZE, .items = ITEMS};
    if (!BLOCKS[block].has_lanes)
        return cls_fit_tile(caps, &SHAPE, CLS_SEEN_BYTES, 0, tuning);
    while (tuning->group_size > caps->group_size ||
           cls_rank_bytes(caps, tuning->group_size, BITS) > caps->local_bytes)
        if ((tuning->group_size /= 2) == 0)
            return false;
    return true;
}

static clsort_status test(struct cls_device *device, struct cls_tuning tuning, enum cls_block block)
{
    cl_kernel kernels[CLS_MOST_KERNELS];
    cl_int status;
    while ((status = prepare(device, &tuning, block, kernels)) == CLSORT_E_UNSUPPORTED &&
           tuning.group_size > 1)
        tuning.group_size /= 2; /* as compiled, the kernel needs smaller groups */
    if (status != CL_SUCCESS)
        return status;
    /* Room for the most that a block writes. */
    const size_t most =
        (size_t)tuning.group_size * (tuning.items > 4 ? tuning.items : 4) + (1u << BITS) + 1;
    uint64_t *expected = malloc(most * sizeof *expected), *found = malloc(most * sizeof *found);
    if (expected && found) {
        const size_t bytes = BLOCKS[block].expect(&tuning, expected) * sizeof *expected;
        status =
            cls_run_alone(device->context, device->id, kernels[0], tuning.group_size, bytes, found);
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
    struct cls_tuning tuning;
    if (!fit(&device->caps, block, &tuning))
        return CLSORT_E_UNSUPPORTED;
    cls_text_add(&subject, "block %s, %u x %u", BLOCKS[block].name, tuning.group_size,
                 tuning.items);
    if (BLOCKS[block].has_lanes)
        cls_lanes_options(&device->caps, &subject);
    if (cls_verdict_find(device, line, &finding))
        return *known ? CLSORT_E_SELF_TEST : CLSORT_OK;
    const clsort_status status = test(device, tuning, block);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep(device, line, status == CLSORT_OK ? "" : "wrong");
    return status;
}
