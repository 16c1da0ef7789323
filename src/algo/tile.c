/* tile.c - how large a work-group's tile can be (split.cl) */
#include "algo/tile.h"

/* Local memory of exchange_t in split.cl. */
static uint64_t exchange_bytes(const struct cls_shape *shape, unsigned group_size, unsigned items)
{
    const unsigned per_item = shape->key_bytes + (shape->value_bytes > 0 ? 2 : 0);
    return (uint64_t)group_size * (items * per_item + 16);
}

bool cls_fit_tile(const struct cls_caps *caps, const struct cls_shape *shape, unsigned more,
                  unsigned fixed, struct cls_tuning *tuning)
{
    const uint64_t room = caps->local_bytes;
    while (tuning->group_size > caps->group_size && tuning->group_size > 1)
        tuning->group_size /= 2;
    for (;;) {
        const uint64_t bytes = exchange_bytes(shape, tuning->group_size, tuning->items) +
                               (uint64_t)tuning->group_size * more + fixed;
        if (bytes <= room)
            return true;
        if (tuning->items > 1)
            tuning->items /= 2;
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else
            return false;
    }
}
