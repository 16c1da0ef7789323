/**
 * @file
 * clsort_select.h - the part of clsort.h that selects the first elements, or the n-th one
 *
 * Programs include clsort.h, which includes this file.
 *
 * CLSORT_SELECT writes the first k of count elements in the order, and CLSORT_NTH the element k, each
 * to those of keys_out, values_out and index_out that are not NULL. At least one of them must not be
 * NULL if elements are selected. index_out has their indexes in the input. Outputs must not overlap
 * inputs. The elements of CLSORT_SELECT are sorted, by the algorithm that the plan names, if any,
 * unless CLSORT_INPUT_ORDER is set. If keys are equal, those that come first in the input are selected.
 * Equal keys are in the order of the input, so that the output is the same on all devices, unless
 * CLSORT_UNSTABLE is set or the named algorithm is not stable. With a custom order, all elements are
 * sorted, and CLSORT_INPUT_ORDER and CLSORT_PARTITION are not supported (CLSORT_E_UNSUPPORTED).
 *
 * Segments (clsort_desc.segments).  The selection is from each segment on its own, whatever its length
 * is. The output of segment i is the k elements from offset i * k on of each output array, and with
 * CLSORT_NTH the element at offset i. A segment that is shorter than k writes only the first of them.
 * The others are not written, so that the caller can fill them before, for example with zeros.
 * index_out has indexes in the whole array. Rows must have at least k elements, or with CLSORT_NTH more
 * than k (CLSORT_E_COUNT).
 *
 * If clsort_io.ks.mem is not NULL, it has a k of clsort_desc.index_size bytes for each segment. k is
 * then the number of output elements of each segment and the maximum of these numbers; a larger one is
 * replaced by k. With CLSORT_NTH, k must be 0 then.
 *
 * The segments are only read, and may overlap. An offset that exceeds the count is replaced by the
 * count, and then an end below the begin by the begin. If clsort_io.result.mem is not NULL, the number
 * of segments is written there for which one of these is true: they end before they begin or after the
 * array; their number in ks exceeds k; they have no element k (CLSORT_NTH). With a custom order, with
 * columns and byte strings, and on drivers that abort long loops (Mesa's llvmpipe) if max_count is 0 or
 * large, the segments are sorted before: the elements of segments that overlap are then any elements of
 * these segments, and on such drivers CLSORT_INPUT_ORDER is refused with CLSORT_E_UNSUPPORTED.
 *
 * A count in device memory (clsort_desc.count_size) may be that of elements or of segments: see
 * clsort_counts.h.
 *
 * Selections from segments are stable. CLSORT_PARTITION is refused with CLSORT_E_SEGMENTS, and a named
 * algorithm and CLSORT_NO_SCRATCH with CLSORT_E_UNSUPPORTED. There can be at most 2^32 - 1 segments.
 *
 * From records, byte strings and columns that have a buffer each (clsort_columns.h), elements are selected
 * by an argsort of all of them, with its time and its scratch memory, whatever k is.
 * CLSORT_INPUT_ORDER, CLSORT_PARTITION and values are then refused with CLSORT_E_UNSUPPORTED.
 *
 * Cost.  The keys are read once if k is at most 1/16 of count, and otherwise twice. From segments, they
 * are read about three times; a segment that is in the caches is read from memory once. One work-group,
 * or core, reads a segment, however long it is, so that a few long segments are better selected from by
 * a call each.
 *
 * Scratch memory.  CLSORT_SELECT needs at most 4 * max_k * (key + 8) + count / 16 bytes, and CLSORT_NTH
 * count * (key + index), or with CLSORT_PARTITION count * (key + 2 * index), all plus 64 MiB. With a
 * custom order, these need the scratch of CLSORT_ARGSORT, and count * (key + index); with a count in
 * device memory besides, (count + max_k) * index instead (CLSORT_NTH: (count + 1) * index), and 2 KiB.
 * Selections from segments need 32 bytes for each of max_segments segments, index bytes for each of
 * max_segments * max_k output elements (CLSORT_NTH: max_segments), and 2 * key + index more for each
 * that is sorted, plus 32 MiB. Set max_segments also for rows: without it, each element may be a row.
 * If the segments are sorted before, the scratch of a segmented CLSORT_ARGSORT and count indexes are
 * needed in addition.
 */
#ifndef CLSORT_SELECT_H
#define CLSORT_SELECT_H

/** CLSORT_SELECT only: the elements remain in the order of the input, which is faster than sorted. */
#define CLSORT_INPUT_ORDER 0x10u
/** CLSORT_NTH only: the outputs have all count elements, as after std::nth_element: first those before
 * the n-th in the order, then those equal to it, then those after it, each in the order of the input.
 */
#define CLSORT_PARTITION 0x20u

#endif /* CLSORT_SELECT_H */
