// device_count.cl - counts that are in device memory
//
// Options:
//   COUNT_BYTES    4 or 8: the size of the count; 0: the host knows it, and there is no argument
#ifndef CLSORT_COMMON_DEVICE_COUNT_CL
#define CLSORT_COMMON_DEVICE_COUNT_CL

#include "common/types.cl"

// COUNT_ARGUMENT declares the argument and ends with a comma; DEVICE_COUNT reads the count.
#if COUNT_BYTES > 0
#if COUNT_BYTES == 4
typedef uint device_count_t;
#else
typedef ulong device_count_t;
#endif
#define COUNT_ARGUMENT INPUT(device_count),
#define DEVICE_COUNT ((ulong)*AT(const device_count_t, device_count))
#else
#define COUNT_ARGUMENT
#endif

// The number of elements of a sort, whose kernels read a count that is already clamped (clamp/clamp.cl).
// The host knows `known`, which is otherwise only the maximum.
#if COUNT_BYTES > 0
#define ELEMENT_COUNT(known) DEVICE_COUNT
#else
#define ELEMENT_COUNT(known) (known)
#endif

#endif
