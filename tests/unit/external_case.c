/* external_case.c - one case of an external sort, compared with a sort in memory */
#include "external_case.h"

#include "bits.h"
#include "linux.h"
#include "resume.h"

#include "unit.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_INPUTS = 50 };

const struct variant plain = {.folder_count = 1, .memory = MEMORY};

/* Elements begin with a number, by which they are ordered, and end with their index if they are longer than it. */
static size_t key_size, element_size;

/* Orders that a device evaluates can fail. */
static atomic_uint disorders_until_failure; /* 0: none */
static atomic_bool has_order_failed;

static bool has_failed(const void *context)
{
    (void)context;
    return has_order_failed;
}

static int compare(const void *context, const void *a, const void *b)
{
    const uint64_t x = bits_load(a, key_size), y = bits_load(b, key_size);

    (void)context;
    if (has_order_failed)
        return -1;
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

static unsigned sorts_until_failure; /* 0: none */
static bool is_forming;              /* the first pass */
size_t formed_elements;

static bool sort(void *context, void *elements, size_t count)
{
    if (has_order_failed || (sorts_until_failure > 0 && --sorts_until_failure == 0))
        return false;
    if (is_forming)
        formed_elements += count;
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

    if (disorders_until_failure > 0 && atomic_fetch_sub(&disorders_until_failure, 1) == 1)
        has_order_failed = true;
    for (size_t i = 1; i < count && !has_order_failed; i++)
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

static uint64_t sum_up(const unsigned char *elements, size_t size, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t hash = 1;

        for (size_t j = 0; j < size; j++)
            hash = bits_mix(hash + elements[i * size + j]);
        sum += hash;
    }
    return sum;
}

static uint64_t checksum(const void *context, const void *elements, size_t count)
{
    (void)context;
    return sum_up(elements, element_size, count);
}

/* The file has the complement of each byte, so that a missing conversion is noticed. */
static void complement(const void *context, void *elements, size_t count)
{
    unsigned char *bytes = elements;

    (void)context;
    for (size_t i = 0; i < count * element_size; i++)
        bytes[i] = (unsigned char)~bytes[i];
}

/* Elements of files whose indexes are sorted: only the number at the beginning of an element, in another form. */
enum { INDEX_SIZE = 4 };

static size_t input_size;

static uint64_t sum_input(const void *context, const void *elements, size_t count)
{
    (void)context;
    return sum_up(elements, input_size, count);
}

static void shorten(unsigned char *elements, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < input_size; j++)
            elements[i * input_size + j] = (unsigned char)~elements[i * element_size + j];
}

static void append_indexes(const void *context, void *to, void *from, size_t count, uint64_t first)
{
    unsigned char *out = to;
    const unsigned char *in = from;

    (void)context;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < input_size; j++)
            *out++ = (unsigned char)~*in++;
        for (size_t j = 0; j < INDEX_SIZE; j++)
            *out++ = (unsigned char)((first + i) >> 8 * j);
    }
}

static size_t take_indexes(const void *context, void *elements, size_t count)
{
    unsigned char *bytes = elements;

    (void)context;
    for (size_t i = 0; i < count; i++)
        memmove(bytes + i * INDEX_SIZE, bytes + i * element_size + key_size, INDEX_SIZE);
    return count * INDEX_SIZE;
}

static void keep(const void *context, void *elements, size_t count)
{
    (void)context;
    (void)elements;
    (void)count;
}

uint64_t bytes_moved;

static void add_progress(uint64_t bytes)
{
    bytes_moved += bytes;
}

static uint64_t expected_moves; /* bytes until the end, as the last phase has announced */
size_t phases_begun;

static void begin_phase(const struct phase *phase, uint64_t rest)
{
    assert_non_null(phase->name);
    assert_true(phase->pass <= phase->pass_count);
    expected_moves = bytes_moved + rest;
    is_forming = strcmp(phase->name, "forming runs") == 0;
    phases_begun++;
}

/* Checks the report of a sort that has moved bytes_moved bytes, all of which the header and the elements are. */
static void check_report(const struct external_report *report, const struct external_plan *plan,
                         bool is_unique)
{
    uint64_t read = 0, written = 0;

    if (strcmp(report->io, "threads") != 0) /* they take over where there is no io_uring */
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
    assert_true(read >= plan->count * plan->input_size);
    assert_true(is_unique || plan->compression != CODEC_NONE || read + written >= bytes_moved);
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

        /* The index of the element, and bytes that cannot be compressed */
        for (size_t j = 0; j < element_size - key_size; j++)
            element[key_size + j] = (unsigned char)(j < 4 ? i >> 8 * j : bits_mix(i + j));
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
        const size_t count = (size_t)inputs[i].count, size = count * input_size;

        if (variant->source == MERGED_FILES)
            sort(NULL, elements, count);
        if (order->expand == NULL)
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

/* The temporary files have taken what the plan says, and up to a block for each of several folders. This is not so on
 * disks, where file systems also keep blocks of their own for a file. */
static void check_space(const struct external *external)
{
    const struct external_plan *plan = &external->plan;
    const uint64_t blocks = external->folder_count > 1 ? external->folder_count : 0;

    assert_true(external->report.temporary_bytes <=
                plan->disk + plan->merge_disk + blocks * plan->block_size);
}

unsigned attempts;

/* Sorts in several attempts. Returns whether the last one succeeds. */
static bool sort_in_attempts(struct external *external)
{
    char folder[32];
    bool done = false, has_continued = false;

    snprintf(folder, sizeof folder, "external-%ld", (long)getpid());
    formed_elements = 0;
    for (attempts = 0; !done && attempts < 1000; attempts++) {
        struct resume resume;

        assert_true(resume_open(&resume, folder));
        assert_true(resume_set_options(&resume, strdup("type test\norder test\n")));
        assert_true(resume_set_inputs(&resume, external->inputs, external->input_count));
        assert_true(!has_continued || resume.is_continued);
        has_continued = resume.is_continued;
        if (has_continued)
            assert_int_equal(resume.manifest.plan.memory, external->request.memory);
        external->resume = external->plan.disk > 0 ? &resume : NULL;
        assert_int_equal(ftruncate(external->output, 0), 0);
        bytes_moved = phases_begun = 0;
        sorts_until_failure = attempts + 2;
        disorders_until_failure = attempts % 2 == 1 ? attempts + 1 : 0;
        done = external_sort(external) && !has_order_failed;
        has_order_failed = false;
        if (done)
            assert_true(resume_remove(&resume));
        resume_close(&resume);
    }
    sorts_until_failure = 0;
    disorders_until_failure = 0;
    external->resume = NULL;
    assert_int_not_equal(access(folder, F_OK), 0);
    return done;
}

bool is_refused;

struct external_plan sorts(enum form form, size_t count, const struct variant *variant)
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
    const bool is_indexed = variant->is_indexed;
    struct external_order order = {.size = element_size,
                                   .sort = sort_rows,
                                   .compare = compare,
                                   .disorder = find_disorder,
                                   .has_failed = variant->is_interrupted ? has_failed : NULL,
                                   .suspect = "",
                                   .filter = filter,
                                   .checksum = checksum,
                                   .decode = complement,
                                   .encode = complement};
    struct external_request request = {.size = element_size,
                                       .count = count,
                                       .memory = variant->memory,
                                       .scratch_per_byte = 1,
                                       .compression = variant->compression,
                                       .is_kept = variant->is_interrupted,
                                       .selection = *selection,
                                       .row_elements = variant->row_elements,
                                       .row_kept = variant->row_elements,
                                       .input_size = is_indexed ? key_size : 0,
                                       .output_size = is_indexed ? INDEX_SIZE : 0};
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
        .is_sampled = variant->is_sampled,
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
    input_size = is_indexed ? key_size : element_size;
    if (is_indexed) {
        order.decode = order.encode = keep;
        order.expand = append_indexes;
        order.input_size = input_size;
        order.input_checksum = sum_input;
        order.extract = take_indexes;
        shorten(elements, count);
    }
    write_inputs(&order, variant, elements, inputs, files);
    if (variant->source == STREAM) {
        make_stream(&external, elements, count * input_size);
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
    changed_size = count * input_size;
    is_refused =
        !(variant->is_interrupted ? sort_in_attempts(&external) : external_sort(&external));
    const size_t kept = is_unique             ? drop_repeats(expected, count)
                        : selection->is_given ? (size_t)selection->count
                                              : count;
    order.encode(NULL, expected, count);
    const size_t output_size = is_indexed ? INDEX_SIZE : element_size;
    const size_t size = variant->header_size + kept * output_size;
    if (is_indexed)
        take_indexes(NULL, expected, count);
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
                            expected + selection->first * output_size, kept * output_size);
        if (external.is_verified)
            assert_int_equal(external.checksum, sum_input(NULL, elements, count));
        if (variant->source != STREAM && linux_is_in_memory(output))
            check_space(&external);
        if (!variant->is_interrupted &&
            (variant->source == ONE_FILE || variant->source == SEVERAL_FILES))
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

void use(size_t key, size_t element)
{
    key_size = key;
    element_size = element;
}
