/* external.c - the engine of external sorts, compared with sorts in memory: sizes around blocks and runs, several
 * passes, ties, stretches in order, records of every size, several inputs, merges, streams, both ways of output */
#include "external.h"

#include "bits.h"

#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_KEY = 8, MEMORY = 160 << 10, MAX_INPUTS = 50 };

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

/* A sort that changes the file `input`, if sorts_until_change is 1. */
static unsigned sorts_until_change;
static int changed_file;
static size_t changed_size;

/* Overwrites the file by elements of other values, the same ones in each part of it. */
static void change_file(void)
{
    unsigned char part[3000];

    for (size_t at = 0; at < changed_size; at += sizeof part) {
        memset(part, (int)bits_mix(at), sizeof part);
        assert_true(pwrite(changed_file, part, sizeof part, (off_t)at) == sizeof part);
    }
}

static bool sort(void *context, void *elements, size_t count)
{
    unsigned char *copy = malloc(count * element_size + 1);

    if (sorts_until_change > 0 && --sorts_until_change == 0)
        change_file();

    assert_non_null(copy);
    sort_range(copy, elements, count);
    free(copy);
    return context == NULL;
}

/* 0: the elements are one row */
static size_t row_length;

static bool sort_rows(void *context, void *elements, size_t count)
{
    const size_t length = row_length > 0 ? row_length : count;
    bool done = true;

    for (size_t at = 0; at < count; at += length)
        done = sort(context, (unsigned char *)elements + at * element_size, length) && done;
    return done;
}

static size_t find_disorder(const void *context, const void *elements, size_t count)
{
    const unsigned char *bytes = elements;

    for (size_t i = 1; i < count; i++)
        if ((row_length == 0 || i % row_length != 0) &&
            compare(context, bytes + (i - 1) * element_size, bytes + i * element_size) > 0)
            return i;
    return count;
}

static size_t filter(const void *context, void *to, const void *elements, size_t count,
                     const void *limit, bool is_from_end)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const unsigned char *element = (const unsigned char *)elements + i * element_size;

        if ((compare(context, element, limit) < 0) != is_from_end)
            memcpy((unsigned char *)to + kept++ * element_size, element, element_size);
    }
    return kept;
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

static uint64_t bytes_moved;

static void add_progress(uint64_t bytes)
{
    bytes_moved += bytes;
}

static uint64_t expected_moves; /* bytes until the end, as the last phase has announced */
static size_t phases_begun;

static void begin_phase(const struct phase *phase, uint64_t rest)
{
    assert_non_null(phase->name);
    assert_true(phase->pass <= phase->pass_count);
    expected_moves = bytes_moved + rest;
    phases_begun++;
}

/* Checks the report of a sort that has moved bytes_moved bytes, all of which the header and the elements are. */
static void check_report(const struct external_report *report, const struct external_plan *plan,
                         bool is_unique)
{
    uint64_t read = 0, written = 0;

    assert_string_equal(report->io, getenv("CLSORT_EXTERNAL_IO"));
    assert_int_equal(report->phase_count, phases_begun);
    for (size_t i = 0; i < report->phase_count; i++) {
        const struct phase *phase = &report->phase[i];

        assert_true(phase->wait_s >= 0 && phase->wait_s <= phase->seconds);
        assert_int_equal(phase->pass, i);
        assert_int_equal(phase->pass_count, i == 0 ? 0 : report->phase_count - 1);
        read += phase->read_bytes;
        written += phase->written_bytes;
    }
    assert_int_equal(report->passes, report->phase_count);
    if (plan->count > 0)
        assert_true(report->passes <= plan->passes && report->runs <= plan->run_count);
    assert_true(read >= plan->count * plan->size);
    assert_true(is_unique || read + written >= bytes_moved);
    if (report->passes == 1)
        return;
    assert_int_equal(bytes_moved, expected_moves);
    assert_true(report->runs >= 1);
    assert_true(report->temporary_bytes >= plan->block_size);
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

/* How the engine gets the elements. */
enum source { ONE_FILE, SEVERAL_FILES, MERGED_FILES, STREAM, SOURCE_COUNT };

struct variant {
    enum source source;
    size_t header_size;
    bool is_piped;
    bool is_unique;
    size_t folder_count;
    uint64_t memory;
    unsigned change_at; /* the sort in memory during which the input is overwritten; 0: none */
    bool is_unverified;
    struct external_selection selection;
    size_t row_elements;
};

static const struct variant plain = {.folder_count = 1, .memory = MEMORY};

/* Divides the elements into files, some of which are empty. */
static size_t divide(enum source source, size_t count, struct external_input inputs[MAX_INPUTS])
{
    const size_t files =
        source == SEVERAL_FILES || source == MERGED_FILES ? count % MAX_INPUTS + 1 : 1;
    size_t left = count;

    for (size_t i = 0; i < files; i++) {
        const size_t part = bits_mix(count + i) % 3 == 0 ? 0 : left / (1 + bits_mix(i) % 4);

        inputs[i] = (struct external_input){.name = "input", .fd = new_file()};
        inputs[i].count = i + 1 == files ? left : part;
        left -= inputs[i].count;
    }
    return files;
}

/* Writes the elements, each file behind a header. Those of files that are merged are sorted. */
static void write_inputs(const struct external_order *order, const struct variant *variant,
                         unsigned char *elements, struct external_input *inputs, size_t files)
{
    static const char header[5000];

    for (size_t i = 0; i < files; i++) {
        const size_t count = (size_t)inputs[i].count, size = count * element_size;

        if (variant->source == MERGED_FILES)
            sort(NULL, elements, count);
        order->decode(NULL, elements, count);
        inputs[i].offset = variant->header_size;
        assert_true(write(inputs[i].fd, header, variant->header_size) ==
                    (ssize_t)variant->header_size);
        assert_true(write(inputs[i].fd, elements, size) == (ssize_t)size);
        elements += size;
    }
}

/* Lets the engine read the file as a stream, whose first half it gets in memory. */
static void make_stream(struct external *external, const unsigned char *elements, size_t size)
{
    external->is_stream = true;
    external->prefix = elements;
    external->prefix_size = size / 2;
    lseek(external->inputs[0].fd, (off_t)(external->inputs[0].offset + size / 2), SEEK_SET);
}

static bool is_refused;

/* Sorts elements externally and in memory, and compares every byte; only the sizes if the input changes meanwhile,
 * after which the sort may also fail (is_refused). Returns the plan. */
static struct external_plan sorts(enum form form, size_t count, const struct variant *variant)
{
    static const char *const folders[] = {".", "./", ".."};
    static const char header[5000] = "header";
    unsigned char *elements = make_elements(form, count);
    unsigned char *expected = malloc(count * element_size + 1);
    unsigned char *result = malloc(count * element_size + sizeof header + 1);
    int output = new_file();
    uint64_t needed;
    struct external_input inputs[MAX_INPUTS];
    const size_t files = divide(variant->source, count, inputs);
    const bool is_unique = variant->is_unique;
    const struct external_selection *selection = &variant->selection;
    const struct external_order order = {.size = element_size,
                                         .sort = sort_rows,
                                         .compare = compare,
                                         .disorder = find_disorder,
                                         .filter = filter,
                                         .checksum = checksum,
                                         .decode = complement,
                                         .encode = complement};
    struct external_request request = {.size = element_size,
                                       .count = count,
                                       .memory = variant->memory,
                                       .scratch_per_byte = 1,
                                       .selection = *selection,
                                       .row_elements = variant->row_elements};
    struct external external = {
        .order = &order,
        .inputs = inputs,
        .input_count = files,
        .output_name = "output",
        .output_folder = ".",
        .output = variant->is_piped ? -1 : output,
        .write = write_all,
        .context = &output,
        .header = header,
        .header_size = variant->header_size,
        .folders = folders,
        .folder_count = variant->folder_count,
        .is_verified = !variant->is_unverified,
        .is_summed = !variant->is_unverified,
        .is_unique = is_unique,
        .progress = add_progress,
        .begin_phase = begin_phase,
    };

    assert_non_null(expected);
    assert_non_null(result);
    memcpy(expected, elements, count * element_size);
    row_length = variant->row_elements;
    sort_rows(NULL, expected, count);
    write_inputs(&order, variant, elements, inputs, files);
    if (variant->source == STREAM) {
        make_stream(&external, elements, count * element_size);
        request.count = 64 * variant->memory / element_size;
    }
    for (size_t i = 0; i < files && variant->source == MERGED_FILES; i++)
        request.inputs += inputs[i].count > 0;
    if (!external_plan_make(&external.plan, &request, &needed)) {
        request.memory = needed;
        assert_true(external_plan_make(&external.plan, &request, &needed));
    }
    bytes_moved = 0;
    external.request = request;
    phases_begun = 0;
    sorts_until_change = variant->change_at;
    changed_file = inputs[0].fd;
    changed_size = count * element_size;
    is_refused = !external_sort(&external);
    const size_t kept = is_unique             ? drop_repeats(expected, count)
                        : selection->is_given ? (size_t)selection->count
                                              : count;
    order.encode(NULL, expected, count);
    const size_t size = variant->header_size + kept * element_size;
    if (!is_refused) {
        assert_int_equal(external.count, count);
        assert_int_equal(external.kept, kept);
        assert_int_equal(lseek(output, 0, SEEK_END), size);
    }
    if (variant->change_at == 0) {
        assert_false(is_refused);
        assert_true(pread(output, result, size, 0) == (ssize_t)size);
        assert_memory_equal(result, header, variant->header_size);
        assert_memory_equal(result + variant->header_size,
                            expected + selection->first * element_size, kept * element_size);
        if (external.is_verified)
            assert_int_equal(external.checksum, checksum(NULL, elements, count));
        if (variant->source == ONE_FILE || variant->source == SEVERAL_FILES)
            check_report(&external.report, &external.plan, is_unique);
    }
    for (size_t i = 0; i < files; i++)
        close(inputs[i].fd);
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
    assert_int_equal(phases_begun, plan.passes);
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
    assert_int_equal(phases_begun, 1);
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
    for (int i = 0; i < 16 * SOURCE_COUNT; i++) {
        const struct variant variant = {.source = (enum source)(i / 16),
                                        .header_size = i & 1 ? 100 : 0,
                                        .is_piped = i & 2,
                                        .is_unique = i & 4,
                                        .folder_count = i & 8 ? 3 : 1,
                                        .memory = MEMORY};

        for (int form = 0; form < FORM_COUNT; form++)
            sorts((enum form)form, 12000, &variant);
    }
}

/* Sizes of files around blocks and runs, and several passes. */
static void every_source(void **state)
{
    static const size_t counts[] = {0, 1, 511, 512, 513, 9000, 20017, 90049};
    struct variant variant = plain;

    (void)state;
    use(1, 4);
    for (int source = 0; source < SOURCE_COUNT; source++) {
        variant.source = (enum source)source;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            sorts(RANDOM, counts[i], &variant);
            sorts(SORTED, counts[i], &variant);
        }
    }
    variant.source = STREAM;
    const size_t run = sorts(FEW, 20000, &variant).run_elements;
    for (size_t count = run - 1; count <= run + 1; count++)
        sorts(FEW, count, &variant);
}

/* An input that is overwritten during the sort leads to an error, or to an output of the right size. */
static void changed_input(void **state)
{
    struct variant variant = plain;
    unsigned refused[2] = {0};

    (void)state;
    use(2, 6);
    for (variant.change_at = 1; variant.change_at < 30; variant.change_at++) {
        for (int i = 0; i < 2; i++) {
            variant.is_unverified = i == 1;
            sorts(STRETCHES, 60000, &variant);
            refused[i] += is_refused;
        }
    }
    assert_true(refused[0] > 0 && refused[1] > 0);
}

/* Selects from 30000 elements, of which some are equal and differ in their indexes. Returns the plan. */
static struct external_plan selects(enum form form, struct variant variant, uint64_t first,
                                    uint64_t count)
{
    enum { COUNT = 30000 };
    const bool is_from_end = variant.source != STREAM && COUNT - first < first + count;

    variant.memory = 400 << 10; /* so that 6000 elements are selected in one read */
    variant.selection = (struct external_selection){true, first, count, is_from_end};
    return sorts(form, COUNT, &variant);
}

static void selections(void **state)
{
    static const uint64_t ks[] = {0, 1, 300, 14999, 27000, 29999, 30000};
    struct variant variant = plain;

    (void)state;
    use(4, 8);
    for (int i = 0; i < 2; i++) {
        variant.source = i == 0 ? STREAM : ONE_FILE;
        variant.is_piped = i == 0;
        variant.header_size = i == 0 ? 0 : 128;
        for (int form = 0; form <= REVERSED; form++) {
            for (size_t j = 0; j < sizeof ks / sizeof ks[0]; j++) {
                selects((enum form)form, variant, 0, ks[j]);
                if (ks[j] < 30000)
                    selects((enum form)form, variant, ks[j], 1);
            }
        }
    }
}

/* Elements from the middle need the whole sort, others one read. */
static void selection_passes(void **state)
{
    (void)state;
    use(4, 8);
    assert_int_equal(selects(RANDOM, plain, 0, 500).passes, 1);
    assert_int_equal(bytes_moved, (30000 + 500) * 8);
    assert_int_equal(selects(FEW, plain, 29500, 1).passes, 1);
    assert_int_equal(bytes_moved, (30000 + 1) * 8);
    assert_true(selects(FEW, plain, 15000, 1).passes > 1);
}

static void rows(void **state)
{
    static const size_t lengths[] = {1, 3, 500, 1500};
    struct variant variant = plain;

    (void)state;
    use(4, 8);
    for (int i = 0; i < 4; i++) {
        variant.is_piped = i & 1;
        variant.header_size = i & 2 ? 80 : 0;
        for (size_t j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
            variant.row_elements = lengths[j];
            for (int form = 0; form < FORM_COUNT; form++)
                assert_int_equal(sorts((enum form)form, 30000, &variant).passes, 1);
            assert_int_equal(bytes_moved, 2 * 30000 * 8 + variant.header_size);
        }
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
        cmocka_unit_test(every_form),    cmocka_unit_test(around_borders),
        cmocka_unit_test(three_passes),  cmocka_unit_test(in_order),
        cmocka_unit_test(every_size),    cmocka_unit_test(every_variant),
        cmocka_unit_test(every_source),  cmocka_unit_test(selections),
        cmocka_unit_test(changed_input), cmocka_unit_test(selection_passes),
        cmocka_unit_test(rows),          cmocka_unit_test(needed_memory),
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
