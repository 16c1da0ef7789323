// types.cl - the types of keys, values and indexes, and the declaration of kernel arguments
//
// Options of every program:
//   KEY_BYTES      1, 2, 4 or 8; any number in a custom order
//   KEY_ORDER      as in keys.cl
//   VALUE_BYTES    bytes of the value that moves with each key: 0 (keys alone) to 16, or to 256 in
//                  merge/cores.cl if it merges two inputs
//   VALUE_INDEX    1: the value is the element's index in the input, and no input values are read
//   INDEX_BITS     32 or 64: bits of the type that counts elements
#ifndef CLSORT_COMMON_TYPES_CL
#define CLSORT_COMMON_TYPES_CL

// Built-in keys are numbers, or vectors of 16 numbers (key_vector_t). Keys of a custom order, and
// values, consist of the largest units that divide their size, so that they need no more alignment
// than a C struct of that size can have.

#if KEY_ORDER == 3
#if KEY_BYTES % 8 == 0
typedef ulong key_unit_t;
#elif KEY_BYTES % 4 == 0
typedef uint key_unit_t;
#elif KEY_BYTES % 2 == 0
typedef ushort key_unit_t;
#else
typedef uchar key_unit_t;
#endif
typedef struct {
    key_unit_t unit[KEY_BYTES / sizeof(key_unit_t)];
} key_t;
#elif KEY_BYTES == 1
typedef uchar key_t;
typedef uchar16 key_vector_t;
#elif KEY_BYTES == 2
typedef ushort key_t;
typedef ushort16 key_vector_t;
#elif KEY_BYTES == 4
typedef uint key_t;
typedef uint16 key_vector_t;
#else
typedef ulong key_t;
typedef ulong16 key_vector_t;
#endif

#if INDEX_BITS == 32
typedef uint index_t;
#else
typedef ulong index_t;
#endif

#if VALUE_BYTES > 0
#if VALUE_BYTES % 8 == 0
typedef ulong value_unit_t;
typedef ulong16 value_units_t;
#elif VALUE_BYTES % 4 == 0
typedef uint value_unit_t;
typedef uint16 value_units_t;
#elif VALUE_BYTES % 2 == 0
typedef ushort value_unit_t;
typedef ushort16 value_units_t;
#else
typedef uchar value_unit_t;
typedef uchar16 value_units_t;
#endif
typedef struct {
    value_unit_t unit[VALUE_BYTES / sizeof(value_unit_t)];
} value_t;
#endif

// Aligns a private array to a cache line.
#define ALIGNED __attribute__((aligned(64)))

// The attribute of kernels whose work-groups have one work-item.
#define WORK_ITEM_KERNEL __attribute__((reqd_work_group_size(1, 1, 1)))

// A function that is compiled once. PoCL emits the code of a kernel three times, for the kernel and
// for two functions that call it, and with it that of all inlined functions. Functions that use
// get_group_id() and the like are always inlined.
#define OUTLINED static __attribute__((noinline))

// A buffer argument is a cl_mem and a byte offset. Sub-buffers would need an alignment that users'
// data may lack.
#define BUFFER(name) __global uchar *name, const ulong name##_at
#define INPUT(name) __global const uchar *name, const ulong name##_at
#define AT(type, name) ((__global type *)(name + name##_at))

// Code and arguments for values, which are empty if there are no values. OpenCL C 1.2 has no
// variadic macros, so `code` must not contain a comma outside parentheses.
#if VALUE_BYTES > 0
#define VALUES(code) code
#define VALUE_BUFFER(name) BUFFER(name),
#else
#define VALUES(code)
#define VALUE_BUFFER(name)
#endif
#if VALUE_BYTES > 0 && !VALUE_INDEX
#define VALUE_INPUT(name) INPUT(name),
#else
#define VALUE_INPUT(name)
#endif

// The values of the input, which kernels take by VALUE_INPUT, and value i of them. If values are
// indexes, they exist nowhere yet.
#if VALUE_INDEX
static inline value_t value_of_index(const index_t i)
{
    value_t v;
    v.unit[0] = i;
    return v;
}
#define INPUT_VALUES(name) 0
#define INPUT_VALUE(values, i) value_of_index(i)
#else
#define INPUT_VALUES(name) AT(const value_t, name)
#define INPUT_VALUE(values, i) (values)[i]
#endif

#endif
