/* external.c - the engine of external sorts, compared with sorts in memory: sizes around blocks and runs, several
 * passes, ties, stretches in order, records of every size, both ways of input and output */
#include "external.h"

#include "bits.h"

#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_KEY = 8, MEMORY = 160 << 10 };

/* Elements begin with a number, by which they are ordered, and end with their index if they are longer than it. */
static size_t key_size, element_size;

static int compare(const void *context, const void *a, const void *b)
{
    const uint64_t x = bits_load(a, key_size), y = bits_load(b, key_size);

    (void)context;
    return (x > y) - (x < y);
}

/* A stable merge sort */
static void sort_range(unsigned char *to, unsigned char *from, size_t count)
{
    const size_t half = count / 2;
    unsigned char *a = from, *b = from + half * element_size;
    unsigned char *const middle = b, *const end = from + count * element_size;

    if (count < 2)
        return;
    sort_range(to, from, half);
    sort_range(to, middle, count - half);
    for (unsigned char *out = to; out < to + count * element_size; out += element_size) {
        const bool takes_b = b < end && (a == middle || compare(NULL, b, a) < 0);
        unsigned char **source = takes_b ? &b : &a;

        memcpy(out, *source, element_size);
        *source += element_size;
    }
    memcpy(from, to, count * element_size);
}

static bool sort(void *context, void *elements, size_t count)
{
    unsigned char *copy = malloc(count * element_size + 1);

    assert_non_null(copy);
    sort_range(copy, elements, count);
    free(copy);
    return context == NULL;
}

static size_t find_disorder(const void *context, const void *elements, size_t count)
{
    const unsigned char *bytes = elements;

    for (size_t i = 1; i < count; i++)
        if (compare(context, bytes + (i - 1) * element_size, bytes + i * element_size) > 0)
            return i;
    return count;
}

static uint64_t checksum(const void *context, const void *elements, size_t count)
{
    const unsigned char *bytes = elements;
    uint64_t sum = 0;

    (void)context;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = 1;

        for (size_t j = 0; j < element_size; j++)
            hash = bits_mix(hash + bytes[i * element_size + j]);
        sum += hash;
    }
    return sum;
}

/* The file has the complement of each byte, so that a missing conversion is noticed. */
static void complement(const void *context, void *elements, size_t count)
{
    unsigned char *bytes = elements;

    (void)context;
    for (size_t i = 0; i < count * element_size; i++)
        bytes[i] = (unsigned char)~bytes[i];
}

static void keep(const void *context, void *elements, size_t count)
{
    (void)context, (void)elements, (void)count;
}

static uint64_t bytes_moved;

static void add_progress(uint64_t bytes)
{
    bytes_moved += bytes;
}

static bool write_all(void *context, const void *data, size_t size)
{
    return write(*(const int *)context, data, size) == (ssize_t)size;
}

enum form { RANDOM, FEW, EQUAL, SORTED, REVERSED, STRETCHES, SORTED_FIRST, FORM_COUNT };

/* Returns the number of an element. */
static uint64_t number_of(enum form form, size_t i, size_t count)
{
    switch (form) {
    case FEW:
        return bits_mix(i) % 3;
    case EQUAL:
        return 7;
    case SORTED:
        return i / 5;
    case REVERSED:
        return count - i;
    case STRETCHES: /* in order for 9000 elements, in no order for 3000 */
        return i % 12000 < 9000 ? i % 12000 : bits_mix(i) % 10000;
    case SORTED_FIRST:
        return i < count / 2 ? i : bits_mix(i) % count;
    default:
        return bits_mix(i + 1);
    }
}

static unsigned char *make_elements(enum form form, size_t count)
{
    unsigned char *elements = calloc(count + 1, element_size);

    assert_non_null(elements);
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = number_of(form, i, count);
        unsigned char *element = elements + i * element_size;

        for (size_t j = key_size; j < element_size; j++)
            element[j] = (unsigned char)(i >> 8 * ((j - key_size) % 4));
        memcpy(element, &number, key_size); /* little-endian */
    }
    return elements;
}

static int new_file(void)
{
    char path[] = "external-XXXXXX";
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

/* Removes repeats from sorted elements. */
static size_t drop_repeats(unsigned char *elements, size_t count)
{
    size_t kept = count > 0;

    for (size_t i = 1; i < count; i++)
        if (compare(NULL, elements + (kept - 1) * element_size, elements + i * element_size) != 0)
            memmove(elements + kept++ * element_size, elements + i * element_size, element_size);
    return kept;
}

struct variant {
    size_t header_size;
    bool is_piped;
    bool is_unique;
    size_t folder_count;
    uint64_t memory;
    enum codec_method compression;
    bool is_sampled;
};

static const struct variant plain = {.folder_count = 1, .memory = MEMORY};

/* Sorts elements externally and in memory, and compares every byte. Returns the plan. */
static struct external_plan sorts(enum form form, size_t count, const struct variant *variant)
{
    static const char *const folders[] = {".", "./", ".."};
    static const char header[5000] = "header";
    unsigned char *elements = make_elements(form, count);
    unsigned char *expected = malloc(count * element_size + 1);
    unsigned char *result = malloc(count * element_size + sizeof header + 1);
    int input = new_file(), output = new_file();
    uint64_t needed;
    const bool is_unique = variant->is_unique; /* which requires that nothing is converted */
    const struct external_order order = {.size = element_size,
                                         .sort = sort,
                                         .compare = compare,
                                         .disorder = find_disorder,
                                         .checksum = checksum,
                                         .decode = is_unique ? keep : complement,
                                         .encode = is_unique ? keep : complement};
    struct external_request request = {.size = element_size,
                                       .count = count,
                                       .memory = variant->memory,
                                       .scratch_per_byte = 1,
                                       .compression = variant->compression};
    struct external external = {
        .order = &order,
        .input_name = "input",
        .input = input,
        .input_offset = variant->header_size,
        .output_name = "output",
        .output_folder = ".",
        .output = variant->is_piped ? -1 : output,
        .write = write_all,
        .context = &output,
        .header = header,
        .header_size = variant->header_size,
        .folders = folders,
        .folder_count = variant->folder_count,
        .is_sampled = variant->is_sampled,
        .is_verified = true,
        .is_unique = is_unique,
        .progress = add_progress,
    };

    assert_non_null(expected);
    assert_non_null(result);
    memcpy(expected, elements, count * element_size);
    sort(NULL, expected, count);
    order.decode(NULL, elements, count);
    assert_true(write(input, header, variant->header_size) == (ssize_t)variant->header_size);
    assert_true(write(input, elements, count * element_size) == (ssize_t)(count * element_size));

    if (!external_plan_make(&external.plan, &request, &needed)) {
        request.memory = needed;
        assert_true(external_plan_make(&external.plan, &request, &needed));
    }
    bytes_moved = 0;
    assert_true(external_sort(&external));
    order.encode(NULL, expected, count);
    const size_t kept = is_unique ? drop_repeats(expected, count) : count;
    const size_t size = variant->header_size + kept * element_size;
    assert_int_equal(external.kept, kept);
    assert_int_equal(lseek(output, 0, SEEK_END), size);
    assert_true(pread(output, result, size, 0) == (ssize_t)size);
    assert_memory_equal(result, header, variant->header_size);
    assert_memory_equal(result + variant->header_size, expected, kept * element_size);
    assert_int_equal(external.checksum, checksum(NULL, elements, count));
    close(input);
    close(output);
    free(elements);
    free(expected);
    free(result);
    return external.plan;
}

static void use(size_t key, size_t element)
{
    key_size = key;
    element_size = element;
}

/* -- tests ------------------------------------------------------------------------------------- */

static void every_form(void **state)
{
    static const size_t counts[] = {0, 1, 511, 512, 513, 20000};

    (void)state;
    use(4, 8);
    for (int form = 0; form < FORM_COUNT; form++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            sorts((enum form)form, counts[i], &plain);
}

static void around_borders(void **state)
{
    (void)state;
    use(2, 8);
    const struct external_plan plan = sorts(RANDOM, 30000, &plain);
    const size_t borders[] = {plan.block_elements, plan.run_elements, 2 * plan.run_elements,
                              plan.fan_in * plan.run_elements};

    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++)
        for (size_t count = borders[i] - 1; count <= borders[i] + 1; count++)
            sorts(FEW, count, &plain);
}

static void three_passes(void **state)
{
    (void)state;
    use(1, 4);
    const struct external_plan plan = sorts(RANDOM, 200000, &plain);

    assert_true(plan.passes >= 4);
    assert_true(bytes_moved <= plan.bytes_moved);
    assert_true(sorts(FEW, 200000, &plain).passes >= 4);
}

static void in_order(void **state)
{
    (void)state;
    use(4, 8);
    sorts(EQUAL, 100000, &plain);
    assert_int_equal(bytes_moved, 2 * 100000 * 8); /* one read, one write */
    sorts(SORTED, 100000, &plain);
    assert_int_equal(bytes_moved, 2 * 100000 * 8); /* one read, one write */
}

static void every_size(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 100, 1000, 4095, 4096, 4097, 9000};
    struct variant variant = plain;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        use(1, sizes[i]);
        for (variant.header_size = 0; variant.header_size <= 4096; variant.header_size += 1024)
            sorts(RANDOM, 200000 / (sizes[i] + 10), &variant);
        variant.header_size = 128;
        sorts(STRETCHES, 3000000 / (sizes[i] + 200), &variant);
    }
}

static void every_variant(void **state)
{
    (void)state;
    use(2, 6);
    for (int i = 0; i < 16; i++) {
        const struct variant variant = {.header_size = i & 1 ? 100 : 0,
                                        .is_piped = i & 2,
                                        .is_unique = i & 4,
                                        .folder_count = i & 8 ? 3 : 1,
                                        .memory = MEMORY};

        for (int form = 0; form < FORM_COUNT; form++)
            sorts((enum form)form, 12000, &variant);
    }
}

/* Compressed runs, of which some blocks do not shrink, in up to four passes and three folders */
static void compressed(void **state)
{
    static const size_t sizes[][2] = {{1, 1},   {4, 4},   {8, 8},   {3, 7},
                                      {8, 100}, {2, 300}, {8, 9000}};

    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct variant variant = {.folder_count = i & 1 ? 3 : 1,
                                        .memory = MEMORY,
                                        .compression = i & 2 ? CODEC_ZSTD : CODEC_LZ4,
                                        .is_sampled = i == 0 || i == 3};

        if (!codec_is_available(variant.compression))
            continue;
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            use(sizes[j][0], sizes[j][1]);
            for (int form = 0; form < FORM_COUNT; form++)
                assert_int_equal(
                    sorts((enum form)form, 400000 / (sizes[j][1] + 10), &variant).compression,
                    variant.compression);
        }
        use(8, 8);
        assert_true(sorts(RANDOM, 100000, &variant).passes >= 3);
        assert_int_equal(sorts(RANDOM, 5, &variant).compression, CODEC_NONE);
    }
}

/* The memory that a refusal names suffices, for all sizes. */
static void needed_memory(void **state)
{
    (void)state;
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        for (uint64_t count = 1; count < UINT64_C(1) << 40; count = count * 50 + 3) {
            struct external_request request = {
                .size = size, .count = count, .memory = 1000, .scratch_per_byte = 1.0625};
            struct external_plan plan;
            uint64_t needed;

            if (external_plan_make(&plan, &request, &needed))
                continue;
            request.memory = needed;
            assert_true(external_plan_make(&plan, &request, &needed));
            assert_true(plan.fan_in >= 2 && plan.batch_blocks >= 1 && plan.run_elements > 0);
            assert_true(plan.run_count * plan.run_elements >= count);
            assert_true(plan.bytes_moved >= 2 * count * size);
        }
    }
}

static void groups(void **state)
{
    (void)state;
    for (size_t fan_in = 2; fan_in < 20; fan_in++) {
        for (uint64_t runs = 0; runs < 500; runs++) {
            uint64_t left = runs;
            size_t group;

            while ((group = external_plan_group(fan_in, left)) > 0) {
                assert_in_range(group, 2, fan_in);
                left -= group - 1;
            }
            assert_true(left <= fan_in && (left == fan_in || runs <= fan_in));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),   cmocka_unit_test(around_borders),
        cmocka_unit_test(three_passes), cmocka_unit_test(in_order),
        cmocka_unit_test(every_size),   cmocka_unit_test(every_variant),
        cmocka_unit_test(compressed),   cmocka_unit_test(needed_memory),
        cmocka_unit_test(groups),
    };
    int failed = 0;

    if (access("/dev/shm", W_OK) ==
        0) /* calls take longer on a disk, where the tests of the tool sort */
        failed += chdir("/dev/shm") != 0;
    for (int i = 0; i < 2; i++) {
        setenv("CLSORT_EXTERNAL_IO", i == 0 ? "threads" : "uring", 1);
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
