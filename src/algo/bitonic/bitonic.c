/* bitonic.c - the sequence of launches that the two variants of bitonic sort share */
#include "algo/bitonic/bitonic.h"

#include "algo/common/limits.h"

const char *const cls_bitonic_sets[] = {"B2", "B2+B4", "B2+B4+B8", "B", "C2+B", "C4+B", NULL};

struct cls_bitonic_schedule cls_bitonic_schedule(uint64_t count, unsigned tile_bits,
                                                 unsigned max_bits)
{
    const unsigned stages = cls_bitonic_stages(count);
    return (struct cls_bitonic_schedule){stages > 0 ? stages : 1, tile_bits, max_bits};
}

bool cls_bitonic_next(const struct cls_bitonic_schedule *schedule, struct cls_bitonic_step *step)
{
    const unsigned stages = schedule->stages, inside = schedule->tile_bits;
    step->left -= step->bits > 0 ? step->bits : step->left;
    if (step->left == 0) {
        if (step->stage == stages)
            return false;
        if (step->stage == 0 && inside > 0)
            step->stage = stages < inside ? stages : inside;
        else
            step->stage++;
        step->left = step->stage;
    }
    const unsigned outside = step->left > inside ? step->left - inside : 0;
    step->bits = outside < schedule->max_bits ? outside : schedule->max_bits;
    return true;
}

uint64_t cls_bitonic_bytes_per_element(const struct cls_bitonic_schedule *schedule,
                                       const struct cls_spec *spec)
{
    struct cls_bitonic_step step = {0};
    uint64_t bytes = 0;
    while (cls_bitonic_next(schedule, &step))
        bytes += cls_copy_bytes(spec);
    return bytes;
}
