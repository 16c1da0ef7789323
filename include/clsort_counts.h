/**
 * @file
 * clsort_counts.h - the part of clsort.h that takes counts from device memory
 *
 * Programs include clsort.h, which includes this file.
 *
 * If a kernel computes how many elements there are, the host need not wait for it: a plan with
 * clsort_desc.count_size takes the count from clsort_io.count_buffer when the kernels run, after the
 * wait list. clsort_io has the maximum, the *bound*:
 * - CLSORT_WHOLE: the count is that of elements, and io.count is its bound. Elements at or after the
 *   count are not read, and the elements of the outputs at their offsets are not written. For
 *   CLSORT_GATHER it is the count of indexes; io.source_count is that of the host. For CLSORT_SELECT
 *   and CLSORT_NTH, io.k may be as large as for the bound. If fewer than k elements are there,
 *   CLSORT_SELECT writes these, and the other elements of the output are unchanged. If there is no
 *   element k, CLSORT_NTH writes nothing; with CLSORT_PARTITION, it partitions by the last element in
 *   the order. CLSORT_UNIQUE and CLSORT_CHECK work as if the input ended at the count.
 * - CLSORT_ROWS, CLSORT_OFFSETS, CLSORT_BEGIN_END: the count is that of segments, and
 *   io.segment_count is its bound. Later rows are neither read nor written, and offsets of later
 *   segments are not read. io.count is the size of the array, as without count_size.
 *
 * A count above its bound is replaced by the bound. If clsort_io.result.mem is not NULL, a number is
 * written there that is CLSORT_COUNT_EXCEEDED if that happened, or 0, plus the number of segments that
 * were clamped (clsort_segments.h) or that CLSORT_SELECT and CLSORT_NTH count (clsort_select.h), or of
 * indexes that were out of bounds (CLSORT_GATHER), or 1 if a whole array has no element k (CLSORT_NTH), or
 * the result of CLSORT_UNIQUE and CLSORT_CHECK (clsort_unique.h).
 *
 * Buffers must be large enough for the bound, and the scratch size is that for the bound. count_buffer is
 * an input: outputs and scratch must not overlap it.
 *
 * Key types, orders, columns, value sizes and stability are as with a known count. The algorithms "cpu",
 * "hybrid" and "onesweep" read the count. They take about as long as with a known count if the count
 * is near its bound. The launches are those of the bound, and one more, so that a small count takes
 * some launches longer. If no algorithm that reads it supports the sort on the device, the array is sorted by the
 * kernels of segmented sorts. CLSORT_SELECT and CLSORT_NTH by a custom order use these to sort all elements.
 * Not supported (CLSORT_E_UNSUPPORTED): CLSORT_MERGE_SORTED, whose two inputs would need a count each, other
 * algorithms by name, CLSORT_NO_SCRATCH, and arrays in host memory.
 */
#ifndef CLSORT_COUNTS_H
#define CLSORT_COUNTS_H

#include <stdint.h>

/** A bit of clsort_io.result: the count in device memory exceeds its bound. */
#define CLSORT_COUNT_EXCEEDED (UINT64_C(1) << 63)

#endif /* CLSORT_COUNTS_H */
