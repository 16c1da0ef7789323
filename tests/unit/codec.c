/* codec.c - compression of blocks: round trips, blocks that do not shrink, truncated and changed blocks */
#include "codec.h"

#include "bits.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 40000, CANARY = 0xa5, CANARIES = 64 };

enum form { ZEROS, NUMBERS, TEXT, RANDOM, FORM_COUNT };

static void fill(unsigned char *data, size_t size, enum form form)
{
    static const char text[] = "a line of text that repeats itself\n";

    for (size_t i = 0; i < size; i++)
        data[i] = form == ZEROS     ? 0
                  : form == NUMBERS ? (unsigned char)(i % 4 == 0 ? i / 64 : i % 4)
                  : form == TEXT    ? (unsigned char)text[i % (sizeof text - 1)]
                                    : (unsigned char)bits_mix(i + 1);
}

/* Memory of exactly this size before canaries, which sanitizers watch, too. */
static unsigned char *guarded(size_t size)
{
    unsigned char *memory = malloc(size + CANARIES);

    assert_non_null(memory);
    memset(memory + size, CANARY, CANARIES);
    return memory;
}

static void check_canaries(const unsigned char *memory, size_t size)
{
    for (size_t i = 0; i < CANARIES; i++)
        assert_int_equal(memory[size + i], CANARY);
}

/* Encodes and decodes elements with this capacity. Returns what codec_encode does. */
static size_t round_trip(struct codec *codec, const unsigned char *original, size_t size,
                         size_t capacity)
{
    unsigned char *data = guarded(size);

    memcpy(data, original, size);
    const size_t stored = codec_encode(codec, 1, data, size, capacity);
    check_canaries(data, size);
    assert_true(stored <= capacity);
    /* More bytes may follow. */
    if (stored > 0)
        assert_true(codec_decode(codec, 0, data, capacity, size));
    check_canaries(data, size);
    assert_memory_equal(data, original, size);
    free(data);
    return stored;
}

static void check_form(struct codec *codec, size_t size, enum form form)
{
    unsigned char *original = malloc(size);

    assert_non_null(original);
    fill(original, size, form);
    const size_t stored = round_trip(codec, original, size, size);
    if (form == RANDOM && size > 4)
        assert_int_equal(stored, 0);
    if (form != RANDOM && size >= 4000)
        assert_in_range(stored, 9, size / 2);
    for (size_t capacity = 0; capacity <= stored;
         capacity = capacity < 16 ? capacity + 1 : 2 * capacity)
        round_trip(codec, original, size, capacity);
    free(original);
}

static void round_trips(void **state)
{
    static const size_t elements[] = {1, 2, 3, 4, 7, 8, 16, 100, 255, 256, 257, 5000};

    (void)state;
    for (int method = CODEC_LZ4; method < CODEC_COUNT; method++) {
        if (!codec_is_available((enum codec_method)method))
            continue;
        for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
            const size_t size = elements[i], counts[] = {1, 2, 63, 64, 65, 129, BLOCK / size};
            struct codec codec;

            assert_true(codec_open(&codec, (enum codec_method)method, size, BLOCK, 2));
            for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++)
                for (int form = 0; form < FORM_COUNT && counts[j] * size <= BLOCK; form++)
                    check_form(&codec, counts[j] * size, (enum form)form);
            codec_close(&codec);
        }
    }
}

/* Truncated and changed blocks are refused, or give other elements, but never touch other memory. zstd has a checksum,
 * and refuses them all. */
static void corrupted(void **state)
{
    enum { SIZE = 6000 };

    (void)state;
    for (int method = CODEC_LZ4; method < CODEC_COUNT; method++) {
        unsigned char original[SIZE], encoded[SIZE];
        struct codec codec;

        if (!codec_is_available((enum codec_method)method))
            continue;
        assert_true(codec_open(&codec, (enum codec_method)method, 8, SIZE, 1));
        fill(original, SIZE, NUMBERS);
        memcpy(encoded, original, SIZE);
        const size_t stored = codec_encode(&codec, 0, encoded, SIZE, SIZE);
        assert_in_range(stored, 9, SIZE / 2);
        for (size_t length = 0; length < stored; length++) {
            unsigned char *data = guarded(SIZE);

            memcpy(data, encoded, length);
            assert_false(codec_decode(&codec, 0, data, length, SIZE));
            check_canaries(data, SIZE);
            free(data);
        }
        for (size_t bit = 0; bit < stored * 8; bit++) {
            unsigned char *data = guarded(SIZE);

            memcpy(data, encoded, stored);
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            const bool done = codec_decode(&codec, 0, data, stored, SIZE);
            check_canaries(data, SIZE);
            if (done && (method == CODEC_ZSTD || bit < 64))
                assert_memory_equal(data, original, SIZE);
            free(data);
        }
        /* Another number of elements, and more than a block */
        for (size_t size = SIZE - 8; size <= SIZE + 8; size += 8) {
            unsigned char *data = guarded(size);

            memcpy(data, encoded, stored);
            assert_int_equal(codec_decode(&codec, 0, data, stored, size), size == SIZE);
            check_canaries(data, size);
            free(data);
        }
        codec_close(&codec);
    }
}

/* Random bytes behind a plausible header */
static void noise(void **state)
{
    enum { SIZE = 1000 };

    (void)state;
    for (int method = CODEC_LZ4; method < CODEC_COUNT; method++) {
        struct codec codec;

        if (!codec_is_available((enum codec_method)method))
            continue;
        assert_true(codec_open(&codec, (enum codec_method)method, 4, SIZE, 1));
        for (size_t i = 0; i < 20000; i++) {
            unsigned char *data = guarded(SIZE);

            for (size_t j = 0; j < SIZE; j++)
                data[j] = (unsigned char)bits_mix(i * SIZE + j);
            memset(data, 0, 8);
            data[0] = (unsigned char)i;
            data[1] = (unsigned char)(i >> 8 & 3);
            codec_decode(&codec, 0, data, SIZE, SIZE);
            check_canaries(data, SIZE);
            free(data);
        }
        codec_close(&codec);
    }
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(codec_name(CODEC_NONE), "none");
    assert_string_equal(codec_name(CODEC_LZ4), "lz4");
    assert_string_equal(codec_name(CODEC_ZSTD), "zstd");
    assert_true(codec_is_available(CODEC_NONE) && codec_is_available(codec_best()));
    assert_true(codec_best() == CODEC_LZ4 || !codec_is_available(CODEC_LZ4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(corrupted),
        cmocka_unit_test(noise),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
