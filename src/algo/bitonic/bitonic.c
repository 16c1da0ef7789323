/* bitonic.c - the sequence of launches, which the two variants of bitonic sort share */
#include "algo/bitonic/bitonic.h"

#include "algo/common/limits.h"

const char *const cls_bitonic_kernel_sets[] = {"B2",   "B2+B4", "B2+B4+B8", "B",
                                               "C2+B", "C4+B",  NULL};

struct cls_bitonic_schedule cls_bitonic_schedule(uint64_t count, unsigned tile_bits,
                                                 unsigned max_steps)
{
    const unsigned stages = cls_ceil_log2(count);
    return (struct cls_bitonic_schedule){
        .stages = stages > 0 ? stages : 1,
        .tile_bits = tile_bits,
        .max_steps = max_steps,
    };
}

static void begin_next_stage(const struct cls_bitonic_schedule *schedule,
                             struct cls_bitonic_steps *steps)
{
    if (steps->stage == 0 && schedule->tile_bits > 0)
        steps->stage = (unsigned)cls_min(schedule->stages, schedule->tile_bits);
    else
        steps->stage++;
    steps->left = steps->stage;
}

bool cls_bitonic_next(const struct cls_bitonic_schedule *schedule, struct cls_bitonic_steps *steps)
{
    steps->left -= steps->count > 0 ? steps->count : steps->left; /* 0: all that were left */
    if (steps->left == 0) {
        if (steps->stage == schedule->stages)
            return false;
        begin_next_stage(schedule, steps);
    }
    const unsigned between_tiles =
        steps->left > schedule->tile_bits ? steps->left - schedule->tile_bits : 0;
    steps->count = (unsigned)cls_min(between_tiles, schedule->max_steps);
    return true;
}

unsigned cls_bitonic_first_step(const struct cls_bitonic_steps *steps)
{
    return steps->left == steps->stage ? CLS_BITONIC_MIRRORED : CLS_BITONIC_PLAIN;
}

uint64_t cls_bitonic_bytes_per_element(const struct cls_bitonic_schedule *schedule,
                                       const struct cls_spec *spec)
{
    struct cls_bitonic_steps steps = {0};
    uint64_t bytes = 0;
    while (cls_bitonic_next(schedule, &steps))
        bytes += cls_copy_bytes(spec);
    return bytes;
}
