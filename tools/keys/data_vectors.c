/* data_vectors.c - the library clsort-keys: checks and checksums by vectors
 *
 * The functions are compiled for AVX-512 on x86-64, whatever the options of the compiler are, since AVX2 has no
 * multiplication of 64-bit words, and for the target otherwise. CMakeLists.txt lets compilers vectorise all loops
 * of this file. On an EPYC, the checksum of a u64 key takes 0.2 ns in place of 1.1, the check of its order 0.13 in
 * place of 0.5, and the checksum of a record of 100 bytes 5.8 in place of 17. */
#include "data_vectors.h"

/* GCC for Windows does not align vectors on the stack (its bug 54412). */
#if defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && !defined(_WIN32)))
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))

bool data_vectors_are_supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

/* The words at the same place in DATA_RECORDS records. */
typedef uint64_t words_t __attribute__((vector_size(DATA_RECORDS * sizeof(uint64_t))));

TARGET static inline words_t load_words(const unsigned char *p, size_t size, size_t bytes)
{
    return (words_t){bits_load(p, bytes),
                     bits_load(p + size, bytes),
                     bits_load(p + 2 * size, bytes),
                     bits_load(p + 3 * size, bytes),
                     bits_load(p + 4 * size, bytes),
                     bits_load(p + 5 * size, bytes),
                     bits_load(p + 6 * size, bytes),
                     bits_load(p + 7 * size, bytes)};
}

/* bits_mix of each word */
TARGET static inline words_t mix_words(words_t x)
{
    x = (x ^ (x >> 30)) * BITS_MIX_1;
    x = (x ^ (x >> 27)) * BITS_MIX_2;
    return x ^ (x >> 31);
}

/* Compilers do not vectorise data_loop_records. */
TARGET uint64_t data_vectors_records(const unsigned char *p, size_t size, size_t count)
{
    const size_t word = sizeof(uint64_t), words = size / word * word;
    words_t sums = {0};
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i += DATA_RECORDS, p += DATA_RECORDS * size) {
        words_t hashes = {0};

        hashes += size;
        for (size_t at = 0; at < words; at += word)
            hashes = mix_words(hashes + load_words(p + at, size, word));
        if (words < size)
            hashes = mix_words(hashes + load_words(p + words, size, size - words));
        sums += hashes;
    }
    for (size_t i = 0; i < DATA_RECORDS; i++)
        sum += sums[i];
    return sum;
}
#else
#define TARGET

bool data_vectors_are_supported(void)
{
    return true;
}

uint64_t data_vectors_records(const unsigned char *p, size_t size, size_t count)
{
    return data_loop_all_records(p, size, count);
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
