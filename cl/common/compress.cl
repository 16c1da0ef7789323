// compress.cl - defines COMPRESSES if the AVX-512 instructions of vector_quicksort.cl are available
//
// They are used through builtins of clang: the masked load, store and comparison, and the compress
// instruction, which moves the lanes that a mask selects to the lowest lanes.
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
