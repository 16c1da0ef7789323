// compress.cl - a program that has the kernel can_compress where AVX-512's compress instruction is available
#ifndef CLSORT_PROBE_COMPRESS_CL
#define CLSORT_PROBE_COMPRESS_CL

#include "common/compress.cl"

#if defined(COMPRESSES)
__kernel void can_compress(__global uint *unused)
{
}
#endif

// Some drivers refuse a program without any kernel.
__kernel void can_compile(__global uint *unused)
{
}

#endif
