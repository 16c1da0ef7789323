/* operation_io.c - takes the arrays of an operation from clsort_io, and sets them there */
#include "plan/operation_io.h"

#include "base/error.h"
#include "plan/operation.h"

/* -- members ----------------------------------------------------------------------------------- */

/* Groups of members of clsort_io that not all operations use. */
enum {
    KEYS = 1,
    VALUES = 2,
    OUTPUTS = 4,
    SECOND = 8,
    INDEX_OUT = 16,
    INDEX = 32,
    K = 64,
    SEGMENTS = 128,
    OFFSETS = 256,
    ENDS = 512,
    COUNT = 1024,
    RESULT = 2048,
    COLUMNS = 4096
};

/* Fails if a member is set that the operation does not use. */
static clsort_status refuse_unused(const clsort_io *io, const struct cls_spec *spec, int used)
{
    const struct {
        int groups; /* all must be used */
        bool is_set;
        const char *finding;
    } members[] = {
        {KEYS, io->keys.mem, "keys.mem is not NULL"},
        {VALUES, io->values.mem, "values.mem is not NULL"},
        {KEYS | OUTPUTS, io->keys_out.mem, "keys_out.mem is not NULL"},
        {VALUES | OUTPUTS, io->values_out.mem, "values_out.mem is not NULL"},
        {SECOND, io->second_count > 0, "second_count is not 0"},
        {SECOND | KEYS, io->second_keys.mem, "second_keys.mem is not NULL"},
        {SECOND | VALUES, io->second_values.mem, "second_values.mem is not NULL"},
        {INDEX_OUT, io->index_out.mem, "index_out.mem is not NULL"},
        {INDEX, io->index.mem, "index.mem is not NULL"},
        {INDEX, io->source_count > 0, "source_count is not 0"},
        {K, io->k > 0, "k is not 0"},
        {SEGMENTS, io->segment_count > 0, "segment_count is not 0"},
        {OFFSETS, io->offsets.mem, "offsets.mem is not NULL"},
        {ENDS, io->ends.mem, "ends.mem is not NULL"},
        {SEGMENTS | K, io->ks.mem, "ks.mem is not NULL"},
        {COUNT, io->count_buffer.mem, "count_buffer.mem is not NULL"},
        {COLUMNS, io->columns, "columns is not NULL"},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!members[i].is_set || (members[i].groups & used) == members[i].groups)
            continue;
        if (members[i].groups & (SEGMENTS | OFFSETS | ENDS))
            return cls_fail(CLSORT_E_SEGMENTS, "%s, but clsort_desc.segments is %u",
                            members[i].finding, spec->segments);
        if (spec->column_buffers > 0 && members[i].groups & KEYS)
            return cls_fail(CLSORT_E_OPERATION, "%s, but the columns have a buffer each",
                            members[i].finding);
        if (members[i].groups & COUNT)
            return cls_fail(CLSORT_E_OPERATION, "%s, but clsort_desc.count_size is 0",
                            members[i].finding);
        return cls_fail(CLSORT_E_OPERATION, "%s, but %s does not use it", members[i].finding,
                        cls_operation_of(spec)->name);
    }
    if (io->result.mem && !(used & (INDEX | SEGMENTS | COUNT | RESULT)))
        return cls_fail(CLSORT_E_OPERATION, "result.mem is not NULL, but %s does not use it",
                        cls_operation_of(spec)->name);
    return CLSORT_OK;
}

static clsort_status require(clsort_buffer buffer, const char *name)
{
    return buffer.mem ? CLSORT_OK : cls_fail(CLSORT_E_ARGUMENT, "%s.mem is NULL", name);
}

/* Checks the buffers of columns that have a buffer each. */
static clsort_status check_columns(const clsort_io *io, const struct cls_spec *spec)
{
    const bool has_elements = io->count + io->second_count > 0;
    if (has_elements && !io->columns)
        return cls_fail(CLSORT_E_ARGUMENT, "columns is NULL, but the columns have a buffer each");
    for (unsigned i = 0; has_elements && i < spec->column_buffers; i++)
        if (!io->columns[i].mem)
            return cls_fail(CLSORT_E_ARGUMENT, "columns[%u].mem is NULL", i);
    return CLSORT_OK;
}

/* Checks that there are elements: keys, or columns with a buffer each. */
static clsort_status require_elements(const clsort_io *io, const struct cls_spec *spec)
{
    return spec->column_buffers > 0 ? check_columns(io, spec)
           : io->count > 0          ? require(io->keys, "keys")
                                    : CLSORT_OK;
}

/* The members that have the elements of operations that write chosen ones, or none. */
static int element_members(const struct cls_spec *spec)
{
    return spec->column_buffers > 0 ? COLUMNS : KEYS | VALUES;
}

static bool is_same_region(clsort_buffer a, clsort_buffer b)
{
    return a.mem == b.mem && a.offset == b.offset;
}

/* -- segments ---------------------------------------------------------------------------------- */

/* Returns the members that segments of this form use, or a count in device memory; 0 if there is neither. */
static int segment_members(const struct cls_spec *spec)
{
    const int count = spec->count_bytes > 0 ? COUNT : 0;
    return spec->segments == CLSORT_WHOLE     ? count
           : spec->segments == CLSORT_ROWS    ? SEGMENTS | count
           : spec->segments == CLSORT_OFFSETS ? SEGMENTS | OFFSETS | count
                                              : SEGMENTS | OFFSETS | ENDS | count;
}

/* Reads the segments, the count in device memory, and the result. With such a count, the whole array is
 * a segment whose end the device reads. */
static clsort_status read_segments(const clsort_io *io, const struct cls_spec *spec,
                                   struct cls_arrays *arrays)
{
    const int members = segment_members(spec);
    clsort_status status = CLSORT_OK;
    if (spec->segments == CLSORT_ROWS &&
        (io->segment_count == 0 ? io->count > 0 : io->count % io->segment_count != 0))
        return cls_fail(CLSORT_E_SEGMENTS,
                        "segment_count is %zu: it must divide count, which is %zu",
                        io->segment_count, io->count);
    if (io->segment_count > 0 && members & OFFSETS)
        status = require(io->offsets, "offsets");
    if (status == CLSORT_OK && io->segment_count > 0 && members & ENDS)
        status = require(io->ends, "ends");
    if (status == CLSORT_OK && members & COUNT)
        status = require(io->count_buffer, "count_buffer");
    arrays->count_buffer = io->count_buffer;
    arrays->segment_count = members == COUNT ? 1 : io->segment_count;
    arrays->offsets = io->offsets;
    arrays->ends = io->ends;
    arrays->ks = io->ks;
    arrays->result = io->result;
    return status;
}

/* -- sorts and merges -------------------------------------------------------------------------- */

/* Returns CLSORT_OK if there are keys, and values exactly if the sort spec has values. The names of
 * the arrays have the given prefix and suffix. */
static clsort_status check_arrays(const char *prefix, const char *suffix, clsort_buffer keys,
                                  clsort_buffer values, const struct cls_spec *spec)
{
    if (!keys.mem)
        return cls_fail(CLSORT_E_ARGUMENT, "%skeys%s.mem is NULL", prefix, suffix);
    if (spec->value_bytes > 0 && !values.mem)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "%svalues%s.mem is NULL, but clsort_desc.value_size is %zu", prefix, suffix,
                        spec->value_bytes);
    if (spec->value_bytes == 0 && values.mem)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "%svalues%s.mem is not NULL, but clsort_desc.value_size is 0", prefix,
                        suffix);
    return CLSORT_OK;
}

static clsort_status check_outputs(const clsort_io *io, const struct cls_spec *spec)
{
    if (io->keys_out.mem && spec->value_bytes > 0 && !io->values_out.mem)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "values_out.mem is NULL, but keys_out.mem is not: set both of them (in "
                        "place: neither)");
    if (io->keys_out.mem)
        return check_arrays("", "_out", io->keys_out, io->values_out, spec);
    return io->values_out.mem ? cls_fail(CLSORT_E_ARGUMENT,
                                         "keys_out.mem is NULL, but values_out.mem is not: set "
                                         "both of them (in place: neither)")
                              : CLSORT_OK;
}

/* Reads the first input and the output. */
static clsort_status read_first(const clsort_io *io, const struct cls_spec *spec,
                                struct cls_arrays *arrays)
{
    clsort_status status =
        io->count > 0 ? check_arrays("", "", io->keys, io->values, spec) : CLSORT_OK;
    if (status == CLSORT_OK)
        status = check_outputs(io, spec);
    if (status != CLSORT_OK)
        return status;
    *arrays = (struct cls_arrays){.count = io->count + io->second_count,
                                  .keys_in = io->keys,
                                  .values_in = io->values,
                                  .keys_out = io->keys_out,
                                  .values_out = io->values_out};
    arrays->in_place = !io->keys_out.mem || (is_same_region(io->keys, io->keys_out) &&
                                             is_same_region(io->values, io->values_out));
    if (arrays->in_place) {
        arrays->keys_out = io->keys;
        arrays->values_out = io->values;
    }
    return CLSORT_OK;
}

clsort_status cls_read_sort_io(const clsort_io *io, const struct cls_spec *spec,
                               struct cls_arrays *arrays)
{
    clsort_status status = read_first(io, spec, arrays);
    if (status == CLSORT_OK)
        status = refuse_unused(io, spec, KEYS | VALUES | OUTPUTS | segment_members(spec));
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

/* Reads columns that have a buffer each, and sets *index_out, a member of *arrays. Of two inputs, both are in these
 * buffers. */
static clsort_status read_column_buffers(const clsort_io *io, const struct cls_spec *spec,
                                         int more_members, clsort_buffer *index_out,
                                         struct cls_arrays *arrays)
{
    const uint64_t count = (uint64_t)io->count + io->second_count;
    clsort_status status =
        refuse_unused(io, spec, COLUMNS | INDEX_OUT | more_members | segment_members(spec));
    if (status == CLSORT_OK && count > 0)
        status = require(io->index_out, "index_out");
    if (status == CLSORT_OK)
        status = check_columns(io, spec);
    *arrays = (struct cls_arrays){.count = count,
                                  .second_count = io->second_count,
                                  .columns = count > 0 ? io->columns : NULL};
    *index_out = io->index_out;
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

/* The arrays of an empty input may be missing; the arrays of the other input then replace them. */
clsort_status cls_read_merge_io(const clsort_io *io, const struct cls_spec *spec,
                                struct cls_arrays *arrays)
{
    if (spec->column_buffers > 0)
        return read_column_buffers(io, spec, SECOND, &arrays->index_out, arrays);
    clsort_status status = read_first(io, spec, arrays);
    if (status == CLSORT_OK)
        status = refuse_unused(io, spec, KEYS | VALUES | OUTPUTS | SECOND);
    if (status == CLSORT_OK && !io->keys_out.mem)
        status = cls_fail(CLSORT_E_ARGUMENT,
                          "keys_out.mem is NULL: CLSORT_MERGE_SORTED does not merge in place");
    if (status == CLSORT_OK && io->second_count > 0)
        status = check_arrays("second_", "", io->second_keys, io->second_values, spec);
    if (status != CLSORT_OK)
        return status;
    arrays->in_place = false; /* an output that is an input fails the overlap check later */
    arrays->second_count = io->count > 0 ? io->second_count : 0;
    arrays->second_keys = io->second_count > 0 ? io->second_keys : io->keys;
    arrays->second_values = io->second_count > 0 ? io->second_values : io->values;
    if (io->count == 0) {
        arrays->keys_in = io->second_keys;
        arrays->values_in = io->second_values;
    }
    return CLSORT_OK;
}

uint64_t cls_second_count(uint64_t count)
{
    return count / 3;
}

void cls_write_merge_io(clsort_io *io, const struct cls_spec *spec)
{
    io->second_count = (size_t)cls_second_count(io->count);
    io->count -= io->second_count;
    if (io->second_count == 0)
        return;
    io->second_keys = (clsort_buffer){io->keys.mem, io->count * spec->key_bytes};
    io->second_values = (clsort_buffer){io->values.mem, io->count * spec->value_bytes};
}

/* -- indexes ----------------------------------------------------------------------------------- */

/* In place, the sorted keys replace the input. Algorithms never read indexes from the input, so that
 * the output of the indexes is the same in both cases. */
clsort_status cls_read_argsort_io(const clsort_io *io, const struct cls_spec *spec,
                                  struct cls_arrays *arrays)
{
    if (spec->column_buffers > 0)
        return read_column_buffers(io, spec, 0, &arrays->values_out, arrays);
    clsort_status status = io->count > 0 ? require(io->keys, "keys") : CLSORT_OK;
    if (status == CLSORT_OK && io->count > 0)
        status = require(io->index_out, "index_out");
    if (status == CLSORT_OK)
        status = refuse_unused(io, spec, KEYS | OUTPUTS | INDEX_OUT | segment_members(spec));
    *arrays = (struct cls_arrays){.count = io->count,
                                  .in_place = is_same_region(io->keys, io->keys_out),
                                  .keys_in = io->keys,
                                  .keys_out = io->keys_out,
                                  .values_out = io->index_out};
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

void cls_write_argsort_io(clsort_io *io, const struct cls_spec *spec)
{
    (void)spec;
    io->index_out = io->values_out.mem ? io->values_out : io->values;
    if (!io->keys_out.mem)
        io->keys_out = io->keys;
    io->values = io->values_out = (clsort_buffer){NULL, 0};
}

/* The indexes are the keys of the algorithm. Without any, only the result is written. */
clsort_status cls_read_gather_io(const clsort_io *io, const struct cls_spec *spec,
                                 struct cls_arrays *arrays)
{
    clsort_status status = io->count > 0 ? require(io->index, "index") : CLSORT_OK;
    if (status == CLSORT_OK && io->source_count > 0)
        status = require(io->values, "values");
    if (status == CLSORT_OK && io->count > 0)
        status = require(io->values_out, "values_out");
    if (status == CLSORT_OK)
        status = refuse_unused(io, spec, VALUES | OUTPUTS | INDEX | segment_members(spec));
    if (status == CLSORT_OK && !cls_count_fits(spec, io->source_count))
        status =
            cls_fail(CLSORT_E_COUNT, "source_count is %zu: the values exceed the address space",
                     io->source_count);
    *arrays = (struct cls_arrays){.count = io->count,
                                  .keys_in = io->index,
                                  .values_in = io->values,
                                  .values_out = io->values_out,
                                  .source_count = io->source_count};
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

void cls_write_gather_io(clsort_io *io, const struct cls_spec *spec)
{
    (void)spec;
    io->index = io->keys;
    io->source_count = io->count;
    io->keys = io->keys_out = (clsort_buffer){NULL, 0};
}

/* -- selections -------------------------------------------------------------------------------- */

/* Checks the arrays of an operation whose outputs, which have out_count elements, may be omitted. */
static clsort_status check_wanted(const clsort_io *io, const struct cls_spec *spec,
                                  uint64_t out_count)
{
    clsort_status status = require_elements(io, spec);
    if (status == CLSORT_OK && spec->value_bytes == 0 && (io->values.mem || io->values_out.mem))
        status = cls_fail(CLSORT_E_ARGUMENT, "%s.mem is not NULL, but clsort_desc.value_size is 0",
                          io->values.mem ? "values" : "values_out");
    if (status == CLSORT_OK && io->count > 0 && io->values_out.mem)
        status = require(io->values, "values");
    if (status == CLSORT_OK && out_count > 0 && !io->keys_out.mem && !io->values_out.mem &&
        !io->index_out.mem)
        status = cls_fail(CLSORT_E_ARGUMENT,
                          "keys_out.mem, values_out.mem and index_out.mem are NULL: at least one "
                          "output is needed");
    return status;
}

/* Reads the arrays of a selection whose outputs have out_count elements. */
static clsort_status read_selection(const clsort_io *io, const struct cls_spec *spec,
                                    uint64_t out_count, struct cls_arrays *arrays)
{
    clsort_status status = refuse_unused(
        io, spec, element_members(spec) | OUTPUTS | INDEX_OUT | K | segment_members(spec));
    if (status == CLSORT_OK)
        status = check_wanted(io, spec, out_count);
    *arrays = (struct cls_arrays){.count = io->count,
                                  .selected = (uint64_t)io->k + (spec->operation == CLSORT_NTH),
                                  .out_count = out_count,
                                  .keys_in = io->keys,
                                  .values_in = io->values,
                                  .keys_out = io->keys_out,
                                  .values_out = io->values_out,
                                  .index_out = io->index_out,
                                  .columns = io->count > 0 ? io->columns : NULL};
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

clsort_status cls_check_selected(const struct cls_spec *spec, size_t count, size_t k)
{
    if (spec->operation == CLSORT_NTH && k >= count)
        return cls_fail(CLSORT_E_COUNT, "k is %zu: it must be less than count, which is %zu", k,
                        count);
    return k > count ? cls_fail(CLSORT_E_COUNT, "k is %zu: at most count, which is %zu", k, count)
                     : CLSORT_OK;
}

/* Checks k, and sets *out_count to the number of output elements: k of each segment, or one. */
static clsort_status check_out_count(const clsort_io *io, const struct cls_spec *spec,
                                     uint64_t *out_count)
{
    const bool is_nth = spec->operation == CLSORT_NTH;
    const size_t segments = io->segment_count, elements = is_nth ? 1 : io->k;
    if (is_nth && io->ks.mem && io->k > 0)
        return cls_fail(CLSORT_E_OPERATION, "k is %zu, but ks has the element of each segment",
                        io->k);
    if (elements > 0 && segments > SIZE_MAX / elements)
        return cls_fail(CLSORT_E_COUNT,
                        "%zu segments with %zu output elements each exceed the address space",
                        segments, elements);
    *out_count = (uint64_t)segments * elements;
    if (spec->segments != CLSORT_ROWS || segments == 0 || (is_nth && io->ks.mem))
        return CLSORT_OK;
    return io->k + is_nth > io->count / segments
               ? cls_fail(CLSORT_E_COUNT, "k is %zu, but rows have %zu elements", io->k,
                          io->count / segments)
               : CLSORT_OK;
}

clsort_status cls_read_select_io(const clsort_io *io, const struct cls_spec *spec,
                                 struct cls_arrays *arrays)
{
    uint64_t out_count = io->k;
    const clsort_status status = spec->segments == CLSORT_WHOLE
                                     ? cls_check_selected(spec, io->count, io->k)
                                     : check_out_count(io, spec, &out_count);
    return status == CLSORT_OK ? read_selection(io, spec, out_count, arrays) : status;
}

/* The element k, from 0, is the last of the first k + 1. */
clsort_status cls_read_nth_io(const clsort_io *io, const struct cls_spec *spec,
                              struct cls_arrays *arrays)
{
    uint64_t out_count = spec->partitions ? io->count : 1;
    const clsort_status status = spec->segments == CLSORT_WHOLE
                                     ? cls_check_selected(spec, io->count, io->k)
                                     : check_out_count(io, spec, &out_count);
    return status == CLSORT_OK ? read_selection(io, spec, out_count, arrays) : status;
}

/* -- neighbours -------------------------------------------------------------------------------- */

clsort_status cls_read_unique_io(const clsort_io *io, const struct cls_spec *spec,
                                 struct cls_arrays *arrays)
{
    clsort_status status = refuse_unused(
        io, spec, element_members(spec) | OUTPUTS | INDEX_OUT | RESULT | segment_members(spec));
    if (status == CLSORT_OK)
        status = check_wanted(io, spec, io->count);
    if (status == CLSORT_OK)
        status = require(io->result, "result");
    *arrays = (struct cls_arrays){.count = io->count,
                                  .keys_in = io->keys,
                                  .values_in = io->values,
                                  .keys_out = io->keys_out,
                                  .values_out = io->values_out,
                                  .index_out = io->index_out,
                                  .columns = io->count > 0 ? io->columns : NULL};
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

clsort_status cls_read_check_io(const clsort_io *io, const struct cls_spec *spec,
                                struct cls_arrays *arrays)
{
    const int elements = spec->column_buffers > 0 ? COLUMNS : KEYS;
    clsort_status status = refuse_unused(io, spec, elements | RESULT | segment_members(spec));
    if (status == CLSORT_OK)
        status = require_elements(io, spec);
    if (status == CLSORT_OK)
        status = require(io->result, "result");
    *arrays = (struct cls_arrays){
        .count = io->count, .keys_in = io->keys, .columns = io->count > 0 ? io->columns : NULL};
    return status == CLSORT_OK ? read_segments(io, spec, arrays) : status;
}

void cls_write_check_io(clsort_io *io, const struct cls_spec *spec)
{
    (void)spec;
    io->keys_out = (clsort_buffer){NULL, 0};
}
