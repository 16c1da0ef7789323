/* shared_types.h - integers of fixed size, for structs that the host and the kernels share */
#ifndef CLSORT_COMMON_SHARED_TYPES_H
#define CLSORT_COMMON_SHARED_TYPES_H

/* Clang without an OpenCL platform defines only the latter macro. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
typedef uchar cls_u8;
typedef ushort cls_u16;
typedef uint cls_u32;
typedef ulong cls_u64;
#else
#include <stdint.h>
typedef uint8_t cls_u8;
typedef uint16_t cls_u16;
typedef uint32_t cls_u32;
typedef uint64_t cls_u64;
#endif

#endif
