/**
 * @file
 * clsort.h - sort on any OpenCL device
 *
 * Objects.  An engine is one device of an OpenCL context, together with the programs compiled for
 * it. A plan holds the compiled kernels for one descriptor. clsort_enqueue runs a plan on data, any
 * number of times.
 *
 * Threads.  Any number of threads may use an engine at once. Only one thread at a time may use a
 * plan; different plans of one engine are independent. On PoCL before 6.0, a race in the driver can
 * abort the process when several threads sort at the same time: see docs/threads.md.
 *
 * Handles.  NULL is refused where it has no meaning, and so are OpenCL objects of another context
 * or device. The use of any other handle that is not that of a live object is undefined.
 *
 * Forks.  Drivers lose their threads in a fork. After a process has called clsort_find_device,
 * clsort_engine_create or a function that opens a device, its child processes cannot use OpenCL:
 * clsort_array, and clsort_host, clsort_host_segments, clsort_host_select and clsort_group_host with
 * a built-in key type and no named algorithm, work in the calling thread; clsort_find_device,
 * clsort_engine_create, clsort_plan_create, clsort_enqueue, clsort_self_test, clsort_engine_kept,
 * clsort_engine_trim, clsort_engine_setup_time, clsort_host_first, clsort_group_create,
 * clsort_group_share, clsort_group_trim, and other calls of clsort_host, clsort_host_segments,
 * clsort_host_select and clsort_group_host return CL_INVALID_OPERATION; clsort_engine_destroy,
 * clsort_plan_destroy and clsort_group_destroy have no effect; queries work.
 * None of them hangs, whatever other threads of the parent did during the fork. A child process of a
 * parent that has not used OpenCL has no restrictions. OpenCL calls that the program itself has made
 * are not noticed. After exec there are no restrictions either.
 *
 * Status.  Every function that can fail returns a clsort_status: 0 on success, an OpenCL error
 * (below 0), passed on unchanged, or one of CLSORT_E_* (above 0). clsort_last_error returns a
 * sentence about the failure: what is wrong, with which value. On failure, output parameters are
 * set to NULL or 0 and no resources leak. The library never prints, exits or aborts.
 */
#ifndef CLSORT_H
#define CLSORT_H

#include "clsort_columns.h"  /* key types, columns and records */
#include "clsort_counts.h"   /* counts in device memory */
#include "clsort_segments.h" /* forms of segments */
#include "clsort_select.h"   /* flags of selections */
#include "clsort_unique.h"   /* operations on neighbours */
#include "clsort_values.h"   /* several arrays of values */

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
/** The version of OpenCL that its headers declare, 1.2 unless the program has defined it. */
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

/* The version of this header; clsort_version returns that of the library. */

#define CLSORT_VERSION_MAJOR 0 /**< changes when the interface becomes incompatible */
#define CLSORT_VERSION_MINOR 2 /**< changes with new features; in 0.x, may be incompatible */
#define CLSORT_VERSION_PATCH 0 /**< changes with corrections */
/** "major.minor.patch" */
#define CLSORT_VERSION_STRING "0.2.0"

/** Marks the functions that the library exports. A program may define it before it includes this
 * header. */
#ifndef CLSORT_API
#if defined(_WIN32) && defined(clsort_EXPORTS) /* CMake defines it while it builds the DLL */
#define CLSORT_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define CLSORT_API __attribute__((visibility("default")))
#else
#define CLSORT_API
#endif
#endif

/* -- status ------------------------------------------------------------------------------------ */

/** 0 on success, an OpenCL error (below 0), or one of CLSORT_E_* (above 0). */
typedef cl_int clsort_status;

/** X(name, value, text): the status codes of clsort with their texts. */
#define CLSORT_STATUS_MAP(X)                                                                       \
    X(OK, 0, "success")                                                                            \
    X(E_ARGUMENT, 1, "invalid argument")                                                           \
    X(E_MEMORY, 2, "out of host memory")                                                           \
    X(E_VERSION, 3, "the struct sets a field that this version of clsort does not know")           \
    X(E_KEY, 4, "unknown key type")                                                                \
    X(E_FLAGS, 5, "unknown flags, or flags that the key type does not support")                    \
    X(E_BITS, 6, "begin_bit exceeds end_bit, or end_bit exceeds the width of the key")             \
    X(E_ALGORITHM, 7, "unknown algorithm or algorithm parameter")                                  \
    X(E_UNSUPPORTED, 8, "the algorithm does not support this sort on this device")                 \
    X(E_COUNT, 9, "count exceeds the plan's max_count or the address space")                       \
    X(E_BUFFER_SIZE, 10, "a buffer is too small for count elements at its offset")                 \
    X(E_SCRATCH_SIZE, 11, "the scratch buffer is smaller than clsort_scratch_size")                \
    X(E_ALIGNMENT, 12, "a byte offset is not a multiple of the element's alignment")               \
    X(E_OVERLAP, 13, "an output or scratch buffer overlaps another buffer")                        \
    X(E_READ_ONLY, 14, "an output buffer was created with CL_MEM_READ_ONLY")                       \
    X(E_DEVICE, 15, "no OpenCL device matches the name")                                           \
    X(E_SELF_TEST, 16, "the kernels fail their self-test on this device with this driver")         \
    X(E_ORDER, 17, "incomplete custom order, or a custom order for a built-in key type")           \
    X(E_OPERATION, 18, "unknown operation, or arguments that do not match it")                     \
    X(E_SEGMENTS, 19,                                                                              \
      "segments that the operation does not support, or that do not fit the array")                \
    X(E_COLUMNS, 20, "columns that do not fit the records, or of an unknown type or flag")         \
    X(E_MPI, 21, "MPI is not initialised, or an MPI function failed")

/** The status codes of clsort, all with the prefix CLSORT_. */
enum {
#define CLSORT_X(name, value, text) CLSORT_##name = value, /**< text */
    CLSORT_STATUS_MAP(CLSORT_X)
#undef CLSORT_X
};

/** Returns a text for any status: a description of CLSORT_E_* codes, the names of OpenCL codes
 * ("CL_OUT_OF_RESOURCES"). Never NULL; the string is static. */
CLSORT_API const char *clsort_status_string(clsort_status status);

/** One device of an OpenCL context, with the programs compiled for it. Any number of threads may
 * use it at once. */
typedef struct clsort_engine clsort_engine;

/**
 * Copies a sentence about the failure of the calling thread's last call into text as a C string,
 * such as "clsort_desc.end_bit is 40: at most 32 for u32 keys". If a program does not compile, the
 * compiler's output follows in further lines.
 *
 * The text is empty if that call succeeded, and with engine NULL never empty if it failed. Functions
 * without a status, and this one, do not change it: it can be read after engines and plans are
 * destroyed. If several algorithms fail, it is about the preferred one. Its wording may change.
 *
 * engine is NULL for the text of the last call, whatever it was about; this is what most programs
 * need. With an engine, the text is empty if the last call was about another engine or about none,
 * such as clsort_find_device, clsort_engine_create, clsort_array, and calls with a NULL plan: code
 * that shares a thread with other users of the library does not read their failures.
 *
 * At most size bytes are written, always with a terminator if size > 0. text may be NULL if size is
 * 0. *size_ret, unless size_ret is NULL, is set to the size of the complete string with its
 * terminator: 1 if it is empty, at most 4096. A longer text, such as that of a compiler, is cut and
 * ends with " ...". Errors: CLSORT_E_ARGUMENT. Thread-safe: each thread has a text of its own. Call
 * it in the thread whose call has failed.
 */
CLSORT_API clsort_status clsort_last_error(clsort_engine *engine, size_t size, char *text,
                                           size_t *size_ret);

/** Returns the version of the library at run time, "major.minor.patch". The string is static. */
CLSORT_API const char *clsort_version(void);

/* -- devices ----------------------------------------------------------------------------------- */

/**
 * Finds a device by name, for programs that do not manage OpenCL devices themselves. The name is
 * one of these:
 * - "0", "1", ...: the device of this index, among those of all platforms in the loader's order
 * - "cpu", "gpu": the first device of that type
 * - NULL or "": the best device, which is the GPU with the most compute units, else an accelerator,
 *   else a CPU
 * - another text: the first device whose name contains the text; case is ignored
 *
 * Errors: CLSORT_E_DEVICE if no device matches, CL_DEVICE_NOT_FOUND if there is no OpenCL device at
 * all, CLSORT_E_ARGUMENT if device is NULL, CLSORT_E_MEMORY, CL_INVALID_OPERATION (in a child
 * process), and errors of OpenCL's queries. Thread-safe. The platform owns *device; the caller
 * releases nothing.
 */
CLSORT_API clsort_status clsort_find_device(const char *name, cl_device_id *device);

/* -- engine: one OpenCL context and device, with its compiled programs ------------------------- */

/** Options of clsort_engine_create. */
typedef struct clsort_engine_options {
    /** Size of the struct, set by CLSORT_ENGINE_OPTIONS_INIT. */
    size_t struct_size;
    /** Directory of the program cache. NULL: $CLSORT_CACHE_DIR, else $XDG_CACHE_HOME/clsort, else
     * ~/.cache/clsort. "": no disk cache. */
    const char *cache_dir;
    /** Directory of clsort-tune's files. NULL: $CLSORT_CONFIG_DIR, else $XDG_CONFIG_HOME/clsort,
     * else ~/.config/clsort. "": no file is read. */
    const char *config_dir;
} clsort_engine_options;
/** Initializes a clsort_engine_options: both directories by the environment. */
#define CLSORT_ENGINE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(clsort_engine_options), NULL, NULL                                                  \
    }

/**
 * Creates an engine for one device of a context, which may have others. The engine retains the
 * context. options may be NULL.
 *
 * On Windows, %LOCALAPPDATA% and %APPDATA% replace the XDG folders, and permissions are not checked.
 * Elsewhere the cache directory is used only if it belongs to the user and nobody else can write; a
 * missing one is created with mode 0700. It may be a symbolic link that belongs to the user. A
 * failure of the cache is never an error: programs are then compiled each time. The file of
 * clsort-tune is read once, here. If anything in it is wrong, the whole file is ignored and
 * clsort_tune_file_error returns the reason. On a CPU with AVX-512, a short program is compiled to find
 * out whether the kernels can use it.
 *
 * The caller owns the engine and releases it with clsort_engine_destroy. Thread-safe.
 * Errors: CL_INVALID_CONTEXT, CL_INVALID_DEVICE (NULL, or not a device of the context),
 * CL_INVALID_OPERATION (in a child process), CLSORT_E_ARGUMENT (engine is NULL), CLSORT_E_VERSION,
 * CLSORT_E_MEMORY, and errors of OpenCL's queries.
 */
CLSORT_API clsort_status clsort_engine_create(cl_context context, cl_device_id device,
                                              const clsort_engine_options *options,
                                              clsort_engine **engine);

/** Releases the caller's reference to the engine. Plans hold references of their own, so engines
 * and plans may be destroyed in any order. Sorts that are already enqueued finish normally. NULL is
 * allowed. No other thread may use this handle during or after the call. */
CLSORT_API void clsort_engine_destroy(clsort_engine *engine);

/** Copies the path at which clsort_engine_create expects the file of clsort-tune for the engine's
 * device, whether or not the file exists; an empty string if no directory is configured. size, text
 * and size_ret as in clsort_last_error. Errors: CLSORT_E_ARGUMENT. Thread-safe. */
CLSORT_API clsort_status clsort_tune_file(clsort_engine *engine, size_t size, char *text,
                                          size_t *size_ret);

/** Copies the reason why clsort_engine_create ignored that file: "PATH:4: expected a kind of sort
 * ...". An empty string if the file was read or does not exist. size, text and size_ret as in
 * clsort_last_error. Errors: CLSORT_E_ARGUMENT. Thread-safe. */
CLSORT_API clsort_status clsort_tune_file_error(clsort_engine *engine, size_t size, char *text,
                                                size_t *size_ret);

/**
 * Sets *bytes to the size of the memory that the engine keeps and that no sort uses now.
 *
 * clsort_host and clsort_array keep scratch memory and copies of arrays for the next sort, since fresh
 * memory can cost as much time as the sort. An engine keeps at most 8 buffers, one for each thread that
 * sorts at the same time, and a block of host memory for records and large arrays, at most a quarter of
 * the device's memory; and 64 MiB of pinned host memory if the device has its own. It frees all with
 * its last plan, and if memory is short. If engine is NULL, the function is about the engine of
 * clsort_array. Errors: CLSORT_E_ARGUMENT (bytes is NULL), CL_INVALID_OPERATION (in a child process).
 * Thread-safe.
 */
CLSORT_API clsort_status clsort_engine_kept(clsort_engine *engine, uint64_t *bytes);

/**
 * Releases memory that the engine keeps (clsort_engine_kept), the largest first and pinned memory last,
 * until at most max_bytes are kept; 0 releases all. If engine is NULL, the function is about the engine
 * of clsort_array. Errors: CL_INVALID_OPERATION (in a child process). Thread-safe.
 */
CLSORT_API clsort_status clsort_engine_trim(clsort_engine *engine, uint64_t max_bytes);

/** Sets *build_ns to the nanoseconds that the engine has spent on compiling programs or loading them
 * from the disk cache, and *self_test_ns to those of its self-tests, in which PoCL compiles most of
 * a kernel, but without what other threads compile meanwhile. Either pointer may be NULL. Errors:
 * CLSORT_E_ARGUMENT (engine is NULL), CL_INVALID_OPERATION (in a child process). Thread-safe. */
CLSORT_API clsort_status clsort_engine_setup_time(clsort_engine *engine, uint64_t *build_ns,
                                                  uint64_t *self_test_ns);

/**
 * Tests every algorithm on the device, and the building blocks that algorithms share. Copies one
 * line for each into text: "rank: passed", "cpu: not supported on this device", "radix: failed, key
 * 5 of 6145 is wrong". size, text and size_ret as in clsort_last_error.
 *
 * Programs need not call this before they sort: clsort_plan_create tests the kernels of each plan.
 * Results are stored in the program cache, for this device, driver and version of clsort; later
 * calls return them without testing again. The first call compiles every kernel, which takes from
 * seconds to two minutes. Waits for the device. Thread-safe. Errors: CLSORT_E_SELF_TEST if any test
 * failed (text is then still written), CLSORT_E_ARGUMENT, CLSORT_E_MEMORY, and OpenCL errors.
 */
CLSORT_API clsort_status clsort_self_test(clsort_engine *engine, size_t size, char *text,
                                          size_t *size_ret);

/* -- plan: the compiled kernels for one descriptor --------------------------------------------- */

/** The compiled kernels for one descriptor. Only one thread at a time may use a plan. */
typedef struct clsort_plan clsort_plan;

/** What a plan does. */
typedef enum clsort_operation {
    CLSORT_SORT,         /**< sorts one input */
    CLSORT_MERGE_SORTED, /**< merges two sorted inputs into one output; stable: of equal keys, those
                              of the first input come first */
    CLSORT_ARGSORT, /**< finds the permutation that sorts the keys, which are only read: index_out[i]
                         is the index in the input of the key that is the i-th in order, from 0 */
    CLSORT_GATHER,  /**< reorders values: values_out[i] = values[index[i]] */
    CLSORT_SELECT, /**< finds the first k elements in the order, with CLSORT_DESCENDING the largest */
    CLSORT_NTH,    /**< finds the element that is the k-th in the order, from 0 */
    CLSORT_UNIQUE, /**< copies the first element of each run of equal keys (clsort_unique.h) */
    CLSORT_CHECK   /**< finds the first element that precedes the one before it (clsort_unique.h) */
} clsort_operation;

/* Flags of clsort_desc. The default is an ascending stable sort. */

/** Descending order. A stable sort still keeps the input order of elements with equal keys. */
#define CLSORT_DESCENDING 0x1u
/** Floats only: -0 equals +0, and all NaNs are equal and come last, as in NumPy's ascending sort;
 * they also come last in descending order. Without this flag, floats are in IEEE 754-2008 total
 * order: -NaN, -inf, ..., -0, +0, ..., +inf, +NaN. Bits are moved and never changed. */
#define CLSORT_FLOAT_NUMERIC 0x2u
/** Elements with equal keys may end up in any order, if that is faster. */
#define CLSORT_UNSTABLE 0x4u
/** The sort uses no device memory besides its arrays: clsort_scratch_size returns 0. If equal
 * elements can be told apart (values, bit range, CLSORT_FLOAT_NUMERIC, custom order),
 * CLSORT_UNSTABLE must be set too. Without it, for values wider than 16 bytes, and for operations
 * other than CLSORT_SORT, the plan is refused with CLSORT_E_UNSUPPORTED. */
#define CLSORT_NO_SCRATCH 0x8u
/* CLSORT_INPUT_ORDER and CLSORT_PARTITION are in clsort_select.h. */

/**
 * What to sort, and how. Always initialize it with CLSORT_DESC_INIT.
 *
 * Custom orders. prelude and less are compiled into the kernels. Treat them like the code of the
 * program: never take them from an untrusted source. clsort_last_error returns the compiler's
 * messages about them, with the file names "prelude", "key_type" and "less".
 *
 * less must be a strict weak order, as for std::sort: irreflexive, transitive, and with a
 * transitive equivalence. With any other relation the sort still terminates, stays within its
 * buffers, and outputs every element exactly once, in an unspecified order. A key may be compared
 * with itself. The self-test also compares keys whose bytes are all zero, for which less must not
 * fail, for example by a division by zero or an endless loop.
 *
 * prelude must not define names that clsort's kernels use. These have no common prefix: give every
 * name a prefix of your own, other than clsort_, cls_, CLSORT_ and CLS_. The names key_t and
 * value_t are free. The compiler reports a conflict of types or functions; a conflict of macros can
 * change the kernels without a message.
 *
 * A prelude may include files. An engine compiles a text only once, so create a new engine after
 * such a file has changed. Programs and self-test results of texts that contain the word "include"
 * or "import" are not stored on disk.
 *
 * Arrays of keys must be aligned to the largest of 8, 4, 2, 1 that divides key_size. The alignment
 * of key_type in OpenCL C may be larger (float4), because kernels copy keys before they compare
 * them. On CPUs, sorts are much faster if less has no branches: use | and & instead of || and &&
 * where both operands may be evaluated. CLSORT_DESCENDING and CLSORT_FLOAT_NUMERIC are refused with
 * CLSORT_E_FLAGS, begin_bit and end_bit with CLSORT_E_BITS.
 */
typedef struct clsort_desc {
    /** Size of the struct, set by CLSORT_DESC_INIT. */
    size_t struct_size;
    /** Type of the keys. */
    clsort_key key;
    /** CLSORT_DESCENDING and others, combined by |. */
    uint32_t flags;
    /** Size of the value that moves with each key, in bytes, at most 2^30; 0: keys only.
     * CLSORT_ARGSORT, _CHECK: 0. CLSORT_GATHER: the size of the elements that are reordered, not 0. */
    size_t value_size;
    /** The first bit that is compared; bit 0 is the lowest. */
    uint32_t begin_bit;
    /** The bit after the last one that is compared; 0: the width of the key. For signed integers
     * and floats, the bits are those of an unsigned number that sorts in the same order: signed
     * integers have their sign bit inverted; floats have their sign bit inverted if they are
     * positive, and all bits if they are negative. If begin_bit == end_bit > 0, all keys are equal,
     * and the sort is a copy. */
    uint32_t end_bit;
    /** Maximum number of elements that the plan can sort; 0: as many as the device can hold. */
    size_t max_count;
    /** NULL or "auto": the library chooses. Else a name of clsort_algorithm_name, optionally with
     * parameters: "radix:bits=4,items=8,scatter=direct". */
    const char *algorithm;
    /** CLSORT_CUSTOM only, like key_type, less and prelude: size of a key in bytes, at most 2^20.
     * Kernels copy keys to private memory: on CPUs more than 2^15 bytes, and on other devices more
     * than about 2^10, are refused with CLSORT_E_UNSUPPORTED; clsort_last_error then has the
     * maximum. CLSORT_BYTES: size of a key, 1 to CLSORT_MAX_BYTES. */
    size_t key_size;
    /** Type of the keys in OpenCL C, of key_size bytes: "float2". */
    const char *key_type;
    /** OpenCL C expression that is true if key `a` comes before key `b`: "a.x < b.x". */
    const char *less;
    /** OpenCL C that precedes key_type and less: types and functions. NULL: no prelude. */
    const char *prelude;
    /** A clsort_operation; 0: CLSORT_SORT. */
    uint32_t operation;
    /** CLSORT_ARGSORT, _GATHER, _SELECT, _NTH, _UNIQUE, merges of columns with a buffer each, and
     * segments with offsets only: size of an index and of an offset in bytes, 4 or 8; 0: 4 if
     * max_count is 1 to 2^32 (with offsets: 2^32 - 1), else 8. With 4, max_count is at most that.
     * Set it if other plans use the same indexes. */
    uint32_t index_size;
    /** CLSORT_SELECT only: maximum of clsort_io.k, on which scratch memory depends; 0: as
     * max_count, but refused if segments have offsets (CLSORT_E_SEGMENTS). */
    size_t max_k;
    uint32_t segments;   /**< a clsort_segments (clsort_segments.h); 0: CLSORT_WHOLE */
    uint32_t count_size; /**< size of io.count_buffer, 4 or 8 (clsort_counts.h), or 0 */
    /** Maximum number of segments with offsets, and in selections of rows, on which scratch memory
     * depends; 0: that of elements. */
    size_t max_segments;
    const clsort_column *columns; /**< clsort_columns.h: what elements are ordered by, or NULL */
    size_t column_count;          /**< number of columns, at most CLSORT_MAX_COLUMNS */
    size_t record_size;           /**< size of a record, at most 2^30; 0: no records */
    const size_t *value_sizes; /**< clsort_values.h: the size of a value of each array, or NULL */
    size_t value_count;        /**< number of arrays of values, at most CLSORT_MAX_VALUES */
} clsort_desc;
/** Initializes a clsort_desc: u32 keys without values, ascending. */
#define CLSORT_DESC_INIT                                                                           \
    {                                                                                              \
        sizeof(clsort_desc), CLSORT_U32, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, 0, 0, 0, 0,  \
            0, NULL, 0, 0, NULL, 0                                                                 \
    }

/**
 * Creates a plan. Checks the descriptor, chooses algorithms, compiles every kernel that the plan
 * can ever run or loads it from the cache, and tests kernels that have not run with this device and
 * driver before: small sorts on a separate queue, whose results are compared with sorts on the
 * host. If an algorithm fails, another one replaces it; clsort_plan_describe then names the failed
 * one. desc and its strings may be freed after the call.
 *
 * Errors: CLSORT_E_VERSION, _KEY, _FLAGS, _BITS, _ALGORITHM, _UNSUPPORTED, _COUNT, _ORDER,
 * _OPERATION, _SEGMENTS, _COLUMNS, _ARGUMENT for an invalid desc (_ARGUMENT also if engine, desc or
 * plan is NULL);
 * CLSORT_E_MEMORY; CL_BUILD_PROGRAM_FAILURE or CLSORT_E_SELF_TEST if the requested algorithm, or
 * every algorithm that could be chosen, fails on this device.
 * Thread-safe. The caller owns the plan and frees it with clsort_plan_destroy.
 */
CLSORT_API clsort_status clsort_plan_create(clsort_engine *engine, const clsort_desc *desc,
                                            clsort_plan **plan);

/** Frees the plan. Sorts that are already enqueued finish normally. NULL is allowed. No other
 * thread may use the plan. */
CLSORT_API void clsort_plan_destroy(clsort_plan *plan);

/** Sets *bytes to the size of the scratch memory that a sort of count elements needs, whether the
 * caller provides it or clsort_enqueue allocates it: at most count * (key + value) bytes, plus 1/16
 * of that for the tables of "hybrid", plus 32 MiB. For CLSORT_ARGSORT, the value is the index, and
 * another count * key bytes are needed. CLSORT_GATHER needs none; selections: see
 * clsort_select.h; CLSORT_UNIQUE and _CHECK: clsort_unique.h; columns: clsort_columns.h; several
 * arrays of values: clsort_values.h. A segmented sort needs 16 bytes more for each of max_segments
 * segments with CLSORT_OFFSETS, and 32 bytes more for each tile of fewer than 512 elements, which
 * only devices with small work-groups or little local memory have. With CLSORT_BEGIN_END, it needs
 * 33 bytes more for each segment and another 32 MiB: 16 for the sorted begins and ends, and 17 for
 * the scratch memory of the sort of these, which the list of segments then replaces. A larger count
 * never needs less. Errors: CLSORT_E_ARGUMENT, CLSORT_E_COUNT (above max_count). */
CLSORT_API clsort_status clsort_scratch_size(const clsort_plan *plan, size_t count, size_t *bytes);

/** Sets *bytes to an estimate of the bytes that an out-of-place sort of count elements reads and
 * writes in device memory: the cost model of the algorithm that would run. A sort of more random
 * keys than fit in the caches takes at least as long as a copy that moves as many bytes.
 * Algorithms move fewer bytes if keys are sorted or have constant bits; "cpu" moves more if most
 * keys share their highest bits. For a merge, count is the size of the output. A result above
 * UINT64_MAX is reported as UINT64_MAX. Errors: CLSORT_E_ARGUMENT, CLSORT_E_COUNT (count exceeds
 * the plan's max_count). */
CLSORT_API clsort_status clsort_cost_bytes(const clsort_plan *plan, size_t count, uint64_t *bytes);

/**
 * Copies a one-line description of the sort of count elements into text: the algorithm, its
 * parameters and the reason for the choice, such as "bitonic u32 asc C4+B16 B8 B4 B2, tiles of 256
 * x 4, 32-bit indexes: measured on this device, for 1 to 4096 elements; self-test passed". size,
 * text and size_ret as in clsort_last_error. The description is for people and logs; its format may
 * change. Errors: CLSORT_E_ARGUMENT, CLSORT_E_COUNT.
 */
CLSORT_API clsort_status clsort_plan_describe(const clsort_plan *plan, size_t count, size_t size,
                                              char *text, size_t *size_ret);

/**
 * Returns the name of the index-th algorithm that clsort_desc.algorithm accepts, or NULL if there
 * are no more. The string is static.
 * - "radix": LSD radix sort with 4-way splits: Ha, Krueger and Silva, "Fast four-way parallel radix
 *   sorting on GPUs", Computer Graphics Forum 28(8), 2009, pp. 2368-2378. Parameters: bits=1..8 per
 *   digit, items=1..32 keys per work-item, scatter=coalesced|direct. Parameters that exceed the
 *   limits of the device result in CLSORT_E_UNSUPPORTED.
 * - "onesweep": for GPUs: LSD radix sort that reads and writes once for each digit: Adinets and
 *   Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", arXiv:2206.01784,
 *   2022. Parameters: bits=1..8 per digit, items=1..48 keys per work-item, group=1|2|4|...|1024
 *   work-items.
 * - "hybrid": for GPUs: MSD radix sort that sorts the final buckets in local memory (Stehle and
 *   Jacobsen, SIGMOD 2017, pp. 417-432), or "onesweep", as a sample of the keys suggests. Parameters:
 *   path=msd|lsd|splitters; splitters, in the first round of MSD, are for keys of 8 bytes; items=1..48
 *   keys per work-item in a tile of LSD. Compares whole keys only. The maximum count is about 2^29
 *   elements on devices with 48 KiB of local memory.
 * - "cpu": for CPUs. Keys of 4 and 8 bytes without values on AVX-512: sample sort with a vectorized
 *   quicksort. Otherwise one partition through write-combining buffers, then LSD radix sorts within
 *   the cache: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362.
 * - "count": counting sort of keys of 8 or 16 bits without values: Knuth, "The Art of Computer
 *   Programming", vol. 3, 2nd ed., 1998, section 5.2, algorithm D.
 * - "local": the 4-way splits of "radix" in the local memory of one work-group: small inputs only.
 * - "merge": merge sort, for all orders, and the merge of two inputs: Green, McColl and Bader, "GPU
 *   merge path: a GPU merging algorithm", ICS 2012, pp. 331-340. Parameter: variant=groups|cores,
 *   for work-groups or for CPU cores.
 * - "bitonic": bitonic sort of any count, in place, and without scratch if values have at most 16
 *   bytes: Bainville, "OpenCL sorting", 2011, bealto.com/gpu-sorting.html. Parameter: the kernels
 *   that it may use, kernels=B2|B2+B4|B2+B4+B8|B|C2+B|C4+B, where B means B2+B4+B8+B16. Not stable;
 *   a plan that names it need not set CLSORT_UNSTABLE.
 * - "quick": for CPUs: quicksort in place, for all orders, without scratch as "bitonic": Edelkamp
 *   and Weiss, "BlockQuicksort: avoiding branch mispredictions in quicksort", ESA 2016. Not stable,
 *   as "bitonic".
 *
 * The name of a parameter may be omitted if its value is a word: "bitonic:B2+B4".
 */
CLSORT_API const char *clsort_algorithm_name(size_t index);

/* -- enqueue: asynchronous, like the commands of OpenCL ---------------------------------------- */

/** The part of a buffer that begins at a byte offset. The offset must be a multiple of the largest
 * of 8, 4, 2, 1 that divides the size of a key (for keys), of a value (for values) or of an index.
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN does not matter. */
typedef struct clsort_buffer {
    cl_mem mem;    /**< the buffer, which may be a sub-buffer; NULL: absent */
    size_t offset; /**< in bytes, from the start of the buffer */
} clsort_buffer;

/** The arrays of one call of clsort_enqueue. Always initialize it with CLSORT_IO_INIT: members that
 * the operation does not use must be NULL or 0 (CLSORT_E_OPERATION). */
typedef struct clsort_io {
    /** Size of the struct, set by CLSORT_IO_INIT. */
    size_t struct_size;
    /** Number of elements. With 0, the call still waits for the wait list and returns an event;
     * CLSORT_NTH is refused. */
    size_t count;
    clsort_buffer keys;     /**< input: the keys */
    clsort_buffer values;   /**< input: the values; in sorts and merges, .mem is NULL if and only if
                               value_size is 0 */
    clsort_buffer keys_out; /**< output. If a sort has no outputs (.mem NULL), it is in place */
    clsort_buffer values_out; /**< output, like keys_out */
    /** clsort_scratch_size bytes; .mem NULL: allocated for this call. The offset must be a multiple
     * of 8. */
    clsort_buffer scratch;
    /** CLSORT_MERGE_SORTED only: number of elements of the second input. The output has count +
     * second_count elements and must not be an input. */
    size_t second_count;
    clsort_buffer second_keys;   /**< second input; .mem may be NULL if second_count is 0 */
    clsort_buffer second_values; /**< second input, like second_keys */
    /** Output: indexes of clsort_desc.index_size bytes: count of CLSORT_ARGSORT, k of
     * CLSORT_SELECT, one of CLSORT_NTH (both: for each segment), or count with CLSORT_PARTITION.
     * CLSORT_UNIQUE: where runs begin. CLSORT_MERGE_SORTED: clsort_columns.h. */
    clsort_buffer index_out;
    /** CLSORT_GATHER only: input, count indexes of clsort_desc.index_size bytes. */
    clsort_buffer index;
    size_t source_count; /**< CLSORT_GATHER only: number of elements of values */
    /** Output, a number of 64 bits; .mem may be NULL, and the offset must be a multiple of 8.
     * CLSORT_GATHER: how many indexes are not below source_count. Segments: how many were wrong.
     * CLSORT_UNIQUE, _CHECK: clsort_unique.h. count_buffer: clsort_counts.h. */
    clsort_buffer result;
    size_t k; /**< CLSORT_SELECT: number of elements to select; CLSORT_NTH: the element, from 0 */
    size_t segment_count;  /**< with clsort_desc.segments: number of segments; may be 0 */
    clsort_buffer offsets; /**< input: segment_count offsets, one more with CLSORT_OFFSETS */
    clsort_buffer ends;    /**< CLSORT_BEGIN_END only: input, segment_count ends, like offsets */
    clsort_buffer ks;      /**< selections from segments: input, a k for each (clsort_select.h) */
    clsort_buffer count_buffer;        /**< input: the count in device memory (clsort_counts.h) */
    const clsort_buffer *columns;      /**< input: a buffer for each column (clsort_columns.h) */
    const clsort_buffer *value_arrays; /**< input: a buffer for each array (clsort_values.h) */
    const clsort_buffer *value_arrays_out; /**< output, likewise; NULL: in place */
} clsort_io;
/** Initializes a clsort_io: no elements and no buffers. */
#define CLSORT_IO_INIT                                                                             \
    {                                                                                              \
        sizeof(clsort_io), 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, {NULL, 0}, \
            {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, {NULL, 0}, 0, 0, {NULL, 0}, {NULL, 0}, {NULL, 0},  \
            {NULL, 0}, NULL, NULL, NULL                                                            \
    }

/**
 * Enqueues the sort and returns without waiting for the device. queue, wait_count, wait_list and
 * event have the same meaning as in clEnqueueNDRangeKernel. The queue may be in-order or
 * out-of-order; it must belong to the engine's context and device. The library does not flush the
 * queue.
 *
 * A sort consists of several commands, and the event is that of the last one. It completes with the
 * sort, but its profiling times from CL_PROFILING_COMMAND_QUEUED to _START to _END are those of the
 * last command only. To time a sort on an in-order queue, enqueue a marker before it and subtract
 * the marker's CL_PROFILING_COMMAND_END from that of the sort's event.
 *
 * Buffers may be sub-buffers and may have any creation flags, with two exceptions: outputs and
 * scratch must not be CL_MEM_READ_ONLY; and outputs should not be CL_MEM_WRITE_ONLY, because
 * kernels read them (known drivers accept it). The memory of CL_MEM_USE_HOST_PTR buffers must have
 * the alignment that clsort_buffer requires of offsets, and for scratch an alignment of 8 bytes.
 *
 * A sort is in place if both outputs are NULL, or if both are the same buffers and offsets as the
 * inputs. Keys and values cannot be treated differently: CLSORT_E_ARGUMENT if only one of them has
 * an output, CLSORT_E_OVERLAP if only one of them is sorted in place. Outputs and scratch must not
 * overlap each other. Unless the sort is in place, they must not overlap any input either. Inputs
 * may overlap each other. An out-of-place sort never writes to its input.
 *
 * CLSORT_ARGSORT writes the permutation to index_out and only reads keys. keys_out may be NULL. If
 * it is not, the sorted keys are written there; it may be the same buffer and offset as keys, which
 * are then sorted in place. Indexes of equal keys are in ascending order, unless CLSORT_UNSTABLE is
 * set or the named algorithm is not stable.
 *
 * CLSORT_GATHER reads count indexes and writes count elements to values_out, which must not overlap
 * values. Any index may occur any number of times. If an index is not below source_count, the
 * element becomes zero bytes. The key type of the descriptor has no meaning, and its flags, bits and
 * algorithm must be those of CLSORT_DESC_INIT. The permutation of CLSORT_ARGSORT can be the index of
 * several gathers, for example of one for each column of a table.
 *
 * CLSORT_SELECT and CLSORT_NTH are described in clsort_select.h, CLSORT_UNIQUE and CLSORT_CHECK in
 * clsort_unique.h, segmented sorts (clsort_desc.segments) in clsort_segments.h, counts in device
 * memory in clsort_counts.h, sorts of records and by several columns in clsort_columns.h, and sorts
 * of several arrays of values in clsort_values.h.
 *
 * On failure, *event is NULL and nothing leaks. Part of the work may have been enqueued: the
 * contents of the outputs (in place: of the data) are then undefined, but the input of an
 * out-of-place sort is intact. Errors: OpenCL's for invalid handles (CL_INVALID_COMMAND_QUEUE,
 * CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_MEM_OBJECT, CL_INVALID_EVENT_WAIT_LIST), errors
 * of the OpenCL calls it makes; CLSORT_E_ARGUMENT, _VERSION, _COUNT, _BUFFER_SIZE, _SCRATCH_SIZE,
 * _ALIGNMENT, _OVERLAP, _READ_ONLY, _OPERATION, _SEGMENTS.
 */
CLSORT_API clsort_status clsort_enqueue(clsort_plan *plan, cl_command_queue queue,
                                        const clsort_io *io, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *event);

#ifdef __cplusplus
}
#endif
#include "clsort_group.h" /* several devices */
#include "clsort_host.h"  /* host arrays */

#endif /* CLSORT_H */
