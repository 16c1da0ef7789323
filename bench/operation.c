/* operation.c - the table of operations, which --op chooses from */
#include "operation.h"

#include "order.h"

#include <string.h>

static const struct operation_info OPERATIONS[] = {
    [OP_KEYS] = {.name = "keys", .title = "keys", .on_host_arrays = true},
    [OP_PAIRS] = {.name = "pairs",
                  .title = "pairs",
                  .value_size = 4,
                  .has_values = true,
                  .on_host_arrays = true},
    [OP_CUSTOM] = {.name = "custom",
                   .title = "keys in a custom order",
                   .on_host_arrays = true,
                   .unsupported = order_unsupported,
                   .describe = order_describe},
    [OP_MERGE] = {.name = "merge",
                  .title = "merges",
                  .has_values = true,
                  .merges = true,
                  .in_descriptor = CLSORT_MERGE_SORTED},
};

const struct operation_info *operation_of(enum operation operation)
{
    return &OPERATIONS[operation];
}

bool operation_find(const char *name, enum operation *operation)
{
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++)
        if (strcmp(OPERATIONS[i].name, name) == 0) {
            *operation = (enum operation)i;
            return true;
        }
    return false;
}
