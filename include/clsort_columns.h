/**
 * @file
 * clsort_columns.h - key types, and operations on records and by several columns; included by clsort.h
 *
 * All operations but CLSORT_GATHER order elements by up to CLSORT_MAX_COLUMNS columns, the most
 * significant first: if two elements are equal in a column, the next one decides. Elements that are
 * equal in all columns are equal, and keep their order. clsort_desc.columns has the columns, and there
 * are two forms:
 *
 * - Records: clsort_desc.record_size is not 0. clsort_io.keys has records of that size, and each
 *   column is a field of the record at a byte offset, which need not be aligned. CLSORT_SORT moves
 *   whole records. CLSORT_ARGSORT writes the permutation to index_out, and the sorted records to
 *   keys_out if it is not NULL. CLSORT_SELECT, CLSORT_NTH and CLSORT_UNIQUE
 *   copy whole records to keys_out, and CLSORT_MERGE_SORTED those of keys and second_keys.
 * - Columns with a buffer each: clsort_desc.record_size is 0. clsort_io.columns points to a buffer
 *   for each column, and clsort_io.keys and keys_out are not used. CLSORT_ARGSORT,
 *   CLSORT_SELECT, CLSORT_NTH and CLSORT_UNIQUE write index_out, which is required; CLSORT_GATHER
 *   then reorders as many columns as wanted by it. CLSORT_MERGE_SORTED does the same: each buffer has
 *   both inputs, the second one directly behind the first, and the indexes are those of its count +
 *   second_count elements. CLSORT_CHECK supports this form, too; CLSORT_SORT does not.
 *
 * Without columns, clsort_desc.key may be CLSORT_BYTES: keys of clsort_desc.key_size bytes, 1 to
 * CLSORT_MAX_BYTES, in the order of memcmp, with CLSORT_DESCENDING in the reverse order.
 *
 * If there are columns, the other members of clsort_desc that describe a key (key, flags other than
 * CLSORT_UNSTABLE, begin_bit to prelude) must be those of CLSORT_DESC_INIT. CLSORT_SORT and
 * CLSORT_ARGSORT reorder arrays of values together with the elements
 * (clsort_desc.value_sizes, clsort_values.h). No operation by columns supports clsort_desc.value_size,
 * a named algorithm or CLSORT_NO_SCRATCH (CLSORT_E_UNSUPPORTED). All of them but CLSORT_MERGE_SORTED
 * support counts in device memory (clsort_counts.h). The order is stable, also with CLSORT_UNSTABLE.
 * clsort_host sorts records and byte strings in host memory, without values; the other functions on
 * host arrays support no columns.
 *
 * Selections sort the indexes of all elements, whatever k is, and then copy the selected elements.
 * CLSORT_INPUT_ORDER and CLSORT_PARTITION are not supported (CLSORT_E_UNSUPPORTED).
 *
 * CLSORT_SORT, CLSORT_ARGSORT, CLSORT_SELECT and CLSORT_NTH also support segments
 * (clsort_desc.segments) of every form, with their number in device memory or not. Offsets, gaps, result
 * and index_out are as with other keys: see clsort_segments.h and, for selections, clsort_select.h.
 * Selections sort all segments before, so that the elements of segments that overlap are any elements of
 * these segments. Segments cost a write and a read of an index of each element more, and with
 * CLSORT_ARGSORT also a copy of it; the packed words are sorted as other segments of pairs of u64 and
 * indexes are. CLSORT_UNIQUE and CLSORT_CHECK support no segments (CLSORT_E_UNSUPPORTED).
 *
 * In place, records move in parts of at most 16 bytes, each of which reads the records at random
 * positions: out of place, records of more than 16 bytes are sorted several times as fast.
 *
 * Scratch memory, for sorts and selections. clsort_scratch_size is at most 2 * count * (8 + index)
 * bytes, plus 1/16 of that, plus 32 MiB. An index has clsort_desc.index_size bytes; in CLSORT_SORT it
 * has 4 bytes if the plan sorts at most 2^32 - 2^28 elements, else 8. The size of the records does not
 * matter. Segments need as much more as in sorts of other keys (clsort_scratch_size), and selections from
 * segments what clsort_select.h states for segments that are sorted before. Selections with a count in
 * device memory need count + max_k indexes (CLSORT_NTH: count + 1) and 2 KiB more. CLSORT_UNIQUE and
 * CLSORT_CHECK: see clsort_unique.h. CLSORT_MERGE_SORTED: at most 32 MiB.
 */
#ifndef CLSORT_COLUMNS_H
#define CLSORT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/** Type of the keys. */
typedef enum clsort_key {
    CLSORT_U8 = 1, /**< unsigned integers of 8 bits */
    CLSORT_U16,    /**< unsigned integers of 16 bits */
    CLSORT_U32,    /**< unsigned integers of 32 bits */
    CLSORT_U64,    /**< unsigned integers of 64 bits */
    CLSORT_I8,     /**< signed integers of 8 bits */
    CLSORT_I16,    /**< signed integers of 16 bits */
    CLSORT_I32,    /**< signed integers of 32 bits */
    CLSORT_I64,    /**< signed integers of 64 bits */
    CLSORT_F16,    /**< IEEE 754 floats of 16 bits, as in cl_half */
    CLSORT_F32,    /**< IEEE 754 floats of 32 bits */
    CLSORT_F64,    /**< IEEE 754 floats of 64 bits */
    CLSORT_CUSTOM, /**< keys of any size, in an order that the caller defines */
    CLSORT_BYTES   /**< keys of 1 to CLSORT_MAX_BYTES bytes, in the order of memcmp */
} clsort_key;

/** Maximum number of columns. */
#define CLSORT_MAX_COLUMNS 16
/** Maximum size of a key of CLSORT_BYTES. */
#define CLSORT_MAX_BYTES 256

/** Flag of a column: numbers have their most significant byte first; otherwise, their bytes are in
 * the order of the device. CLSORT_BYTES: no meaning. */
#define CLSORT_BIG_ENDIAN 0x40u

/** One column of an operation. */
typedef struct clsort_column {
    clsort_key key; /**< the type, other than CLSORT_CUSTOM */
    /** CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC (floats only) and CLSORT_BIG_ENDIAN, combined by |. */
    uint32_t flags;
    size_t key_size; /**< CLSORT_BYTES: the number of bytes; otherwise 0 */
    size_t offset;   /**< of the field in a record, in bytes; 0 for columns with a buffer each */
} clsort_column;

#endif
