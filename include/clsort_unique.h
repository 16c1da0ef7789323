/**
 * @file
 * clsort_unique.h - the part of clsort.h that compares neighbours: drops repeats, and checks the order
 *
 * Programs include clsort.h, which includes this file.
 *
 * CLSORT_UNIQUE copies the first element of each run of equal keys to those of keys_out, values_out and
 * index_out that are not NULL, in the order of the input: its key, its value and its index, at which the
 * run begins. At least one of them must not be NULL. The number of runs is written to io.result, which
 * is required. If the input is in the order of the descriptor, these are its distinct keys, each with
 * the value that came first. An input in another order is allowed: repeats that are neighbours are
 * dropped, nothing else. Outputs must have space for count elements; those at or after the number of
 * runs are unchanged. The operation is not in place: outputs must not overlap inputs (CLSORT_E_OVERLAP).
 * In index_out, the end of a run is the next index, and count for the last one, so that the difference is
 * the number of repeats. CLSORT_GATHER takes index_out as its index, for other columns of a table.
 *
 * CLSORT_CHECK only reads the keys. It writes the index of the first element that precedes the one before
 * it to io.result, or count if there is none, which means that the keys are in order. value_size must be
 * 0. Elements behind the first such element are read only in part.
 *
 * Keys are equal if neither precedes the other in the order of the descriptor: with
 * CLSORT_FLOAT_NUMERIC, -0 equals +0 and all NaNs are equal; with a bit range, keys are equal that agree
 * in these bits. Bits are copied and never changed. A custom order must be irreflexive, as for sorts; with
 * any other relation, both still terminate and stay within their buffers. The outputs are the same on all
 * devices. CLSORT_UNSTABLE has no effect.
 *
 * Both also compare records, byte strings and columns that have a buffer each (clsort_columns.h).
 * CLSORT_UNIQUE then copies whole records to keys_out, and of columns that have a buffer each it writes
 * index_out only.
 *
 * Cost.  CLSORT_UNIQUE reads the keys twice, and reads and writes what it copies once. CLSORT_CHECK
 * reads the keys once. If the elements are records, both read only the columns.
 *
 * Scratch memory.  At most count / 64 bytes + 1 MiB.
 *
 * The count may be in device memory (clsort_counts.h): both then work as if the input ended there, and
 * the result has the bit CLSORT_COUNT_EXCEEDED if the count exceeds its bound.
 *
 * Not supported: segments (CLSORT_E_SEGMENTS); a named algorithm and CLSORT_NO_SCRATCH
 * (CLSORT_E_UNSUPPORTED); arrays in host memory (CLSORT_E_OPERATION).
 */
#ifndef CLSORT_UNIQUE_H
#define CLSORT_UNIQUE_H

/* CLSORT_UNIQUE and CLSORT_CHECK are values of clsort_operation. They have no flags of their own. */

#endif /* CLSORT_UNIQUE_H */
