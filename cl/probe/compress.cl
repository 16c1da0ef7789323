// compress.cl - probes for AVX-512: the kernel can_compress exists only if COMPRESSES is defined
#ifndef CLSORT_PROBE_COMPRESS_CL
#define CLSORT_PROBE_COMPRESS_CL

#include "common/compress.cl"

#if defined(COMPRESSES)
__kernel void can_compress(__global uint *unused)
{
}
#endif

// Some drivers reject a program without kernels.
__kernel void can_compile(__global uint *unused)
{
}

#endif
