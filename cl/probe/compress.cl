// compress.cl - probes for AVX-512's compress instruction: only then there is can_compress
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
