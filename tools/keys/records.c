/* records.c - clsort-keys: records in the layout of the sort benchmark, and checksums of records
 *
 * The layout is that of the benchmark's generator (sortbenchmark.org): a key of 10 bytes, the number of
 * the record in 32 hexadecimal digits, and a filler, between constant bytes. */
#include "records.h"

#include "data_loops.h"
#include "data_vectors.h"

#include <string.h>

enum {
    NUMBER_AT = 12,
    NUMBER_SIZE = 32,
    ASCII_FILLER_AT = 46,
    BINARY_FILLER_AT = 48,
    ASCII_FILLER_END = 98,
    BINARY_FILLER_END = 96,
    FILLER_RUN = 4, /* equal characters in the filler */
    FIRST_CHARACTER = ' ',
    CHARACTERS = 95 /* printable ones */
};

/* Returns a random number for a record. A record has one for each `use`. */
static uint64_t random_of(uint64_t seed, uint64_t record, uint64_t use)
{
    return bits_mix(bits_mix(seed + record * BITS_GAMMA) + use);
}

/* Multiplies the number, a fraction of 2^64, by a factor. Returns the integral part of the product, and sets
 * *number to its fraction. */
static unsigned take_digit(uint64_t *number, unsigned factor)
{
    const uint64_t low = (*number & UINT32_MAX) * factor, high = (*number >> 32) * factor;
    const uint64_t sum = high + (low >> 32);

    *number = sum << 32 | (low & UINT32_MAX);
    return (unsigned)(sum >> 32);
}

/* Makes a key: the digits of the number as a fraction of 2^64, in base 95 or 256. In base 256 there are 8; the
 * others are random. */
static void make_key(unsigned char *key, uint64_t number, bool is_ascii, uint64_t random)
{
    for (size_t i = 0; i < RECORDS_KEY_SIZE; i++) {
        if (!is_ascii && i == sizeof number)
            number = random;
        const unsigned digit = take_digit(&number, is_ascii ? CHARACTERS : 256);

        key[i] = (unsigned char)(is_ascii ? FIRST_CHARACTER + digit : digit);
    }
}

static void make_record(unsigned char *record, uint64_t index, bool is_ascii, uint64_t seed)
{
    static const char digits[] = "0123456789ABCDEF";
    const size_t begin = is_ascii ? ASCII_FILLER_AT : BINARY_FILLER_AT;
    const size_t end = is_ascii ? ASCII_FILLER_END : BINARY_FILLER_END;

    memcpy(record + RECORDS_KEY_SIZE, is_ascii ? "  " : "\x00\x11", 2);
    for (size_t i = 0; i < NUMBER_SIZE; i++) {
        const size_t shift = 4 * (NUMBER_SIZE - 1 - i);

        record[NUMBER_AT + i] = (unsigned char)(shift < 64 ? digits[index >> shift & 15] : '0');
    }
    if (is_ascii)
        memcpy(record + NUMBER_AT + NUMBER_SIZE, "  ", 2);
    else
        memcpy(record + NUMBER_AT + NUMBER_SIZE, "\x88\x99\xaa\xbb", 4);
    const uint64_t filler = random_of(seed, index, 2);
    for (size_t i = begin; i < end; i++)
        record[i] = (unsigned char)digits[filler >> 4 * ((i - begin) / FILLER_RUN) & 15];
    memcpy(record + end, is_ascii ? "\r\n" : "\xcc\xdd\xee\xff", RECORDS_SIZE - end);
}

void records_fill_part(enum data_dist dist, bool is_ascii, uint64_t seed, uint64_t total,
                       uint64_t first, unsigned char *records, size_t count)
{
    uint64_t numbers[RECORDS_BLOCK];

    data_fill_part(data_type_of(CLSORT_U64), dist, seed, total, first, numbers, count);
    for (size_t i = 0; i < count; i++) {
        unsigned char *record = records + i * RECORDS_SIZE;

        make_key(record, numbers[i], is_ascii, random_of(seed, first + i, 1));
        make_record(record, first + i, is_ascii, seed);
    }
}

uint64_t records_checksum(const void *records, size_t size, size_t count)
{
    const unsigned char *p = records;
    const size_t rest = count % DATA_RECORDS;
    uint64_t sum = 0;

    for (size_t i = 0; i < rest; i++)
        sum += data_loop_records(p + i * size, size, 1);
    p += rest * size;
    count -= rest;
    return sum + (data_vectors_are_supported() ? data_vectors_records(p, size, count)
                                               : data_loop_all_records(p, size, count));
}
