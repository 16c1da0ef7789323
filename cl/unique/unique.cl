// unique.cl - copies the first element of each run of equal keys to the outputs
//
// A run begins at an element whose key is not equal to the key before it. The beginnings are counted
// in each chunk of the input, the counts are scanned, and a second read of the keys writes the
// elements that begin runs, in the order of the input. The output is thus the same on all devices,
// and the input need not be in order: repeats that are neighbours are dropped, nothing else.
//
// Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990 (compaction by a scan).
//
// Kernels, in launch order:
//   unique_count      per chunk: counts the beginnings of runs
//   unique_offsets    one work-group; scans the counts, and writes their sum to the result
//   unique_write      per chunk: copies the elements that begin runs, or writes their indexes
//
// Cost per element: two reads of the key; for each element that begins a run, a write of the key, a
// read and a write of the value, and a write of the index, if these are wanted. For u32 keys without
// repeats these are 12 bytes.
// Measured with 2^24 u32 keys on PoCL 3.1 (2 cores of an EPYC with AVX-512): 4.9 ms with random keys,
// 0.76 of the speed of a copy that moves as many bytes. On an H100, 2^28 keys take 1.37 ms, 0.79 of it:
// the first read 0.41 ms, in which a copy moves 1.1 times as many bytes, and the second one with the
// outputs 0.91 ms, in which it moves 1.26 times as many.
//
// With columns (KEY_ORDER 4), records are copied as values are; there are no keys besides.
//
// Options, besides those of common/neighbours.cl: GROUP_SIZE (common/work_group.cl), COUNT_BYTES
// (common/device_count.cl), and UNIT_BYTES (common/row_unit.cl) and ROW_UNITS for values:
//   ROW_UNITS    1 to 4: the units of a value; 0: a value has more, or there are no values
// VALUE_BYTES is 0, since the kernels move values as rows of units.
#ifndef CLSORT_UNIQUE_UNIQUE_CL
#define CLSORT_UNIQUE_UNIQUE_CL

#include "common/chunk_range.cl"
#include "common/neighbours.cl"
#include "common/row_unit.cl"
#include "common/scan.cl"
#include "common/store_index.cl"
#include "unique/layout.h"

// Returns whether a run begins at element i. Element 0 is compared with itself: compilers would make a
// branch of a condition, and the reads of several elements would then wait for each other.
static inline bool begins_run(const input_t in, const index_t i, const order_t order)
{
    return elements_differ(in, i, i - (i > 0), order) | (i == 0);
}

// The arrays that the last kernel reads and writes. Outputs that are not wanted are not accessed.
typedef struct {
    input_t in;
    __global key_t *keys_out;
    __global const row_unit_t *values;
    __global row_unit_t *values_out;
    __global uchar *indexes; // of args.index_bytes bytes each
} unique_arrays_t;

#define UNIQUE_ARRAYS                                                                              \
    ELEMENTS_IN, BUFFER(keys_out), INPUT(values), BUFFER(values_out), BUFFER(indexes)
#define UNIQUE_ARRAYS_OF                                                                           \
    {                                                                                              \
        in, AT(key_t, keys_out), AT(const row_unit_t, values), AT(row_unit_t, values_out),         \
            AT(uchar, indexes)                                                                     \
    }

static inline void copy_key(const unique_arrays_t arrays, const index_t to, const index_t from)
{
#if KEY_ORDER != 4
    arrays.keys_out[to] = arrays.in[from];
#endif
}

// Computes the offset of each chunk in the outputs. Without elements, there are no chunks. With a count in device
// memory, the result already says whether it exceeds its maximum (clamp/clamp.cl).
__kernel WORK_GROUP_KERNEL void unique_offsets(BUFFER(scratch), BUFFER(result),
                                               const cls_unique_args args)
{
    __local ulong sums[2 * GROUP_SIZE];
    __global cls_unique_chunk *chunks = AT(cls_unique_chunk, scratch);
    // Each work-item has neighbouring chunks: there is one scan, whatever their number is.
    const uint each = args.chunks / GROUP_SIZE + (args.chunks % GROUP_SIZE > 0);
    const uint first = min((uint)get_local_id(0) * each, args.chunks);
    const uint end = first + min(each, args.chunks - first);
    ulong runs = 0, total;
    for (uint c = first; c < end; c++) {
        runs += chunks[c].runs;
    }
    ulong offset = group_exclusive_scan(runs, sums, &total);
    for (uint c = first; c < end; c++) {
        chunks[c].offset = offset;
        offset += chunks[c].runs;
    }
    if (get_local_id(0) == 0) {
#if COUNT_BYTES > 0
        AT(ulong, result)[0] |= total;
#else
        AT(ulong, result)[0] = total;
#endif
    }
}

#endif
