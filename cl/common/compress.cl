// compress.cl - whether the instructions of quick.cl can be had: x86's for vectors of 512 bits with masks, among them
// the one that moves the lanes of a mask together
#ifndef CLSORT_COMMON_COMPRESS_CL
#define CLSORT_COMMON_COMPRESS_CL

#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_compresssi512_mask) &&                                            \
    __has_builtin(__builtin_ia32_compressdi512_mask) &&                                            \
    __has_builtin(__builtin_ia32_ucmpd512_mask) && __has_builtin(__builtin_ia32_ucmpq512_mask) &&  \
    __has_builtin(__builtin_ia32_loaddqusi512_mask) &&                                             \
    __has_builtin(__builtin_ia32_loaddqudi512_mask) &&                                             \
    __has_builtin(__builtin_ia32_storedqusi512_mask) &&                                            \
    __has_builtin(__builtin_ia32_storedqudi512_mask)
#define COMPRESSES 1
#endif
#endif

#endif
