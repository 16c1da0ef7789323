/* self_test.c - whether kernels, as this driver compiled them, sort right on this device */
#include "plan/self_test.h"

#include "algo/blocks.h"
#include "device/verdicts.h"
#include "host/sort.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 33,    /* enough to be out of order */
    SOME = 2000, /* few enough for one work-group, too many for the shortcuts of few */
    /* Stands for all wide values: they differ in what they are made of only (cls_unit). */
    WIDE = 128,
    EDITION = 2 /* of the trials: with other ones, kept verdicts do not count */
};

/* One sort of a self-test. */
struct trial {
    uint64_t most; /* elements, where the stage's own trial is not less */
    bool in_place;
    bool drops_digit; /* one digit of the keys is constant: the passes go between other buffers */
    bool clusters;    /* many keys are alike but for a few bits: bins and buckets are uneven */
};

static const struct trial TRIALS[] = {
    {UINT64_MAX, false, false, true},
    {UINT64_MAX, true, true, false},
    {SOME, true, false, true},
    {FEW, false, true, false},
};

/* What the trials of a stage share. */
struct test {
    const struct cls_device *device;
    struct cls_choice choice; /* a copy that compares all bits */
    struct cls_shape shape;   /* with the values as the caller sees them */
    uint64_t count;           /* cls_algo.trial, as far as the plan and the device go */
    struct cls_stage stage;
    cl_command_queue queue;
    struct cls_text *finding;
};

/* The arrays of one trial, in one block of memory. */
struct arrays {
    uint64_t count;
    size_t key_bytes, value_bytes; /* of all of them */
    char *keys, *values;           /* given */
    char *sorted_keys, *sorted_values;
    char *found_keys, *found_values;
};

static bool allocate(struct arrays *arrays)
{
    const size_t bytes = arrays->key_bytes + arrays->value_bytes;
    arrays->keys = malloc(3 * bytes);
    if (!arrays->keys)
        return false;
    arrays->values = arrays->keys + arrays->key_bytes;
    arrays->sorted_keys = arrays->keys + bytes;
    arrays->sorted_values = arrays->values + bytes;
    arrays->found_keys = arrays->sorted_keys + bytes;
    arrays->found_values = arrays->sorted_values + bytes;
    return true;
}

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Programs that move values may be others where the order of equal elements is not asked for. */
static bool gives_up_order(const struct cls_shape *shape)
{
    return shape->value_bytes > 0 && !shape->stable;
}

/* A sort that is not stable is right in several ways, unless equal keys are equal in all their bits, and their values
 * too. */
static bool is_stable(const struct test *test)
{
    return test->choice.algo->traits & CLS_STABLE && !gives_up_order(&test->shape);
}

/* No NaN and no zero: numeric order does not tell them all apart. */
static uint64_t distinct(const struct cls_shape *shape, uint64_t key)
{
    const uint64_t infinity = cls_infinity(8 * shape->key_bytes);
    return shape->order == CLS_ORDER_NUMERIC ? (key & ~(infinity & -infinity)) | 1 : key;
}

/* Of a random number two fifths become members of two clusters, which differ in the highest bit. */
static uint64_t clustered(uint64_t random, size_t key_bytes)
{
    const uint64_t free_bits = UINT64_C(1) << (8 * key_bytes - 1) | 7;
    return (random >> 40) % 5 < 2 ? UINT64_C(0x5555555555555555) ^ (random & free_bits) : random;
}

/* In a custom order all keys are zeros: what else is a key only the caller knows. */
static void fill_keys(const struct test *test, const struct trial *trial,
                      const struct arrays *arrays, uint64_t *state)
{
    if (test->shape.order == CLS_ORDER_CUSTOM) {
        memset(arrays->keys, 0, arrays->key_bytes);
        return;
    }
    const size_t bytes = test->shape.key_bytes;
    const uint64_t digit = bytes == 1 ? 0xc0 : (uint64_t)0xff << 8 * (bytes / 2);
    for (size_t i = 0; i < arrays->count; i++) {
        const uint64_t random = next_random(state);
        uint64_t key = trial->clusters ? clustered(random, bytes) : random;
        key &= ~(trial->drops_digit ? digit : 0);
        if (!is_stable(test))
            key = distinct(&test->shape, key);
        const uint32_t u32 = (uint32_t)key;
        const uint16_t u16 = (uint16_t)key;
        const uint8_t u8 = (uint8_t)key;
        memcpy(arrays->keys + i * bytes,
               bytes == 1   ? (const void *)&u8
               : bytes == 2 ? (const void *)&u16
               : bytes == 4 ? (const void *)&u32
                            : (const void *)&key,
               bytes);
    }
}

static void fill_values(const struct test *test, const struct arrays *arrays, uint64_t *state)
{
    const size_t key = test->shape.key_bytes, value = test->shape.value_bytes;
    const bool of_keys = !is_stable(test) && test->shape.order != CLS_ORDER_CUSTOM;
    for (size_t i = 0; value > 0 && i < arrays->count; i++) {
        uint64_t word_of_key = cls_hash(CLS_HASH_START, arrays->keys + i * key, key);
        for (size_t at = 0; at < value; at += sizeof(uint64_t)) {
            const uint64_t word = next_random(of_keys ? &word_of_key : state);
            const size_t left = value - at;
            memcpy(arrays->values + i * value + at, &word, left < sizeof word ? left : sizeof word);
        }
    }
}

/* Of what is merged, the elements of the second input. */
static uint64_t second_of(const struct test *test, const struct arrays *arrays)
{
    return test->shape.operation == CLS_MERGE_SORTED ? arrays->count / 3 : 0;
}

/* Sorts the elements [first, first + count). */
static clsort_status sort_here(const struct test *test, uint64_t first, uint64_t count, char *keys,
                               char *values)
{
    return cls_host_sort(&test->shape, count, keys + first * test->shape.key_bytes,
                         values + first * test->shape.value_bytes);
}

/* The data of one trial, and how it should come out. */
static clsort_status make_data(const struct test *test, const struct trial *trial,
                               struct arrays *arrays)
{
    uint64_t random = arrays->count;
    clsort_status status = CLSORT_OK;
    if (!allocate(arrays))
        return CLSORT_E_MEMORY;
    fill_keys(test, trial, arrays, &random);
    fill_values(test, arrays, &random);
    const uint64_t second = second_of(test, arrays), first = arrays->count - second;
    const bool is_sorted = test->shape.order == CLS_ORDER_CUSTOM;
    if (second > 0 && !is_sorted) {
        status = sort_here(test, 0, first, arrays->keys, arrays->values);
        if (status == CLSORT_OK)
            status = sort_here(test, first, second, arrays->keys, arrays->values);
    }
    memcpy(arrays->sorted_keys, arrays->keys, arrays->key_bytes + arrays->value_bytes);
    if (status == CLSORT_OK && !is_sorted)
        status = sort_here(test, 0, arrays->count, arrays->sorted_keys, arrays->sorted_values);
    return status;
}

static cl_mem make_buffer(const struct test *test, size_t bytes, char *data, cl_int *status)
{
    return *status == CL_SUCCESS && bytes > 0
               ? clCreateBuffer(test->device->context,
                                CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data,
                                status)
               : NULL;
}

static cl_int read_back(const struct test *test, cl_mem buffer, size_t bytes, char *to)
{
    return bytes == 0
               ? CL_SUCCESS
               : clEnqueueReadBuffer(test->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
}

/* Sorts the given arrays on the device into the found ones. */
static cl_int sort_there(const struct test *test, bool in_place, const struct arrays *arrays)
{
    enum { KEYS, VALUES, KEYS_OUT, VALUES_OUT, ALL };
    const size_t bytes[] = {arrays->key_bytes, arrays->value_bytes};
    char *const data[] = {arrays->keys, arrays->values};
    cl_mem buffer[ALL] = {NULL};
    cl_int status = CL_SUCCESS;
    const uint64_t second = second_of(test, arrays), first = arrays->count - second;
    for (size_t i = 0; i < (in_place ? KEYS_OUT : ALL); i++)
        buffer[i] = make_buffer(test, bytes[i % 2], i < KEYS_OUT ? data[i] : NULL, &status);
    const cl_mem keys_out = buffer[in_place ? KEYS : KEYS_OUT];
    const cl_mem values_out = buffer[in_place ? VALUES : VALUES_OUT];
    const struct cls_places places = {
        .count = arrays->count,
        .in_place = in_place,
        .keys_in = {buffer[KEYS], 0},
        .values_in = {buffer[VALUES], 0},
        .keys_out = {keys_out, 0},
        .values_out = {values_out, 0},
        .second_count = second,
        .second_keys = {buffer[KEYS], first * test->shape.key_bytes},
        .second_values = {buffer[VALUES], first * test->shape.value_bytes},
    };
    const clsort_buffer no_scratch = {NULL, 0};
    struct cls_chain chain;
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, test->queue, 0, NULL, false);
    if (status == CL_SUCCESS) {
        status = cls_stage_enqueue(test->device, &test->stage, &places, no_scratch, &chain);
        status = cls_chain_end(&chain, status, NULL);
    }
    if (status == CL_SUCCESS)
        status = read_back(test, keys_out, arrays->key_bytes, arrays->found_keys);
    if (status == CL_SUCCESS)
        status = read_back(test, values_out, arrays->value_bytes, arrays->found_values);
    for (size_t i = 0; i < ALL; i++)
        if (buffer[i])
            clReleaseMemObject(buffer[i]);
    return status;
}

/* The first byte that differs; bytes where none does. */
static size_t first_difference(const char *a, const char *b, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && a[i] == b[i])
        i++;
    return i;
}

/* The same for all orders of the elements. */
static uint64_t sum_of(const struct test *test, const char *keys, const char *values,
                       uint64_t count)
{
    const size_t key = test->shape.key_bytes, value = test->shape.value_bytes;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += cls_hash(cls_hash(CLS_HASH_START, keys + i * key, key), values + i * value, value);
    return sum;
}

/* Whether the caller's order says what is sorted is not for us to judge: nothing may be lost. */
static clsort_status compare_elements(const struct test *test, const struct arrays *arrays)
{
    if (sum_of(test, arrays->found_keys, arrays->found_values, arrays->count) ==
        sum_of(test, arrays->keys, arrays->values, arrays->count))
        return CLSORT_OK;
    cls_text_add(test->finding, "of %llu elements some are wrong",
                 (unsigned long long)arrays->count);
    return CLSORT_E_SELF_TEST;
}

static clsort_status compare(const struct test *test, const struct arrays *arrays)
{
    if (test->shape.order == CLS_ORDER_CUSTOM)
        return compare_elements(test, arrays);
    const size_t key = first_difference(arrays->found_keys, arrays->sorted_keys, arrays->key_bytes);
    const size_t value =
        first_difference(arrays->found_values, arrays->sorted_values, arrays->value_bytes);
    if (key < arrays->key_bytes)
        cls_text_add(test->finding, "key %zu of %llu is wrong", key / test->shape.key_bytes,
                     (unsigned long long)arrays->count);
    else if (value < arrays->value_bytes)
        cls_text_add(test->finding, "value %zu of %llu is wrong", value / test->shape.value_bytes,
                     (unsigned long long)arrays->count);
    else
        return CLSORT_OK;
    return CLSORT_E_SELF_TEST;
}

static clsort_status run(const struct test *test, const struct trial *trial)
{
    const uint64_t count = test->count < trial->most ? test->count : trial->most;
    struct arrays arrays = {.count = count,
                            .key_bytes = count * test->shape.key_bytes,
                            .value_bytes = count * test->shape.value_bytes};
    clsort_status status = make_data(test, trial, &arrays);
    if (status == CLSORT_OK)
        status = sort_there(test, trial->in_place && test->shape.operation == CLS_SORT, &arrays);
    if (status == CLSORT_OK)
        status = compare(test, &arrays);
    free(arrays.keys);
    return status;
}

/* Before the sorts: with wrong ranks those would write anywhere. */
static clsort_status test_blocks(struct cls_device *device, const struct cls_algo *algo,
                                 struct cls_text *finding)
{
    clsort_status status = CLSORT_OK;
    for (int block = 0; block < CLS_BLOCK_COUNT && status == CLSORT_OK; block++) {
        if (!cls_block_is_of((enum cls_block)block, algo))
            continue;
        status = cls_block_test(device, (enum cls_block)block);
        if (status == CLSORT_E_SELF_TEST)
            cls_text_add(finding, "%s is wrong", cls_block_name((enum cls_block)block));
    }
    return status;
}

static clsort_status run_trials(struct test *test)
{
    cl_int status;
    test->queue = clCreateCommandQueue(test->device->context, test->device->id, 0, &status);
    for (size_t i = 0; i < sizeof TRIALS / sizeof *TRIALS && status == CL_SUCCESS; i++)
        status = run(test, &TRIALS[i]);
    if (test->queue)
        clReleaseCommandQueue(test->queue);
    return status;
}

/* A plan for few elements does not wait for the compilation of kernels that only many need; all plans up to
 * the same power of two share their verdict. */
static uint64_t most_of(const struct cls_request *request, const struct cls_choice *choice)
{
    uint64_t most = FEW;
    while (most < request->max_count)
        most *= 2;
    return request->max_count > 0 && most < choice->most_items ? most : choice->most_items;
}

static struct test test_of(const struct cls_device *device, const struct cls_request *request,
                           const struct cls_choice *choice, struct cls_text *finding)
{
    struct test test = {
        .device = device, .choice = *choice, .shape = request->shape, .finding = finding};
    struct cls_shape *shape = &test.shape;
    if (choice->gathers)
        shape->value_bytes = WIDE + cls_unit(shape->value_bytes);
    shape->begin_bit = test.choice.shape.begin_bit = 0;
    shape->end_bit = test.choice.shape.end_bit = 8 * shape->key_bytes;
    const uint64_t held =
        device->caps.max_alloc /
        (shape->value_bytes > shape->key_bytes ? shape->value_bytes : shape->key_bytes);
    const uint64_t plan = most_of(request, choice), most = held < plan ? held : plan;
    test.count = choice->algo->trial(&test.choice.tuning);
    if (test.count > most)
        test.count = most > 0 ? most : 1;
    return test;
}

/* All that a stage's programs depend on, and how many elements they are tested with. */
static void add_subject(const struct test *test, struct cls_text *subject)
{
    const struct cls_shape *shape = &test->choice.shape;
    const struct cls_tuning *tuning = &test->choice.tuning;
    cls_text_add(
        subject,
        "%d %s %x key %u order %d value %zu index %u%s: %u %u %u %u %u %u %u %u, %llu elements",
        EDITION, test->choice.algo->name, cls_algo_bit(test->choice.algo), shape->key_bytes,
        (int)shape->order, test->shape.value_bytes, shape->index_bits,
        gives_up_order(shape) ? " unstable" : "", tuning->group_size, tuning->items, tuning->bits,
        tuning->direct, tuning->units, tuning->job_size, tuning->job_items, tuning->settle_size,
        (unsigned long long)test->count);
    if (shape->operation == CLS_MERGE_SORTED)
        cls_text_add(subject, ", merged");
    if (shape->order == CLS_ORDER_CUSTOM)
        cls_text_add(subject, ", order %016llx",
                     (unsigned long long)cls_custom_hash(&shape->custom));
}

enum cls_recall cls_self_test_recall(struct cls_device *device, const struct cls_request *request,
                                     const struct cls_choice *choice, struct cls_text *finding)
{
    char line[256];
    struct cls_text subject = CLS_TEXT(line);
    const struct test test = test_of(device, request, choice, finding);
    add_subject(&test, &subject);
    return !cls_verdict_find(device, line, finding) ? CLS_UNTESTED
           : finding->length > 0                    ? CLS_FAILED
                                                    : CLS_PASSED;
}

clsort_status cls_self_test(struct cls_device *device, const struct cls_request *request,
                            const struct cls_stage *stage, struct cls_text *finding)
{
    char line[256];
    struct cls_text subject = CLS_TEXT(line);
    struct test test = test_of(device, request, &stage->choice, finding);
    test.stage = *stage;
    test.stage.choice = test.choice;
    test.stage.gather.value_bytes = test.shape.value_bytes;
    clsort_status status = test_blocks(device, stage->choice.algo, finding);
    if (status == CLSORT_OK)
        status = run_trials(&test);
    add_subject(&test, &subject);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep(device, line, finding->at);
    return status;
}
