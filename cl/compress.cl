// compress.cl - whether x86's compress instruction can be had: it moves the lanes of a mask to the front of a vector

#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_compresssi512_mask)
#define COMPRESSES 1
#endif
#endif
