/* data_vectors.c - the library clsort-keys: checks and checksums of keys of 4 and 8 bytes by vectors
 *
 * The functions are compiled for AVX-512 on x86-64, whatever the options of the compiler are, since AVX2 has no
 * multiplication of 64-bit words, and for the target otherwise. CMakeLists.txt lets compilers vectorise all loops
 * of this file. On an EPYC, the checksum of a u64 key takes 0.2 ns in place of 1.1, and the check of its order 0.13 in
 * place of 0.5. */
#include "data_vectors.h"

/* GCC for Windows does not align vectors on the stack (its bug 54412). */
#if defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && !defined(_WIN32)))
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))

bool data_vectors_are_supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#else
#define TARGET

bool data_vectors_are_supported(void)
{
    return true;
}
#endif

TARGET uint64_t data_vectors_checksum(const unsigned char *p, size_t size, size_t count)
{
    return size == 4 ? data_loop_checksum(p, 4, count) : data_loop_checksum(p, 8, count);
}

TARGET bool data_vectors_are_ordered(const unsigned char *p, size_t size, size_t count,
                                     const struct data_mapping *mapping)
{
    const struct data_mapping constant = *mapping;

    if (size == 4)
        return constant.is_float ? data_loop_is_ordered(p, 4, count, &constant, true)
                                 : data_loop_is_ordered(p, 4, count, &constant, false);
    return constant.is_float ? data_loop_is_ordered(p, 8, count, &constant, true)
                             : data_loop_is_ordered(p, 8, count, &constant, false);
}
