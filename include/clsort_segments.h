/**
 * @file
 * clsort_segments.h - the part of clsort.h that divides arrays into segments
 *
 * Programs include clsort.h, which includes this file.
 *
 * Segmented sorts (clsort_desc.segments) sort each segment of an array on its own, as if by a call of
 * clsort_enqueue for each of them: CLSORT_SORT its elements, and CLSORT_ARGSORT the indexes of its
 * elements. These are indexes in the whole array, as CLSORT_GATHER expects them; the index within a
 * segment is the difference to the begin of the segment. Segments may have any lengths and may be
 * empty. Segmented sorts are stable. Selections from segments are described in clsort_select.h. Other
 * operations are refused with CLSORT_E_SEGMENTS, and a named algorithm and CLSORT_NO_SCRATCH with
 * CLSORT_E_UNSUPPORTED.
 *
 * Elements in no segment are not read, and the elements of the outputs at their offsets are not
 * written.
 *
 * Offsets are not trusted: no value of theirs leads to an access out of bounds. In sorts, let the bound of a
 * segment be the largest of the ends of the segments before it, or 0; with CLSORT_BEGIN_END, segments
 * are in the order of their begins, and those with equal begins in that of the caller. An offset that
 * exceeds the count is replaced by the count, then a begin below the bound by the bound, and then an
 * end below the begin by the begin. If clsort_io.result.mem is not NULL, the number of segments is
 * written there that end before they begin or after the array, or whose begin was replaced although
 * they are not empty. It is 0 if all segments are valid and none overlap.
 */
#ifndef CLSORT_SEGMENTS_H
#define CLSORT_SEGMENTS_H

/** How an array is divided into segments. */
typedef enum clsort_segments {
    CLSORT_WHOLE,   /**< no segments: the operation is on the whole array */
    CLSORT_ROWS,    /**< segment_count rows of equal length, which together are the whole array;
                          segment_count must divide count (CLSORT_E_SEGMENTS) */
    CLSORT_OFFSETS, /**< segment i is the elements from offsets[i] to offsets[i + 1], as in CSR. The
                          first offset need not be 0, and the last one need not be count. */
    CLSORT_BEGIN_END /**< segment i is the elements from offsets[i] to ends[i], in any order */
} clsort_segments;

#endif /* CLSORT_SEGMENTS_H */
