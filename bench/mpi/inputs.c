/* inputs.c - the keys that the ranks sort */
#include "inputs.h"

#include <string.h>

enum { SEED = 1 };

bool inputs_find(const char *name, struct inputs_dist *dist)
{
    *dist = (struct inputs_dist){DATA_UNIFORM, strcmp(name, INPUTS_HOT_KEY) == 0};
    return dist->has_hot_key || data_dist_find(name, &dist->dist);
}

const char *inputs_name(struct inputs_dist dist)
{
    return dist.has_hot_key ? INPUTS_HOT_KEY : data_dist_name(dist.dist);
}

/* Overwrites 9 of 10 keys. The others are not in the same positions on all ranks. */
static void add_hot_key(const struct data_type *type, uint64_t first, char *keys, size_t count)
{
    char hot[sizeof(uint64_t)];
    data_fill(type, DATA_EQUAL, SEED, hot, 1);
    for (size_t i = 0; i < count; i++)
        if ((first + i) % 10 > 0)
            memcpy(keys + i * type->size, hot, type->size);
}

void inputs_fill(const struct data_type *type, struct inputs_dist dist, uint64_t total,
                 uint64_t first, void *keys, size_t count)
{
    data_fill_part(type, dist.dist, SEED, total, first, keys, count);
    if (dist.has_hot_key)
        add_hot_key(type, first, keys, count);
}
