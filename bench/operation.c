/* operation.c - the table of operations, which --op chooses from */
#include "operation.h"

#include "order.h"

#include <string.h>

static const char NOT_SORTED[] = "it does not sort";

/* The type of the keys is that of the indexes. */
static const char *gather_unsupported(const struct data_type *type)
{
    return type->key == CLSORT_U32 || type->key == CLSORT_U64 ? NULL : "indexes are u32 or u64";
}

static const struct operation_info OPERATIONS[] = {
    [OP_KEYS] = {.name = "keys",
                 .has_counts = true,
                 .title = "keys",
                 .no_peer = NOT_SORTED,
                 .sorts = true,
                 .has_keys = true,
                 .has_keys_out = true},
    [OP_PAIRS] = {.name = "pairs",
                  .has_counts = true,
                  .title = "pairs",
                  .no_peer = NOT_SORTED,
                  .value_size = 4,
                  .has_values = true,
                  .sorts = true,
                  .has_keys = true,
                  .has_keys_out = true},
    [OP_CUSTOM] = {.name = "custom",
                   .has_counts = true,
                   .title = "keys in a custom order",
                   .no_peer = NOT_SORTED,
                   .sorts = true,
                   .has_keys = true,
                   .has_keys_out = true,
                   .unsupported = order_unsupported,
                   .describe = order_describe},
    [OP_MERGE] = {.name = "merge",
                  .title = "merges",
                  .no_peer = "it does not merge",
                  .has_values = true,
                  .merges = true,
                  .is_sorted = true,
                  .has_keys = true,
                  .has_keys_out = true,
                  .in_descriptor = CLSORT_MERGE_SORTED},
    [OP_ARGSORT] = {.name = "argsort",
                    .has_counts = true,
                    .title = "argsorts",
                    .no_peer = "it does not sort indexes",
                    .has_keys = true,
                    .has_indexes = true,
                    .in_descriptor = CLSORT_ARGSORT},
    [OP_GATHER] = {.name = "gather",
                   .has_counts = true,
                   .title = "gathers",
                   .no_peer = "it does not gather",
                   .value_size = 4,
                   .has_values = true,
                   .in_descriptor = CLSORT_GATHER,
                   .unsupported = gather_unsupported},
    [OP_TOP] = {.name = "top",
                .title = "selections of the first k",
                .no_peer = "it does not select the first k",
                .has_keys = true,
                .has_keys_out = true,
                .has_indexes = true,
                .selects = true,
                .in_descriptor = CLSORT_SELECT},
    [OP_NTH] = {.name = "nth",
                .title = "selections of the k-th",
                .no_peer = "it does not select the k-th",
                .has_keys = true,
                .has_keys_out = true,
                .has_indexes = true,
                .selects = true,
                .in_descriptor = CLSORT_NTH},
    [OP_SEGMENTS] = {.name = "segments",
                     .title = "keys in segments",
                     .no_peer = "it does not sort segments",
                     .has_values = true,
                     .has_keys = true,
                     .has_keys_out = true,
                     .has_segments = true},
    [OP_UNIQUE] = {.name = "unique",
                   .title = "keys without repeats",
                   .no_peer = "it does not drop repeats",
                   .has_keys = true,
                   .has_keys_out = true,
                   .is_sorted = true,
                   .has_number = true,
                   .in_descriptor = CLSORT_UNIQUE},
    [OP_CHECK] = {.name = "check",
                  .title = "checks of the order",
                  .no_peer = "it does not check the order",
                  .has_keys = true,
                  .is_sorted = true,
                  .has_number = true,
                  .in_descriptor = CLSORT_CHECK},
    [OP_COLUMNS] = {.name = "columns",
                    .title = "argsorts by columns",
                    .no_peer = "it does not sort by columns",
                    .has_keys = true,
                    .has_indexes = true,
                    .has_rows = true,
                    .in_descriptor = CLSORT_ARGSORT},
    [OP_STRINGS] = {.name = "strings",
                    .title = "strings",
                    .no_peer = "it does not sort byte strings",
                    .has_keys = true,
                    .has_keys_out = true,
                    .has_rows = true},
    [OP_RECORDS] = {.name = "records",
                    .title = "keys of records of 100 bytes",
                    .no_peer = "it does not sort records",
                    .has_keys = true,
                    .has_keys_out = true,
                    .has_rows = true},
    [OP_PARTICLES] = {.name = "particles",
                      .title = "keys, descending, of structs of 32 bytes",
                      .no_peer = "it does not sort records",
                      .has_keys = true,
                      .has_keys_out = true,
                      .has_rows = true},
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
