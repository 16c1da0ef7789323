/**
 * @file
 * clsort_values.h - the part of clsort.h that moves several arrays of values
 *
 * Programs include clsort.h, which includes this file.
 *
 * CLSORT_SORT and CLSORT_ARGSORT can reorder up to CLSORT_MAX_VALUES arrays of values together with the
 * keys, for example the columns of a table. clsort_desc.value_sizes has the size of a value of each
 * array, in bytes, and clsort_desc.value_count the number of arrays; clsort_desc.value_size is then 0.
 * clsort_io.value_arrays points to a buffer for each array, and clsort_io.value_arrays_out to an output
 * for each. An array is in place if its output is the same buffer at the same offset; all of them are if
 * value_arrays_out is NULL. Whether the keys are in place does not matter for values. clsort_io.values
 * and values_out are not used. Keys may have any type or order, and may be records or columns
 * (clsort_columns.h): if an array of values is also a column, its output is the sorted column.
 *
 * Each array is read and written once, whatever the number of passes over the keys: the sort moves
 * indexes, by which the arrays are then gathered. In place, an array is gathered to scratch memory and
 * copied back, values of more than 64 bytes in parts of 64 bytes. Sorts are stable unless CLSORT_UNSTABLE
 * is set or the named algorithm is not stable.
 *
 * CLSORT_SORT also reorders the values in segments of every form (clsort_segments.h), and both
 * operations read counts from device memory (clsort_counts.h). Values of elements in no segment, or at
 * or after the count, are neither read nor written: in place, they are unchanged, and out of place, the
 * elements of the output at their offsets are.
 *
 * Scratch memory is at most that of CLSORT_ARGSORT with the same keys, or count elements of the largest
 * size of a value, up to 64 bytes, if that is more, plus, in CLSORT_SORT, an index for each element. It is as
 * large as an offset of a segment; without offsets it has 4 bytes if the plan has a max_count of at most
 * 2^32 - 2^28, else 8. A count in device memory needs 128 bytes more.
 *
 * Indexes of 4 bytes are for at most 2^32 - 2^28 elements: a larger max_count is refused with
 * CLSORT_E_UNSUPPORTED. Outputs must not overlap each other, scratch memory or inputs, with two exceptions:
 * an array in place, and the output of an array in place may be a column. Not supported: CLSORT_ARGSORT of
 * segments and CLSORT_NO_SCRATCH (CLSORT_E_UNSUPPORTED), other operations (CLSORT_E_OPERATION), and
 * functions on host arrays (CLSORT_E_UNSUPPORTED).
 */
#ifndef CLSORT_VALUES_H
#define CLSORT_VALUES_H

/** Maximum number of arrays of values. */
#define CLSORT_MAX_VALUES 8

#endif /* CLSORT_VALUES_H */
