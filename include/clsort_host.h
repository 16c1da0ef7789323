/**
 * @file
 * clsort_host.h - the part of clsort.h that works on arrays in host memory
 *
 * Programs include clsort.h, which includes this file. All functions wait until they are done.
 */
#ifndef CLSORT_HOST_H
#define CLSORT_HOST_H

#include "clsort.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sorts count keys and their values in host memory, and returns when they are sorted. values is
 * NULL if and only if desc->value_size is 0. With CLSORT_ARGSORT, the keys are only read, and values
 * becomes the permutation: count indexes of desc->index_size bytes.
 *
 * engine may be NULL: the calling thread then sorts arrays of any size, without OpenCL. queue must
 * be NULL in this case, and CLSORT_E_ARGUMENT is returned for custom orders and named algorithms.
 *
 * The calling thread sorts up to 2^15 elements, up to 2^18 if it was faster than the device in the
 * first sorts of the engine, and any number if every algorithm fails its self-test on the device.
 * It sorts no custom orders, and not by named algorithms.
 *
 * If the device shares memory with the host, the library does not copy arrays whose addresses have
 * the alignment that clsort_buffer requires of offsets. If an array exceeds the largest possible
 * buffer of the device, all cores of the host divide the elements into ranges of keys, which the
 * device sorts (built-in key types only); this needs additional host memory of the size of the data,
 * for CLSORT_ARGSORT of twice the keys and the indexes.
 *
 * Records and byte strings (clsort_columns.h) are elements of `keys`. The device sorts pieces of them
 * if they exceed its buffers, and the calling thread merges these; this needs additional host memory
 * of the size of the records, for CLSORT_ARGSORT of the indexes. Records of more than 16 bytes take
 * that memory also if they fit, where the device shares memory with the host, to be sorted out of
 * place; if it is short, they are sorted in place, which takes longer. Columns with a buffer each are
 * refused (CLSORT_E_UNSUPPORTED).
 *
 * If queue is NULL, one is created for this call. Otherwise it must belong to the engine's context
 * and device, and is finished (clFinish) before and after the sort. Thread-safe for different arrays.
 *
 * Errors: those of clsort_plan_create and clsort_enqueue; CLSORT_E_OPERATION for operations other than
 * CLSORT_SORT and CLSORT_ARGSORT (clsort_host_select supports selections);
 * CLSORT_E_COUNT if count exceeds desc->max_count or, with a custom order, the capacity of one
 * buffer; CLSORT_E_OVERLAP if keys and values overlap; CLSORT_E_ARGUMENT; CLSORT_E_MEMORY. The
 * arrays are unchanged if an argument is invalid; after an error of the device their contents are
 * undefined.
 */
CLSORT_API clsort_status clsort_host(clsort_engine *engine, cl_command_queue queue,
                                     const clsort_desc *desc, size_t count, void *keys,
                                     void *values);

/**
 * Selects from arrays in host memory: desc->operation is CLSORT_SELECT or CLSORT_NTH, and k, keys,
 * values and the outputs have the meaning of the members of clsort_io with these names, as
 * clsort_enqueue defines it. The result is also the same. values and values_out are NULL if
 * desc->value_size is 0, and each output may be NULL, but not all. Outputs must not overlap other
 * arrays. The inputs are only read.
 *
 * engine and queue have the same meaning as in clsort_host. The calling thread selects from up to
 * 2^18 elements, and from arrays that exceed the largest possible buffer of the device, in a time
 * that is linear in count for all inputs, besides the sort of the selected elements. It supports no
 * custom orders and no named algorithms. The device gets only the keys; the calling thread gathers
 * the values. Thread-safe for different arrays.
 *
 * Errors: those of clsort_plan_create and clsort_enqueue; CLSORT_E_OPERATION for other operations;
 * CLSORT_E_COUNT if k exceeds count (CLSORT_NTH: if it is not less) or desc->max_k, or count exceeds
 * desc->max_count or, with a custom order or a named algorithm, the capacity of one buffer;
 * CLSORT_E_ARGUMENT; CLSORT_E_MEMORY. After an error the contents of the outputs are undefined.
 */
CLSORT_API clsort_status clsort_host_select(clsort_engine *engine, cl_command_queue queue,
                                            const clsort_desc *desc, size_t count, const void *keys,
                                            const void *values, size_t k, void *keys_out,
                                            void *values_out, void *index_out);

/**
 * Sorts segments of arrays in host memory (clsort_segments.h). desc->segments is not CLSORT_WHOLE,
 * and segment_count, offsets and ends have the meaning of the members of clsort_io with these names.
 * An offset has desc->index_size bytes; note that 0 means 8 unless desc->max_count is set. offsets is
 * NULL for CLSORT_ROWS, and ends unless the form is CLSORT_BEGIN_END. The other parameters have the
 * meaning that they have in clsort_host, also with CLSORT_ARGSORT.
 *
 * If clamped is not NULL, *clamped becomes the number that clsort_io.result would get: 0 if all
 * segments are valid and none overlap. Elements in no segment, and their indexes, do not change.
 *
 * The calling thread sorts up to 2^15 elements, any number if engine is NULL or the sort fails its
 * self-test on the device, and arrays that exceed the largest possible buffer of the device. It
 * sorts no custom orders. Thread-safe for different arrays.
 *
 * Errors: those of clsort_plan_create and clsort_enqueue; CLSORT_E_OPERATION for operations other
 * than CLSORT_SORT and CLSORT_ARGSORT; CLSORT_E_SEGMENTS for CLSORT_WHOLE, for rows that do not divide
 * count, and for offsets or ends that the form does not have; CLSORT_E_COUNT if count or
 * segment_count exceeds the maximum of desc or, with a custom order, the capacity of one buffer;
 * CLSORT_E_OVERLAP if keys or values overlap another array; CLSORT_E_ARGUMENT; CLSORT_E_MEMORY. The
 * arrays are unchanged if an argument is invalid; after other errors their contents are undefined.
 */
CLSORT_API clsort_status clsort_host_segments(clsort_engine *engine, cl_command_queue queue,
                                              const clsort_desc *desc, size_t count, void *keys,
                                              void *values, size_t segment_count,
                                              const void *offsets, const void *ends,
                                              uint64_t *clamped);

/** Describes what clsort_host would do, in the format of clsort_plan_describe; for segments what
 * clsort_host_segments would do; for a selection what clsort_host_select would do with
 * k = desc->max_k (0: count). Compiles kernels if they would; returns the same errors. */
CLSORT_API clsort_status clsort_host_describe(clsort_engine *engine, const clsort_desc *desc,
                                              size_t count, size_t size, char *text,
                                              size_t *size_ret);

/**
 * Sets *is_first to 1 if clsort_host without an engine is estimated to sort these arrays sooner than
 * the programs that clsort_host would run on the device are compiled and tested; to 0 otherwise.
 * Compiles nothing. The result is 0 for custom orders, for named algorithms, and once the self-test
 * of the programs has run, also in an earlier process with the same disk cache. For at most
 * 2^15 elements, it is 1. Every other result of 1 adds the estimated time of the
 * host's sort to a sum, which the disk cache keeps, too. When the sum would exceed the time to
 * compile, the result is 0: the total is at most about twice the optimum (the ski-rental problem).
 * For segments, clsort_host_segments takes the role of clsort_host. For selections, clsort_host_select
 * does, with desc->max_k as k (0: count), and the limit is 2^18 elements.
 * Thread-safe. Errors: CLSORT_E_ARGUMENT (engine, desc or is_first is NULL), CL_INVALID_OPERATION
 * (in a child process), and those of clsort_host about desc and count.
 */
CLSORT_API clsort_status clsort_host_first(clsort_engine *engine, const clsort_desc *desc,
                                           size_t count, int *is_first);

/**
 * Sorts an array of keys of the types CLSORT_U8 to CLSORT_F64 in ascending order, like qsort without
 * a comparison function.
 *
 * The calling thread sorts arrays of up to 2^15 elements. It also sorts larger ones of up to 2^20
 * elements, until these add up to more than 2^20 elements in the process. The first call beyond
 * these limits sets up an engine for the device that clsort_find_device returns for $CLSORT_DEVICE;
 * from then on, clsort_host sorts with it all arrays of more than 2^15 elements, except those for
 * which clsort_host_first returns 1, unless $CLSORT_DEVICE names a device. The engine exists until
 * the process exits. If it cannot be set up, the call fails, and a later one tries again. The
 * calling thread sorts any array if there is no OpenCL device, if $CLSORT_DEVICE is "host", or in a
 * child process of a process that has used OpenCL.
 *
 * Thread-safe for different arrays. Errors: CLSORT_E_KEY (key is not one of CLSORT_U8 to
 * CLSORT_F64; use clsort_host for CLSORT_CUSTOM), CLSORT_E_COUNT, CLSORT_E_ARGUMENT (keys is NULL),
 * CLSORT_E_MEMORY, and for arrays of more than 2^15 elements those of clsort_find_device,
 * clCreateContext, clsort_engine_create and clsort_host.
 */
CLSORT_API clsort_status clsort_array(clsort_key key, void *keys, size_t count);

/**
 * Finds the permutation that sorts such an array, as clsort_array would, without a change of keys:
 * index[i] becomes the index of the key that is the i-th in order, from 0. Indexes of equal keys are
 * in ascending order. index has count elements and must not overlap keys.
 *
 * The calling thread or the device sorts, as in clsort_array. Thread-safe for different arrays.
 * Errors: those of clsort_array, and CLSORT_E_ARGUMENT if index is NULL.
 */
CLSORT_API clsort_status clsort_array_argsort(clsort_key key, const void *keys, size_t count,
                                              size_t *index);

/**
 * Sorts each row of a matrix of such keys: the first row_length keys, the next row_length keys, and
 * so on, `rows` times.
 *
 * The calling thread or the device sorts, as in clsort_array, but clsort_host_segments takes the
 * role of clsort_host. Thread-safe for different arrays. Errors: those of clsort_array, and of
 * clsort_host_segments.
 */
CLSORT_API clsort_status clsort_array_sort_rows(clsort_key key, void *keys, size_t rows,
                                                size_t row_length);

/**
 * Finds the k smallest elements of such an array, in ascending order, or with flags
 * CLSORT_DESCENDING the k largest, in descending order. The other flags of CLSORT_SELECT are
 * allowed, too. The inputs are not changed.
 *
 * The outputs have k elements. keys_out becomes their keys, values_out their values, which have
 * value_size bytes, and index_out their indexes in the input, from 0; each may be NULL, but not all.
 * values is NULL and value_size 0 if there are no values. Outputs must not overlap other arrays. Of
 * equal keys, those that come first in the input are selected, and are in the order of the input.
 *
 * The calling thread or the device selects, as in clsort_array. Thread-safe for different arrays.
 * Errors: those of clsort_array; CLSORT_E_COUNT if k exceeds count; CLSORT_E_FLAGS,
 * CLSORT_E_OVERLAP, CLSORT_E_UNSUPPORTED (CLSORT_NO_SCRATCH).
 */
CLSORT_API clsort_status clsort_array_top(clsort_key key, uint32_t flags, size_t count,
                                          const void *keys, const void *values, size_t value_size,
                                          size_t k, void *keys_out, void *values_out,
                                          size_t *index_out);

#ifdef __cplusplus
}
#endif
#endif /* CLSORT_HOST_H */
