/**
 * @file
 * clsort_mpi.h - sort over the ranks of an MPI communicator
 *
 * The library libclsort-mpi (-lclsort-mpi, pkg-config clsort-mpi, clsort::clsort-mpi in CMake) is
 * built for one MPI implementation, and a program must use the same one.
 *
 * Each rank has a part of the input and gets a part of the output. The outputs of rank 0, rank 1 and
 * so on, one behind the other, are the sorted input of all ranks. Elements with equal keys are in the
 * order of their ranks, then of their positions in the input: the order is stable, and the output of
 * all ranks together has the same bytes however many ranks there are, unless CLSORT_UNSTABLE or an
 * algorithm that is not stable allows another order. The number of elements that each rank gets is
 * exactly what it asks for, whatever the keys are.
 *
 * Collective functions are called by all ranks of the communicator, in the same order. They return the
 * same status on all ranks, even if only one rank has failed, with two exceptions: a rank that passes
 * mpi as NULL fails alone, because it cannot communicate; and an MPI error in the last message of a
 * call may be known to one rank only, in which case the next call fails on all ranks.
 * clsort_mpi_last_error returns the rank that has failed, and the reason.
 *
 * MPI.  MPI 3.1 suffices. Only the calling thread calls MPI, on a duplicate of the communicator,
 * whose errors are returned, so that no other communication of the program is affected. OpenCL
 * drivers have threads of their own: MPI_Init_thread with MPI_THREAD_FUNNELED is right if the main
 * thread calls this library. One thread at a time may use a clsort_mpi. If an MPI function fails,
 * the status is CLSORT_E_MPI, and the clsort_mpi can only be destroyed. What happens when a process
 * is lost is up to MPI: usually, its launcher ends the others.
 *
 * All ranks must have the same byte order and the same version of clsort. They may have different
 * devices.
 */
#ifndef CLSORT_MPI_H
#define CLSORT_MPI_H

#include <clsort.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The ranks of a communicator that sort together. One thread at a time may use it. */
typedef struct clsort_mpi clsort_mpi;

/** Options of clsort_mpi_create, equal on all ranks. */
typedef struct clsort_mpi_options {
    /** Size of the struct, set by CLSORT_MPI_OPTIONS_INIT. */
    size_t struct_size;
    /** Maximum size of a message with elements, in bytes, 1 to 2^30; 0: 16 MiB. */
    size_t max_message_bytes;
} clsort_mpi_options;
/** Initializes a clsort_mpi_options: messages of at most 16 MiB. */
#define CLSORT_MPI_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(clsort_mpi_options), 0                                                              \
    }

/**
 * Creates what the ranks of a communicator need to sort together. Collective.
 *
 * comm is an intracommunicator, which is duplicated and may be freed after the call. engine is that
 * of this rank's device. It must exist as long as *mpi does, and may be NULL: the calling thread then
 * sorts, without OpenCL, and custom orders and named algorithms are refused. options may be NULL.
 *
 * The caller owns *mpi and releases it with clsort_mpi_destroy, before MPI_Finalize.
 * Errors: CLSORT_E_MPI (MPI is not initialised or is finalised, comm is MPI_COMM_NULL, invalid or an
 * intercommunicator, or an MPI function fails); CLSORT_E_ARGUMENT (mpi is NULL, or an option is out
 * of range or not the same on all ranks); CLSORT_E_VERSION; CLSORT_E_MEMORY.
 */
CLSORT_API clsort_status clsort_mpi_create(MPI_Comm comm, clsort_engine *engine,
                                           const clsort_mpi_options *options, clsort_mpi **mpi);

/** Releases mpi and its communicator. Collective. NULL is allowed. After MPI_Finalize, only memory is
 * released. */
CLSORT_API void clsort_mpi_destroy(clsort_mpi *mpi);

/** Sets *share to the number of elements that this rank gets if the elements of all ranks, of which
 * it has count, are divided evenly: the first ranks get one more than the others if the division
 * leaves a rest. Collective. Errors: CLSORT_E_ARGUMENT (mpi or share is NULL), CLSORT_E_COUNT (there
 * are 2^64 or more elements), CLSORT_E_MPI. */
CLSORT_API clsort_status clsort_mpi_balanced_count(clsort_mpi *mpi, uint64_t count,
                                                   uint64_t *share);

/**
 * Sorts arrays in host memory over all ranks, and returns when the output of this rank is complete.
 * Collective.
 *
 * keys and values are the part of the input that this rank has: count elements, which are only read.
 * keys_out and values_out become its part of the output: out_count elements. count and out_count may
 * be different on each rank, and 0; all of out_count add up to the same number as all of count.
 * clsort_mpi_balanced_count returns counts that do. Arrays without elements may be NULL, and the
 * arrays of values are NULL if desc->value_size is 0. Outputs must not overlap other arrays.
 *
 * desc is a descriptor of CLSORT_SORT that clsort_host supports: all key types, orders, values and
 * bit ranges, custom orders, byte strings and records. It is the same on all ranks, with the exception
 * of max_count, which limits count, and of the algorithm. CLSORT_ARGSORT is refused, since an index in
 * the input of one rank means nothing to another: sort with values of 8 bytes that have the index in
 * the input of all ranks, or a rank and an index.
 *
 * Each rank sorts its input by clsort_host. If its device fails, the calling thread sorts instead,
 * except in custom orders. Then all ranks find the exact positions that divide the sorted inputs, and
 * exchange the parts between these. What a rank has received is merged.
 *
 * Memory of a rank, besides the arrays: a copy of the input or, if that is larger, of the output; what
 * clsort_host needs to sort it; and at most 16 MiB, plus 512 bytes for each rank of the communicator.
 * Custom orders and records need samples of at least 8 elements of each rank besides.
 *
 * Errors: CLSORT_E_ARGUMENT (mpi is NULL, arguments that are wrong, or descriptors that are not the
 * same on all ranks); CLSORT_E_COUNT (out_count of all ranks do not add up to count of all ranks, or
 * those of clsort_host); CLSORT_E_OVERLAP; CLSORT_E_OPERATION (other operations than CLSORT_SORT);
 * CLSORT_E_ORDER (also if the elements of several ranks show that a custom order is not a strict weak
 * order); CLSORT_E_MEMORY; CLSORT_E_MPI; those of clsort_host. Outputs are unchanged if an argument
 * is wrong on any rank, and undefined after other errors.
 */
CLSORT_API clsort_status clsort_mpi_host(clsort_mpi *mpi, const clsort_desc *desc, uint64_t count,
                                         const void *keys, const void *values, uint64_t out_count,
                                         void *keys_out, void *values_out);

/**
 * Sorts device buffers over all ranks, and returns when the output of this rank is complete.
 * Collective.
 *
 * io->count is the number of elements that this rank has, in io->keys and io->values, which are only
 * read; io->keys_out and io->values_out have at least out_count elements. All other members are those
 * of CLSORT_IO_INIT. Buffers without elements may be NULL. desc, the counts and the result are those of
 * clsort_mpi_host. The elements pass through host memory, since MPI knows no OpenCL buffers.
 *
 * queue belongs to the engine's context and device. It is finished (clFinish) before and after the
 * sort. Outputs must not overlap inputs.
 *
 * Memory of a rank, besides the buffers: as for clsort_mpi_host, another copy of the output in host
 * memory, and on the device a copy of the input and the scratch memory of its sort.
 *
 * Errors: those of clsort_mpi_host, clsort_plan_create and clsort_enqueue; CLSORT_E_ARGUMENT if the
 * clsort_mpi has no engine.
 */
CLSORT_API clsort_status clsort_mpi_buffers(clsort_mpi *mpi, cl_command_queue queue,
                                            const clsort_desc *desc, const clsort_io *io,
                                            uint64_t out_count);

/**
 * Checks whether the elements of all ranks are in order, one rank behind the other, and adds up their
 * hashes, so that a caller can compare the output of a sort with its input. Collective.
 *
 * desc, count, keys and values are those of clsort_mpi_host. *in_order becomes 1 if no element precedes
 * the one before it, otherwise 0. *total becomes the number of elements of all ranks. *checksum becomes
 * a sum of 64-bit hashes of all elements, keys with their values: it does not depend on their order or
 * on their ranks, and is that of other elements with a probability of 2^-64. These pointers may be
 * NULL. A rank that has no elements is skipped.
 *
 * Custom orders and records are compared by sorts of short pieces; this takes about as long as a sort.
 * Errors: those of clsort_mpi_host. Outputs are 0 then.
 */
CLSORT_API clsort_status clsort_mpi_check(clsort_mpi *mpi, const clsort_desc *desc, uint64_t count,
                                          const void *keys, const void *values, int *in_order,
                                          uint64_t *total, uint64_t *checksum);

/**
 * Copies a sentence about the failure of the calling thread's last call of a function of this header
 * into text, such as "rank 3: clsort_desc.end_bit is 40: at most 32 for u32 keys". It is about the
 * same rank on all ranks: the first one that has failed. The text is empty if the call succeeded. size,
 * text and size_ret have the meaning that they have in clsort_last_error, which does not support these
 * functions. Not collective. Thread-safe. Errors: CLSORT_E_ARGUMENT.
 */
CLSORT_API clsort_status clsort_mpi_last_error(size_t size, char *text, size_t *size_ret);

#ifdef __cplusplus
}
#endif
#endif /* CLSORT_MPI_H */
