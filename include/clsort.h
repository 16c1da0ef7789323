/*
 * clsort.h - sort on any OpenCL device
 *
 * Life of a sort:  engine (device) -> plan (shape of the sort) -> enqueue (data, any number of times).
 *
 * Threads.  An engine may be used by any number of threads at once. A plan serves one thread at a
 * time; different plans of one engine are independent.
 *
 * Status.  Every function that can fail returns a clsort_status:
 *     0    success
 *     < 0  an OpenCL error, passed on unchanged
 *     > 0  one of CLSORT_E_*
 * On failure output parameters are set to NULL or 0 and nothing is leaked. The library never prints,
 * exits or aborts.
 */
#ifndef CLSORT_H
#define CLSORT_H

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CLSORT_VERSION_MAJOR 0
#define CLSORT_VERSION_MINOR 1
#define CLSORT_VERSION_PATCH 0
#define CLSORT_VERSION_STRING "0.1.0"

#ifndef CLSORT_API
#if defined(__GNUC__)
#define CLSORT_API __attribute__((visibility("default")))
#else
#define CLSORT_API
#endif
#endif

/* -- status ------------------------------------------------------------------------------------ */

typedef cl_int clsort_status;

/* X(name, value, text): the one list that codes, names and texts are made from. */
#define CLSORT_STATUS_MAP(X)                                                                       \
    X(OK, 0, "success")                                                                            \
    X(E_ARGUMENT, 1, "invalid argument")                                                           \
    X(E_MEMORY, 2, "out of host memory")                                                           \
    X(E_VERSION, 3, "struct_size is from a newer clsort and uses a field this one lacks")          \
    X(E_KEY, 4, "unknown key type")                                                                \
    X(E_FLAGS, 5, "unknown flags, or flags that do not fit the key type")                          \
    X(E_BITS, 6, "begin_bit is above end_bit, or end_bit is above the key's width")                \
    X(E_ALGORITHM, 7, "unknown algorithm or algorithm parameter")                                  \
    X(E_UNSUPPORTED, 8, "the algorithm cannot do this sort on this device")                        \
    X(E_COUNT, 9, "count is above the plan's max_count or overflows the address space")            \
    X(E_BUFFER_SIZE, 10, "a buffer is too small for count elements at its offset")                 \
    X(E_SCRATCH_SIZE, 11, "the scratch buffer is smaller than clsort_scratch_size")                \
    X(E_ALIGNMENT, 12, "a byte offset is not a multiple of the element's alignment")               \
    X(E_OVERLAP, 13, "buffers overlap in a way that cannot work")                                  \
    X(E_READ_ONLY, 14, "an output buffer was created with CL_MEM_READ_ONLY")                       \
    X(E_DEVICE, 15, "no OpenCL device matches the name")                                           \
    X(E_SELF_TEST, 16, "the kernels, as this driver compiles them, sort wrong on this device")     \
    X(E_ORDER, 17, "a custom order lacks something, or the key type has an order of its own")      \
    X(E_OPERATION, 18, "unknown operation, or one that does not go with the arguments")

enum {
#define CLSORT_X(name, value, text) CLSORT_##name = value,
    CLSORT_STATUS_MAP(CLSORT_X)
#undef CLSORT_X
};

/* A text for any status: CLSORT_E_* in words, OpenCL's codes by name ("CL_OUT_OF_RESOURCES").
 * Never NULL; the string is static. */
CLSORT_API const char *clsort_status_string(clsort_status status);

/* The version of the library that is running, as "major.minor.patch". Static. */
CLSORT_API const char *clsort_version(void);

/* -- devices ----------------------------------------------------------------------------------- */

/*
 * Finds a device by name, for programs that do not manage OpenCL devices themselves.
 *   name    "N"     the N-th device (from 0), counting through all platforms in the loader's order
 *           "cpu", "gpu"   the first device of that type
 *           else    the first device whose name contains this text, ignoring case
 *           NULL or ""     the best device: GPU with the most compute units, else accelerator, else
 *                          CPU
 * Errors: CLSORT_E_DEVICE when none matches, CL_DEVICE_NOT_FOUND when there is no OpenCL device at
 * all, CLSORT_E_ARGUMENT for a NULL device, CLSORT_E_MEMORY, and what OpenCL's queries return.
 * Thread-safe. *device is owned by its platform; there is nothing to release.
 */
CLSORT_API clsort_status clsort_find_device(const char *name, cl_device_id *device);

/* -- engine: one OpenCL context and device, with its compiled programs -------------------------- */

typedef struct clsort_engine clsort_engine;

typedef struct clsort_engine_options {
    size_t struct_size;    /* set by CLSORT_ENGINE_OPTIONS_INIT                                   */
    const char *cache_dir; /* folder of the program cache. NULL: $CLSORT_CACHE_DIR, else
                              $XDG_CACHE_HOME/clsort, else ~/.cache/clsort. "": no disk cache     */
    const char *config_dir; /* folder of what clsort-tune measured. NULL: $CLSORT_CONFIG_DIR, else
                              $XDG_CONFIG_HOME/clsort, else ~/.config/clsort. "": none            */
} clsort_engine_options;
#define CLSORT_ENGINE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(clsort_engine_options), NULL, NULL                                                  \
    }

/*
 * Makes an engine for one device of a context (which may hold others). The engine retains the
 * context. options may be NULL. The cache folder is used only when it belongs to the user and nobody
 * else can write to it; a missing one is made with mode 0700. Trouble with the cache is never an
 * error: programs are then compiled each time. Neither is trouble with the file of clsort-tune,
 * which is read once, here: it is ignored as a whole, and clsort_engine_log says why. On a CPU a program
 * of a few lines is compiled, which tells whether there are vector instructions that kernels could use.
 * The caller owns the engine and gives it up with clsort_engine_destroy.
 * Errors: CL_INVALID_CONTEXT, CL_INVALID_DEVICE (NULL, or no device of the context), CLSORT_E_ARGUMENT
 * (a NULL engine), CLSORT_E_VERSION, CLSORT_E_MEMORY, and what OpenCL's queries return. Thread-safe.
 */
CLSORT_API clsort_status clsort_engine_create(cl_context context, cl_device_id device,
                                              const clsort_engine_options *options,
                                              clsort_engine **engine);

/* Gives up the caller's hold. Plans keep what they need, so the order of destruction does not
 * matter, and sorts already enqueued finish undisturbed. NULL is fine. To be called once, when no
 * other thread uses the engine's handle any more. */
CLSORT_API void clsort_engine_destroy(clsort_engine *engine);

/*
 * Copies the compiler's log of the engine's last failed build, or what the last failed self-test
 * found, or why the last plan was CLSORT_E_UNSUPPORTED, or what is wrong with the file of
 * clsort-tune, as a C string, into text (at most size bytes, always terminated when size > 0).
 * *size_ret, unless NULL, is the size of the whole string with its terminator: 1 when nothing has
 * failed. text may be NULL when size is 0. Errors: CLSORT_E_ARGUMENT. Thread-safe.
 */
CLSORT_API clsort_status clsort_engine_log(clsort_engine *engine, size_t size, char *text,
                                           size_t *size_ret);

/* Copies the name of the file in which clsort-tune's measurements of the engine's device are looked for,
 * whether it is there or not; an empty string when there is no such folder. Sizes as in
 * clsort_engine_log. Errors: CLSORT_E_ARGUMENT. Thread-safe. */
CLSORT_API clsort_status clsort_tune_file(clsort_engine *engine, size_t size, char *text,
                                          size_t *size_ret);

/*
 * Tests the building blocks, every algorithm and the moving of wide values on the device, and copies
 * into text a line for each: "rank: passed", "cpu: not for this device", "radix: failed, key 5 of
 * 6145 is wrong". Sizes as in clsort_engine_log. There is no need to call this before sorting: a plan
 * tests what it will run. Verdicts are kept with the cached programs, for this device, driver and
 * version of clsort; the first time it compiles for some seconds. Waits for the device. Errors:
 * CLSORT_E_SELF_TEST when anything failed (text is there), CLSORT_E_ARGUMENT, CLSORT_E_MEMORY,
 * OpenCL's own. Thread-safe.
 */
CLSORT_API clsort_status clsort_self_test(clsort_engine *engine, size_t size, char *text,
                                          size_t *size_ret);

/* -- plan: the shape of a sort, compiled once --------------------------------------------------- */

typedef struct clsort_plan clsort_plan;

typedef enum clsort_key {
    CLSORT_U8 = 1,
    CLSORT_U16,
    CLSORT_U32,
    CLSORT_U64,
    CLSORT_I8,
    CLSORT_I16,
    CLSORT_I32,
    CLSORT_I64,
    CLSORT_F16,
    CLSORT_F32,
    CLSORT_F64,
    CLSORT_CUSTOM /* any bytes, in an order of the caller's */
} clsort_key;

typedef enum clsort_operation {
    CLSORT_SORT,
    CLSORT_MERGE_SORTED /* two inputs, each in order already, become one output in order; stable: of equal
                           keys those of the first input come first */
} clsort_operation;

/* Flags. Without them a sort is ascending and stable, descending ones too: elements with equal keys keep
 * the order of the input. CLSORT_UNSTABLE lets them come in any order, if that is faster.
 * CLSORT_NO_SCRATCH asks for a sort that needs no memory but its arrays: clsort_scratch_size is 0.
 * Where the order of equal elements can be seen, it needs CLSORT_UNSTABLE too.
 *
 * Floats sort in IEEE 754-2008 total order: -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.
 * With CLSORT_FLOAT_NUMERIC -0 equals +0 and all NaNs are equal and come last, as in NumPy; they
 * come last in descending order too. Bits are never changed, only moved. */
#define CLSORT_DESCENDING 0x1u
#define CLSORT_FLOAT_NUMERIC 0x2u
#define CLSORT_UNSTABLE 0x4u
#define CLSORT_NO_SCRATCH 0x8u

typedef struct clsort_desc {
    size_t struct_size; /* set by CLSORT_DESC_INIT                                             */
    clsort_key key;     /* type of the keys                                                    */
    uint32_t flags;     /* CLSORT_DESCENDING and the others                                     */
    size_t value_size;  /* bytes moved along with each key; 0: keys alone                      */
    uint32_t begin_bit; /* only bits [begin_bit, end_bit) of a key are compared, 0 the lowest; */
    uint32_t end_bit;   /*   of floats, the bits of the key mapped to an unsigned number of the
                                same order. end_bit 0: the key's width. begin_bit == end_bit > 0:
                                all keys count as equal, and the sort is a copy                   */
    size_t max_count;   /* most elements ever sorted by the plan; 0: what the device can hold  */
    const char *algorithm; /* NULL or "auto": the library chooses. Else a name, with parameters
                                if wanted: "radix:bits=4,items=8,scatter=direct"                  */
    size_t key_size;       /* of CLSORT_CUSTOM only, like the next three: bytes of a key        */
    const char *key_type;  /* the keys' type in OpenCL C, of key_size bytes: "float2"           */
    const char *less;      /* an expression: whether key `a` comes before key `b`: "a.x < b.x"  */
    const char *prelude;   /* OpenCL C in front of it: types, functions. NULL: none             */
    uint32_t operation;    /* enum clsort_operation; 0: sort                                    */
    uint32_t reserved;     /* 0                                                                 */
} clsort_desc;
#define CLSORT_DESC_INIT                                                                           \
    {                                                                                              \
        sizeof(clsort_desc), CLSORT_U32, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, 0            \
    }

/*
 * Custom order. prelude and less are compiled into the kernels, so they are trusted as the program
 * itself is: never take them from somebody else. What the compiler says of them is in
 * clsort_engine_log, as lines of "prelude" and "less". less has to be a strict weak order
 * (irreflexive and transitive, and so is being equal), as for std::sort. When it is none, the sort
 * still ends, keeps to its memory, and its result holds every element once, in some order. Each key
 * may be compared with itself; before the first sort, the self-test compares keys of all zeros. The
 * names of clsort's kernels may not be used again, but for key_t and value_t; the compiler says so.
 * Keys need no more alignment than the largest of 8, 4, 2, 1 that divides key_size. On CPUs sorts
 * are more than twice as fast where less has no branches: | and & for || and &&, where both sides
 * may be evaluated. CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC and bits are not for custom orders.
 */

/*
 * Makes a plan: checks the descriptor, chooses algorithms, compiles every kernel that the plan can
 * ever run (or loads it from the cache), and tests kernels that this device and driver have not run
 * before: a small sort on a queue of its own, compared with sorting on the host. An algorithm that
 * fails is passed over for a simpler one (clsort_plan_describe says so). desc and its strings are
 * not needed afterwards.
 * Errors: CLSORT_E_VERSION, _KEY, _FLAGS, _BITS, _ALGORITHM, _UNSUPPORTED, _COUNT, _ORDER,
 * _OPERATION, _ARGUMENT for what is wrong with desc (_ARGUMENT also for a NULL engine, desc or
 * plan); CLSORT_E_MEMORY; CL_BUILD_PROGRAM_FAILURE or CLSORT_E_SELF_TEST, when the algorithm asked
 * for, or every one that could be chosen, fails on this device: clsort_engine_log has the text.
 * Thread-safe. The caller owns the plan and frees it with clsort_plan_destroy.
 */
CLSORT_API clsort_status clsort_plan_create(clsort_engine *engine, const clsort_desc *desc,
                                            clsort_plan **plan);

/* Frees the plan; sorts already enqueued finish undisturbed. NULL is fine. No other thread may be
 * using the plan. */
CLSORT_API void clsort_plan_destroy(clsort_plan *plan);

/* Bytes of scratch memory that a sort of count elements needs, from the caller or taken by
 * clsort_enqueue itself: at most 17/16 of count * (key + value) bytes + 32 MiB, where the sixteenth
 * is what tables of "hybrid" may take beside a copy; and never less for a larger count.
 * Errors: CLSORT_E_ARGUMENT, CLSORT_E_COUNT (count is above the plan's max_count). */
CLSORT_API clsort_status clsort_scratch_size(const clsort_plan *plan, size_t count, size_t *bytes);

/* Bytes that an out-of-place sort of count elements reads and writes in the device's memory, by the cost
 * model of the algorithm that would run: with data larger than the caches it takes as long as copies that
 * move so many bytes, or longer. Keys that are in order already, or have bits that do not vary, let
 * algorithms move fewer; keys most of which share their highest bits make "cpu" move more. Of a merge,
 * count is that of the output. UINT64_MAX stands for what is more than that.
 * Errors: CLSORT_E_ARGUMENT, CLSORT_E_COUNT (count is above the plan's max_count). */
CLSORT_API clsort_status clsort_cost_bytes(const clsort_plan *plan, size_t count, uint64_t *bytes);

/*
 * Copies into text what would run for count elements, and why, as one line of English:
 *     "bitonic u32 asc C4+B16 B8 B4 B2, tiles of 256 x 4, 32-bit indexes: measured on this device, for 1
 *     to 4096 elements; self-test passed"
 * Sizes as in clsort_engine_log. For people and logs; its form may change. Errors: CLSORT_E_ARGUMENT,
 * CLSORT_E_COUNT.
 */
CLSORT_API clsort_status clsort_plan_describe(const clsort_plan *plan, size_t count, size_t size,
                                              char *text, size_t *size_ret);

/*
 * The name of the index-th algorithm that clsort_desc.algorithm accepts, NULL past the last. Static.
 *   "radix"  LSD radix sort with 4-way splits: Ha, Krueger, Silva, "Fast four-way parallel radix sorting
 *            on GPUs", Computer Graphics Forum 28(8), 2009, pp. 2368-2378. Parameters: bits=1..8 of a
 *            digit, items=1..32 keys of a work-item, scatter=coalesced|direct. Parameters that do not fit
 *            the device are refused with CLSORT_E_UNSUPPORTED
 *   "onesweep" for GPUs: LSD radix sort that reads and writes once for each digit: Adinets, Merrill, "Onesweep: a
 *            faster least significant digit radix sort for GPUs", arXiv:2206.01784, 2022. Parameters:
 *            bits=1..8 of a digit, items=1..32 keys of a work-item, group=1|2|4|...|1024 work-items
 *   "hybrid" for GPUs: MSD radix sort whose buckets are sorted in local memory: Stehle, Jacobsen, "A memory
 *            bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017, pp. 417-432. Whole keys only, and
 *            no more elements than its tables hold, some 2^29 where a work-group has 48 KiB of local memory
 *   "cpu"    for CPUs: one partition through write-combining lines, then LSD radix sort inside the cache:
 *            Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362
 *   "count"  keys of 8 or 16 bits alone are counted, and written anew: Knuth, "The Art of Computer
 *            Programming", vol. 3, 2nd ed., 1998, section 5.2, algorithm D
 *   "local"  the 4-way splits of "radix" inside one work-group's local memory: small inputs only
 *   "merge"  merge sort, for every order and for two inputs: Green, McColl, Bader, "GPU merge path: a GPU
 *            merging algorithm", ICS 2012, pp. 331-340. Parameter: variant=groups|cores, for
 *            work-groups or for CPUs
 *   "bitonic" bitonic sort of any count, in place and with no scratch: Bainville, "OpenCL sorting", 2011,
 *            bealto.com/gpu-sorting.html. Parameter: the kernels that may run,
 *            kernels=B2|B2+B4|B2+B4+B8|B|C2+B|C4+B,
 *            where B is B2+B4+B8+B16. Not stable: equal elements may change places; asked for by name it is
 *            taken at its word
 * A parameter's word can do without its name: "bitonic:B2+B4".
 */
CLSORT_API const char *clsort_algorithm_name(size_t index);

/* -- enqueue: asynchronous, by OpenCL's rules ---------------------------------------------------- */

/* A place in a buffer; offset in bytes. The offset must be a multiple of the element's alignment:
 * the largest of 8, 4, 2, 1 that divides its size. It need not fit CL_DEVICE_MEM_BASE_ADDR_ALIGN. */
typedef struct clsort_buffer {
    cl_mem mem;
    size_t offset;
} clsort_buffer;

typedef struct clsort_io {
    size_t struct_size; /* set by CLSORT_IO_INIT                                                  */
    size_t count;       /* elements; 0 is fine, the waits and the event still happen              */
    clsort_buffer keys, values;         /* input. values.mem is NULL exactly when value_size is 0 */
    clsort_buffer keys_out, values_out; /* output; both .mem NULL: in place                       */
    clsort_buffer scratch; /* clsort_scratch_size bytes; .mem NULL: made for this call. Its offset
                              must be a multiple of 8                                             */
    size_t second_count; /* CLSORT_MERGE_SORTED only: the second input. The output, which is not an
                              input, is count + second_count elements                             */
    clsort_buffer second_keys, second_values; /* .mem may be NULL when second_count is 0          */
} clsort_io;
#define CLSORT_IO_INIT                                                                             \
    {                                                                                              \
        sizeof(clsort_io), 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, {NULL, 0}, \
        {                                                                                          \
            NULL, 0                                                                                \
        }                                                                                          \
    }

/*
 * Enqueues the sort and returns without waiting for the device. queue, wait_count, wait_list and
 * event mean what they mean in clEnqueueNDRangeKernel; the queue may be in order or out of order
 * and belongs to the engine's context and device. The library does not flush the queue.
 *
 * Buffers may be sub-buffers, and may have been created with any flags, with two exceptions: what is
 * written must not be CL_MEM_READ_ONLY; and outputs are also read, so on a driver that takes
 * CL_MEM_WRITE_ONLY at its word (none is known) they must not be that. Memory of CL_MEM_USE_HOST_PTR
 * must be aligned as C would align the elements, and scratch to 8 bytes. Out of place, the input is
 * never written. Naming the input's own place as output is the same as in place. Otherwise what is
 * written, scratch included, must overlap nothing; inputs may overlap each other.
 *
 * On failure *event is NULL and nothing leaks; part of the work may already be enqueued, so the
 * contents of outputs (in place: of the data) are undefined, but an input sorted out of place is
 * intact. Errors: OpenCL's for invalid handles (CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT,
 * CL_INVALID_DEVICE, CL_INVALID_MEM_OBJECT, CL_INVALID_EVENT_WAIT_LIST) and for what its calls
 * return; CLSORT_E_ARGUMENT, _VERSION, _COUNT, _BUFFER_SIZE, _SCRATCH_SIZE, _ALIGNMENT, _OVERLAP,
 * _READ_ONLY.
 */
CLSORT_API clsort_status clsort_enqueue(clsort_plan *plan, cl_command_queue queue,
                                        const clsort_io *io, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *event);

/* -- host arrays: blocking ---------------------------------------------------------------------- */

/*
 * Sorts count keys, and values (NULL exactly when desc->value_size is 0), in host memory, and
 * returns when they are sorted. Arrays too small to be worth a trip to the device are sorted by the
 * calling thread, unless desc->algorithm names an algorithm, and so are all when no algorithm works on
 * the device. On a device that shares memory with
 * the host nothing is copied; on others the arrays travel. Arrays larger than the device's buffers can
 * be are sorted in pieces, which the calling thread merges; that takes memory for half of them. queue
 * may be NULL: one is made for this call; otherwise it belongs to the engine's context and device, and
 * is finished (clFinish) before the call returns. Safe to call from several threads at once, on
 * different arrays.
 * Errors: those of clsort_plan_create and clsort_enqueue; CLSORT_E_OPERATION for a merge,
 * CLSORT_E_COUNT when count is above desc->max_count or, in a custom order, above what one buffer
 * can hold, CLSORT_E_OVERLAP when the arrays do, CLSORT_E_ARGUMENT, CLSORT_E_MEMORY. The arrays are
 * unchanged when an argument is refused; after an error of the device their contents are undefined.
 */
CLSORT_API clsort_status clsort_host(clsort_engine *engine, cl_command_queue queue,
                                     const clsort_desc *desc, size_t count, void *keys,
                                     void *values);

/* What clsort_host would do, and why, in the manner of clsort_plan_describe. May compile, as clsort_host
 * would; errors are the same. */
CLSORT_API clsort_status clsort_host_describe(clsort_engine *engine, const clsort_desc *desc,
                                              size_t count, size_t size, char *text,
                                              size_t *size_ret);

/*
 * Sorts an array of keys, ascending, like qsort without the comparison. Large arrays go to the
 * device that clsort_find_device finds for $CLSORT_DEVICE; it is set up at the first such call and
 * kept until the process ends. Arrays below the size where starting the device pays are sorted by
 * the calling thread. Thread-safe, on different arrays.
 * Errors: CLSORT_E_KEY, CLSORT_E_COUNT, CLSORT_E_ARGUMENT (NULL keys), CLSORT_E_MEMORY, and for large
 * arrays those of clsort_find_device and clsort_host.
 */
CLSORT_API clsort_status clsort_array(clsort_key key, void *keys, size_t count);

#ifdef __cplusplus
}
#endif
#endif /* CLSORT_H */
