/* split_tile.c - the size of a tile of the 4-way split (four_way_split.cl) */
#include "algo/common/split_tile.h"

#include "algo/common/limits.h"

/* Returns the size of split_exchange_t in four_way_split.cl: for each element its key and, with
 * values, its index in the tile; for each work-item two words of the scan. */
static uint64_t exchange_bytes(const struct cls_spec *spec, unsigned group_size, unsigned items)
{
    const unsigned per_element =
        spec->key_bytes + (spec->value_bytes > 0 ? (unsigned)sizeof(cl_ushort) : 0);
    return (uint64_t)group_size * (items * per_element + 2 * sizeof(cl_ulong));
}

bool cls_fit_split_tile(const struct cls_caps *caps, const struct cls_spec *spec,
                        unsigned per_element, unsigned per_work_item, unsigned per_group,
                        unsigned *group_size, unsigned *items)
{
    *group_size = cls_fit_group_size(caps, *group_size);
    while (exchange_bytes(spec, *group_size, *items) +
               (uint64_t)*group_size * (*items * per_element + per_work_item) + per_group >
           caps->local_bytes) {
        if (*items > 2)
            *items -= 2; /* an odd number remains odd, which avoids bank conflicts */
        else if (*items > 1)
            *items = 1;
        else if (*group_size > 1)
            *group_size /= 2;
        else
            return false;
    }
    return true;
}
