/* request.c - reads a descriptor: checks it and converts it to normal form */
#include "plan/request.h"

#include "base/error.h"
#include "base/versioned.h"
#include "plan/columns_request.h"
#include "plan/operation.h"
#include "plan/value_arrays.h"

#include <string.h>

enum { MAX_VALUE_BYTES = 1 << 30, MAX_CUSTOM_KEY_BYTES = 1 << 20 };

static clsort_status set_compared_bits(struct cls_spec *spec, uint32_t begin_bit, uint32_t end_bit)
{
    const unsigned width = 8 * spec->key_bytes;
    if (end_bit == 0)
        end_bit = width;
    if (end_bit > width)
        return cls_fail(CLSORT_E_BITS, "clsort_desc.end_bit is %u: at most %u for %s keys", end_bit,
                        width, spec->key_name);
    if (begin_bit > end_bit)
        return cls_fail(CLSORT_E_BITS, "clsort_desc.begin_bit is %u: at most end_bit, which is %u",
                        begin_bit, end_bit);
    spec->begin_bit = begin_bit;
    spec->end_bit = end_bit;
    return CLSORT_OK;
}

static bool is_empty(const char *text)
{
    return !text || text[strspn(text, " \t\r\n")] == '\0';
}

/* Returns CLSORT_OK if the fields of a custom order are complete. */
static clsort_status check_custom(const clsort_desc *desc)
{
    if (desc->key_size == 0 || desc->key_size > MAX_CUSTOM_KEY_BYTES)
        return cls_fail(CLSORT_E_ORDER, "clsort_desc.key_size is %zu: 1 to %d with CLSORT_CUSTOM",
                        desc->key_size, MAX_CUSTOM_KEY_BYTES);
    if (is_empty(desc->key_type))
        return cls_fail(CLSORT_E_ORDER,
                        "clsort_desc.key_type is empty: CLSORT_CUSTOM needs the type "
                        "of the keys in OpenCL C, such as \"float2\"");
    if (is_empty(desc->less))
        return cls_fail(CLSORT_E_ORDER,
                        "clsort_desc.less is empty: CLSORT_CUSTOM needs an "
                        "expression, such as \"a.x < b.x\"");
    return CLSORT_OK;
}

/* Reads a descriptor with a custom order. */
static clsort_status read_custom(const clsort_desc *desc, struct cls_spec *spec)
{
    if (desc->flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC))
        return cls_fail(CLSORT_E_FLAGS, "%s is set: a custom order is defined by less only",
                        desc->flags & CLSORT_DESCENDING ? "CLSORT_DESCENDING"
                                                        : "CLSORT_FLOAT_NUMERIC");
    if (desc->begin_bit != 0 || desc->end_bit != 0)
        return cls_fail(CLSORT_E_BITS,
                        "clsort_desc.begin_bit is %u and end_bit is %u: both must be 0 with "
                        "CLSORT_CUSTOM",
                        desc->begin_bit, desc->end_bit);
    const clsort_status status = check_custom(desc);
    if (status != CLSORT_OK)
        return status;
    spec->key_name = "custom";
    spec->key_bytes = (unsigned)desc->key_size;
    spec->end_bit = 8 * spec->key_bytes;
    spec->order = CLS_ORDER_CUSTOM;
    spec->custom = (struct cls_custom){desc->prelude ? desc->prelude : "", desc->key_type,
                                       desc->less, spec->key_bytes};
    return CLSORT_OK;
}

static clsort_status read_key(const clsort_desc *desc, struct cls_spec *spec)
{
    if (desc->key == CLSORT_CUSTOM)
        return read_custom(desc, spec);
    struct cls_spec key;
    if (!cls_key_spec(desc->key, desc->flags, &key))
        return cls_fail(CLSORT_E_KEY,
                        "clsort_desc.key is %d: unknown; the keys are CLSORT_U8 to "
                        "CLSORT_F64, CLSORT_CUSTOM and CLSORT_BYTES",
                        (int)desc->key);
    if (desc->flags & CLSORT_FLOAT_NUMERIC && key.order != CLS_ORDER_NUMERIC)
        return cls_fail(CLSORT_E_FLAGS,
                        "CLSORT_FLOAT_NUMERIC is set: floats only (the key type is %s)",
                        key.key_name);
    const char *custom = desc->key_size != 0 ? "key_size"
                         : desc->key_type    ? "key_type"
                         : desc->less        ? "less"
                         : desc->prelude     ? "prelude"
                                             : NULL;
    if (custom)
        return cls_fail(CLSORT_E_ORDER,
                        "clsort_desc.%s is set: for CLSORT_CUSTOM only (the key type is %s)",
                        custom, key.key_name);
    spec->key_name = key.key_name;
    spec->key_bytes = key.key_bytes;
    spec->order = key.order;
    spec->descending = key.descending;
    spec->flip = key.flip;
    spec->pad = key.pad;
    return set_compared_bits(spec, desc->begin_bit, desc->end_bit);
}

static clsort_status refuse_operation(uint32_t operation)
{
    char names[256];
    struct cls_text list = CLS_TEXT(names);
    for (uint32_t i = 0; cls_operation_at(i); i++)
        cls_text_add(&list, "%s%s", i > 0 ? ", " : "", cls_operation_at(i)->name);
    return cls_fail(CLSORT_E_OPERATION,
                    "clsort_desc.operation is %u: unknown; the operations are %s", operation,
                    names);
}

/* Checks the fields that do not depend on the key. */
static clsort_status check_fields(const clsort_desc *desc)
{
    const uint32_t known = CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC | CLSORT_UNSTABLE |
                           CLSORT_NO_SCRATCH | CLSORT_INPUT_ORDER | CLSORT_PARTITION;
    if (desc->flags & ~known)
        return cls_fail(CLSORT_E_FLAGS, "clsort_desc.flags is 0x%x: 0x%x is unknown", desc->flags,
                        desc->flags & ~known);
    if (!cls_operation_at(desc->operation))
        return refuse_operation(desc->operation);
    if (desc->count_size != 0 && desc->count_size != 4 && desc->count_size != 8)
        return cls_fail(CLSORT_E_ARGUMENT, "clsort_desc.count_size is %u: 4, 8 or 0",
                        desc->count_size);
    if (desc->value_size > MAX_VALUE_BYTES)
        return cls_fail(CLSORT_E_ARGUMENT, "clsort_desc.value_size is %zu: at most %d",
                        desc->value_size, MAX_VALUE_BYTES);
    return CLSORT_OK;
}

/* -- indexes ----------------------------------------------------------------------------------- */

bool cls_request_has_offsets(const clsort_desc *desc)
{
    return desc->segments == CLSORT_OFFSETS || desc->segments == CLSORT_BEGIN_END;
}

clsort_status cls_request_index_size(const clsort_desc *desc, unsigned *bytes)
{
    const bool has_offsets = cls_request_has_offsets(desc);
    const uint64_t max_narrow = ((uint64_t)1 << 32) - has_offsets;
    if (desc->index_size != 0 && desc->index_size != 4 && desc->index_size != 8)
        return cls_fail(CLSORT_E_ARGUMENT, "clsort_desc.index_size is %u: 4, 8 or 0",
                        desc->index_size);
    if (desc->index_size == 4 && desc->max_count > max_narrow)
        return cls_fail(CLSORT_E_COUNT,
                        "clsort_desc.max_count is %zu: at most 2^32%s if index_size is 4",
                        desc->max_count, has_offsets ? " - 1" : "");
    const bool is_narrow = desc->max_count > 0 && desc->max_count <= max_narrow;
    *bytes = desc->index_size > 0 ? desc->index_size : is_narrow ? 4 : 8;
    return CLSORT_OK;
}

struct cls_spec cls_gather_spec(unsigned index_bytes, size_t value_bytes)
{
    return (struct cls_spec){.operation = CLSORT_GATHER,
                             .key_name = index_bytes == 4 ? "u32" : "u64",
                             .key_bytes = index_bytes,
                             .order = CLS_ORDER_INTEGER,
                             .pad = UINT64_MAX >> (64 - 8 * index_bytes),
                             .end_bit = 8 * index_bytes,
                             .value_bytes = value_bytes};
}

/* Reads a descriptor of CLSORT_GATHER, which has no order: the indexes replace the keys. */
static clsort_status read_gather(const clsort_desc *desc, unsigned index_bytes,
                                 struct cls_spec *spec)
{
    if (desc->flags != 0)
        return cls_fail(CLSORT_E_FLAGS, "clsort_desc.flags is 0x%x: CLSORT_GATHER has no flags",
                        desc->flags);
    if (desc->begin_bit != 0 || desc->end_bit != 0)
        return cls_fail(CLSORT_E_BITS,
                        "clsort_desc.begin_bit is %u and end_bit is %u: both must be 0 with "
                        "CLSORT_GATHER",
                        desc->begin_bit, desc->end_bit);
    if (desc->value_size == 0)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "clsort_desc.value_size is 0: CLSORT_GATHER needs the size of the values");
    *spec = cls_gather_spec(index_bytes, desc->value_size);
    spec->count_bytes = desc->count_size;
    return CLSORT_OK;
}

/* Reads the values of an operation on keys, and whether it is stable. */
static clsort_status read_values(const clsort_desc *desc, unsigned index_bytes,
                                 struct cls_spec *spec)
{
    spec->value_bytes = desc->value_size;
    if (cls_operation_of(spec)->moves_no_values && desc->value_size != 0)
        return cls_fail(CLSORT_E_ARGUMENT, "clsort_desc.value_size is %zu: %s has no values%s",
                        desc->value_size, cls_operation_of(spec)->name,
                        spec->operation == CLSORT_ARGSORT ? "; reorder them by CLSORT_GATHER" : "");
    if (spec->operation == CLSORT_UNIQUE)
        spec->index_bytes = index_bytes;
    if (spec->operation == CLSORT_ARGSORT) {
        spec->value_bytes = index_bytes;
        spec->value_is_index = true;
    }
    spec->stable = !(desc->flags & CLSORT_UNSTABLE) &&
                   (cls_operation_of(spec)->selects || cls_equal_elements_may_differ(spec));
    return CLSORT_OK;
}

clsort_status cls_request_read_selection(const clsort_desc *desc, struct cls_request *request)
{
    const bool selects = desc->operation == CLSORT_SELECT;
    if (!selects && desc->flags & CLSORT_INPUT_ORDER)
        return cls_fail(CLSORT_E_FLAGS, "CLSORT_INPUT_ORDER is set: for CLSORT_SELECT only");
    if (desc->operation != CLSORT_NTH && desc->flags & CLSORT_PARTITION)
        return cls_fail(CLSORT_E_FLAGS, "CLSORT_PARTITION is set: for CLSORT_NTH only");
    if (!selects && desc->max_k != 0)
        return cls_fail(CLSORT_E_OPERATION, "clsort_desc.max_k is %zu: for CLSORT_SELECT only",
                        desc->max_k);
    if (desc->max_count > 0 && desc->max_k > desc->max_count)
        return cls_fail(CLSORT_E_COUNT, "clsort_desc.max_k is %zu: at most max_count, which is %zu",
                        desc->max_k, desc->max_count);
    request->max_k = desc->max_k;
    request->input_order = desc->flags & CLSORT_INPUT_ORDER;
    request->spec.partitions = desc->flags & CLSORT_PARTITION;
    return CLSORT_OK;
}

clsort_status cls_request_read_segments(const clsort_desc *desc, struct cls_request *request)
{
    const struct cls_operation_info *operation = cls_operation_at(desc->operation);
    if (desc->segments > CLSORT_BEGIN_END)
        return cls_fail(CLSORT_E_SEGMENTS,
                        "clsort_desc.segments is %u: unknown; the forms are CLSORT_WHOLE, _ROWS, "
                        "_OFFSETS and _BEGIN_END",
                        desc->segments);
    if (desc->segments != CLSORT_WHOLE && !operation->has_segments)
        return cls_fail(CLSORT_E_SEGMENTS, "clsort_desc.segments is %u: %s has no segments",
                        desc->segments, operation->name);
    const bool selects_from_rows = desc->segments == CLSORT_ROWS && operation->selects;
    if (!cls_request_has_offsets(desc) && !selects_from_rows && desc->max_segments != 0)
        return cls_fail(CLSORT_E_SEGMENTS,
                        "clsort_desc.max_segments is %zu: for CLSORT_OFFSETS and CLSORT_BEGIN_END, "
                        "and for selections with CLSORT_ROWS, only",
                        desc->max_segments);
    if (desc->segments != CLSORT_WHOLE && desc->flags & CLSORT_PARTITION)
        return cls_fail(CLSORT_E_SEGMENTS,
                        "CLSORT_PARTITION is set, but clsort_desc.segments is %u: segments are not "
                        "partitioned",
                        desc->segments);
    if (cls_request_has_offsets(desc) && desc->operation == CLSORT_SELECT && desc->max_k == 0)
        return cls_fail(CLSORT_E_SEGMENTS,
                        "clsort_desc.max_k is 0: selections from segments with offsets need it");
    if (desc->count_size != 0 && !operation->has_counts)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.count_size is %u: %s does not support counts in device memory",
                        desc->count_size, operation->name);
    request->spec.count_bytes = desc->count_size;
    request->spec.segments = desc->segments;
    request->max_segments = desc->max_segments;
    return CLSORT_OK;
}

/* Reads the fields that depend on the operation. */
static clsort_status read_operation(const clsort_desc *desc, struct cls_request *request)
{
    const struct cls_operation_info *operation = cls_operation_at(desc->operation);
    struct cls_spec *spec = &request->spec;
    const bool has_indexes = operation->has_indexes || cls_request_has_offsets(desc);
    if (!has_indexes && desc->index_size != 0)
        return cls_fail(CLSORT_E_OPERATION, "clsort_desc.index_size is %u: %s has no indexes",
                        desc->index_size, operation->name);
    clsort_status status =
        has_indexes ? cls_request_index_size(desc, &request->index_bytes) : CLSORT_OK;
    if (status == CLSORT_OK)
        status = cls_request_read_selection(desc, request);
    if (status == CLSORT_OK)
        status = cls_request_read_segments(desc, request);
    if (status != CLSORT_OK)
        return status;
    if (!operation->has_keys)
        return read_gather(desc, request->index_bytes, spec);
    spec->operation = (clsort_operation)desc->operation;
    status = read_key(desc, spec);
    return status == CLSORT_OK ? read_values(desc, request->index_bytes, spec) : status;
}

clsort_status cls_request_read(const clsort_desc *desc, struct cls_request *request)
{
    /* Compilers copy it by vectors. They would clear *request by a slow string instruction. */
    static const struct cls_request EMPTY;
    clsort_desc own;
    *request = EMPTY;
    clsort_status status =
        cls_versioned_copy(desc, &own, sizeof own, "clsort_desc", "CLSORT_DESC_INIT");
    if (status == CLSORT_OK)
        status = check_fields(&own);
    if (status != CLSORT_OK)
        return status;
    struct cls_spec *spec = &request->spec;
    status =
        cls_columns_are_set(&own) ? cls_columns_read(&own, request) : read_operation(&own, request);
    if (status == CLSORT_OK)
        status = cls_value_arrays_read(&own, request);
    if (status != CLSORT_OK)
        return status;
    if (!cls_count_fits(spec, own.max_count))
        return cls_fail(CLSORT_E_COUNT,
                        "clsort_desc.max_count is %zu: the elements exceed the address space",
                        own.max_count);
    request->max_count = own.max_count;
    request->no_scratch = own.flags & CLSORT_NO_SCRATCH;
    if (!own.algorithm || strcmp(own.algorithm, "auto") == 0)
        return CLSORT_OK;
    if (request->columns.count > 0)
        return cls_fail(
            CLSORT_E_UNSUPPORTED,
            "clsort_desc.algorithm is %s: operations by columns or on CLSORT_BYTES have "
            "algorithms of their own",
            own.algorithm);
    return cls_algorithm_name_read(own.algorithm, strlen(own.algorithm), &request->algorithm);
}

void cls_request_describe(const struct cls_request *request, struct cls_text *text)
{
    static const char *const segments[] = {"", " in rows", " in segments by offsets",
                                           " in segments by begins and ends"};
    const struct cls_spec *spec = &request->spec;
    if (request->columns.count > 0) {
        cls_columns_describe(request, text);
        cls_text_add(text, "%s", segments[spec->segments]);
        cls_value_arrays_describe(request, text);
        return;
    }
    cls_text_add(text, "%s%s", spec->partitions ? "partition by " : "",
                 cls_operation_of(spec)->description);
    if (spec->order == CLS_ORDER_CUSTOM)
        cls_text_add(text, "keys of %u bytes, custom order", spec->key_bytes);
    else
        cls_text_add(text, "%s%s", spec->key_name,
                     spec->operation == CLSORT_GATHER ? ""
                     : spec->descending               ? " desc"
                                                      : " asc");
    if (spec->order == CLS_ORDER_NUMERIC)
        cls_text_add(text, " numeric");
    if (spec->end_bit - spec->begin_bit < 8 * spec->key_bytes)
        cls_text_add(text, " bits %u..%u", spec->begin_bit, spec->end_bit);
    cls_text_add(text, "%s", segments[spec->segments]);
    if (spec->value_bytes > 0)
        cls_text_add(text, "%s%zu bytes", spec->value_is_index ? ", indexes of " : " + ",
                     spec->value_bytes);
    cls_value_arrays_describe(request, text);
    if (spec->index_bytes > 0)
        cls_text_add(text, ", indexes of %u bytes", spec->index_bytes);
    if (spec->count_bytes > 0)
        cls_text_add(text, ", count in device memory");
}
