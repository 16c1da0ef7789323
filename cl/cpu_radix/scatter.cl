// scatter.cl - moves the elements of each chunk to their bins in scratch
#ifndef CLSORT_CPU_RADIX_SCATTER_CL
#define CLSORT_CPU_RADIX_SCATTER_CL

#include "cpu_radix/args.cl"
#include "cpu_radix/bins.cl"
#include "cpu_radix/chunk.cl"
#include "cpu_radix/histogram.cl"
#include "cpu_radix/rewrite.cl"
#include "cpu_radix/write_combine.cl"

// Points the lines to the output arrays, which begin `phase` elements after the start of a cache
// line.
static inline void set_output(write_combine_t *restrict lines, const elements_t to,
                              const uint phase)
{
    lines->out.keys = to.keys - phase;
    lines->streams_keys = (uintptr_t)lines->out.keys % 64 == 0;
#if VALUE_BYTES > 0
    lines->out.values = to.values - phase;
    lines->streams_values =
        LINE_KEYS * VALUE_BYTES % 64 == 0 && (uintptr_t)lines->out.values % 64 == 0;
#endif
}

// Puts element i into the line of its bin. A full line is written only when the next element for it
// arrives: by then the stores to the line have retired, and the loads that read it do not wait.
#define SCATTER(i, bin)                                                                            \
    {                                                                                              \
        const uint d = bin;                                                                        \
        if (lines.next[d] / LINE_KEYS != d) {                                                      \
            flush_line(&lines, d);                                                                 \
        }                                                                                          \
        const uint slot = lines.next[d];                                                           \
        lines.keys[slot] = in[i];                                                                  \
        VALUES(lines.values[slot] = INPUT_VALUE(from.values, i);)                                  \
        lines.next[d] = slot + 1;                                                                  \
    }

// Returns whether a bin of a tree has one key, from which its elements are written (rewrite.cl).
static inline bool is_rewritten_bin(const bin_lookup_t lookup, const uint bin)
{
    if (!CAN_REWRITE_KEYS || lookup.tree.children == 0 || lookup.window != LARGEST_KEY) {
        return false;
    }
    __global const compared_key_t *last_keys = lookup.last_keys;
    return last_keys[bin] == (bin > 0 ? last_keys[bin - 1] + 1 : 0);
}

// Scatters a chunk of elements. `starts` has the offsets of its bins, `stride` counters apart.
// `kept` has the bins of all keys, or is 0.
OUTLINED void scatter_chunk(const bin_lookup_t lookup, const elements_t from, const elements_t to,
                            const cpu_radix_chunk_t chunk, __global const index_t *restrict starts,
                            const size_t stride, __global const ushort *restrict kept)
{
    write_combine_t lines;
    __global const key_t *restrict in = from.keys;
    const uint phase = (uint)((uintptr_t)to.keys / KEY_BYTES) & (LINE_KEYS - 1);
    set_output(&lines, to, phase);
    for (uint bin = 0; bin < lookup.tree.bins; bin++) {
        begin_line(&lines, bin, starts[bin * stride] + phase);
        if (is_rewritten_bin(lookup, bin)) {
            lines.start[bin] = NOT_WRITTEN;
        }
    }
    uint bins[VECTOR_LANES];
    index_t i = chunk.first;
    for (; i + VECTOR_LANES <= chunk.last; i += VECTOR_LANES) {
        if (kept) {
            vstore16(convert_uint16(vload16(0, kept + i)), 0, bins);
        } else {
            bins_of(lookup, vload16(0, in + i), bins);
        }
#pragma unroll 8
        for (uint j = 0; j < VECTOR_LANES; j++) {
            SCATTER(i + j, bins[j])
        }
    }
    for (; i < chunk.last; i++) {
        SCATTER(i, bin_of(lookup, in[i]))
    }
    for (uint bin = 0; bin < lookup.tree.bins; bin++) {
        flush_partial_line(&lines, bin);
    }
}

__kernel WORK_ITEM_KERNEL void cpu_radix_scatter(BUFFER(control), BUFFER(nodes), BUFFER(last_keys),
                                                 INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                                 VALUE_INPUT(values) VALUE_BUFFER(values_tmp)
                                                     BUFFER(table),
                                                 CPU_RADIX_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_RADIX_ARGS
    __global const cls_cpu_radix_control *c = AT(const cls_cpu_radix_control, control);
    if (c->head.is_sorted || c->is_reversed || c->is_rewritten) {
        return;
    }
    const bin_lookup_t lookup =
        lookup_in(c->tree, AT(const bin_nodes_t, nodes), AT(const compared_key_t, last_keys),
                  (key_t)args.flip, (key_t)args.window);
    const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_tmp, values_tmp);
    scatter_chunk(lookup, from, to,
                  chunk_at(get_group_id(0), (index_t)args.chunk, (index_t)args.count),
                  AT(const index_t, table) + get_group_id(0), get_num_groups(0),
                  kept_bins(lookup, from.keys, AT(key_t, keys_to)));
}

#endif
