/* self_test.c - whether kernels, as this driver compiled them, sort right on this device */
#include "plan/self_test.h"

#include "algo/common/programs.h"
#include "algo/primitives/primitives.h"
#include "device/verdicts.h"
#include "host/sort.h"
#include "plan/operation.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 33,    /* enough to be out of order */
    SOME = 2000, /* few enough for one work-group, too many for the shortcuts of few */
    /* Stands for all wide values: they differ in what they are made of only (cls_unit). */
    WIDE = 128,
    EDITION = 3 /* of the trials: with other ones, kept verdicts do not count */
};

/* One sort of a self-test. */
struct trial {
    uint64_t max; /* elements, where the stage's own trial is not less */
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
    struct cls_spec spec;     /* with the values as the caller sees them */
    uint64_t count;           /* cls_algo.self_test_count, as far as the plan and the device go */
    struct cls_stage stage;
    cl_command_queue queue;
    struct cls_text *finding;
};

/* The arrays of one trial, in one block of memory. */
struct data {
    uint64_t count;
    size_t key_bytes, value_bytes; /* of all of them */
    char *keys, *values;           /* given */
    char *sorted_keys, *sorted_values;
    char *found_keys, *found_values;
};

static bool allocate(struct data *data)
{
    const size_t bytes = data->key_bytes + data->value_bytes;
    data->keys = malloc(3 * bytes);
    if (!data->keys)
        return false;
    data->values = data->keys + data->key_bytes;
    data->sorted_keys = data->keys + bytes;
    data->sorted_values = data->values + bytes;
    data->found_keys = data->sorted_keys + bytes;
    data->found_values = data->sorted_values + bytes;
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
static bool gives_up_order(const struct cls_spec *spec)
{
    return spec->value_bytes > 0 && !spec->stable;
}

/* A sort that is not stable is right in several ways, unless equal keys are equal in all their bits, and their values
 * too. */
static bool is_stable(const struct test *test)
{
    return test->choice.algo->traits & CLS_STABLE && !gives_up_order(&test->spec);
}

/* No NaN and no zero: numeric order does not tell them all apart. */
static uint64_t distinct(const struct cls_spec *spec, uint64_t key)
{
    const uint64_t infinity = cls_infinity(8 * spec->key_bytes);
    return spec->order == CLS_ORDER_NUMERIC ? (key & ~(infinity & -infinity)) | 1 : key;
}

/* Of a random number two fifths become members of two clusters, which differ in the highest bit. */
static uint64_t clustered(uint64_t random, size_t key_bytes)
{
    const uint64_t free_bits = UINT64_C(1) << (8 * key_bytes - 1) | 7;
    return (random >> 40) % 5 < 2 ? UINT64_C(0x5555555555555555) ^ (random & free_bits) : random;
}

/* In a custom order all keys are zeros: what else is a key only the caller knows. */
static void fill_keys(const struct test *test, const struct trial *trial, const struct data *data,
                      uint64_t *state)
{
    if (test->spec.order == CLS_ORDER_CUSTOM) {
        memset(data->keys, 0, data->key_bytes);
        return;
    }
    const size_t bytes = test->spec.key_bytes;
    const uint64_t digit = bytes == 1 ? 0xc0 : (uint64_t)0xff << 8 * (bytes / 2);
    for (size_t i = 0; i < data->count; i++) {
        const uint64_t random = next_random(state);
        uint64_t key = trial->clusters ? clustered(random, bytes) : random;
        key &= ~(trial->drops_digit ? digit : 0);
        if (!is_stable(test))
            key = distinct(&test->spec, key);
        const uint32_t u32 = (uint32_t)key;
        const uint16_t u16 = (uint16_t)key;
        const uint8_t u8 = (uint8_t)key;
        memcpy(data->keys + i * bytes,
               bytes == 1   ? (const void *)&u8
               : bytes == 2 ? (const void *)&u16
               : bytes == 4 ? (const void *)&u32
                            : (const void *)&key,
               bytes);
    }
}

static void fill_values(const struct test *test, const struct data *data, uint64_t *state)
{
    const size_t key = test->spec.key_bytes, value = test->spec.value_bytes;
    const bool of_keys = !is_stable(test) && test->spec.order != CLS_ORDER_CUSTOM;
    for (size_t i = 0; value > 0 && i < data->count; i++) {
        uint64_t word_of_key = cls_hash(CLS_HASH_START, data->keys + i * key, key);
        for (size_t at = 0; at < value; at += sizeof(uint64_t)) {
            const uint64_t word = next_random(of_keys ? &word_of_key : state);
            const size_t left = value - at;
            memcpy(data->values + i * value + at, &word, left < sizeof word ? left : sizeof word);
        }
    }
}

static uint64_t second_of(const struct test *test, const struct data *data)
{
    return cls_operation_of(&test->spec)->second_count(data->count);
}

/* The data of one trial, and the expected result. Keys of a custom order, all zeros, are in order as they are. */
static clsort_status make_data(const struct test *test, const struct trial *trial,
                               struct data *data)
{
    const struct cls_operation_info *operation = cls_operation_of(&test->spec);
    const bool is_sorted = test->spec.order == CLS_ORDER_CUSTOM;
    uint64_t random = data->count;
    clsort_status status = CLSORT_OK;
    if (!allocate(data))
        return CLSORT_E_MEMORY;
    fill_keys(test, trial, data, &random);
    fill_values(test, data, &random);
    if (!is_sorted)
        status = operation->make_input(&test->spec, data->count, data->keys, data->values);
    memcpy(data->sorted_keys, data->keys, data->key_bytes + data->value_bytes);
    if (status == CLSORT_OK && !is_sorted)
        status = operation->make_output(&test->spec, data->count, data->sorted_keys,
                                        data->sorted_values);
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
static cl_int sort_there(const struct test *test, bool in_place, const struct data *data)
{
    enum { KEYS, VALUES, KEYS_OUT, VALUES_OUT, ALL };
    const size_t bytes[] = {data->key_bytes, data->value_bytes};
    char *const given[] = {data->keys, data->values};
    cl_mem buffer[ALL] = {NULL};
    cl_int status = CL_SUCCESS;
    const uint64_t second = second_of(test, data), first = data->count - second;
    for (size_t i = 0; i < (in_place ? KEYS_OUT : ALL); i++)
        buffer[i] = make_buffer(test, bytes[i % 2], i < KEYS_OUT ? given[i] : NULL, &status);
    const cl_mem keys_out = buffer[in_place ? KEYS : KEYS_OUT];
    const cl_mem values_out = buffer[in_place ? VALUES : VALUES_OUT];
    const struct cls_arrays arrays = {
        .count = data->count,
        .in_place = in_place,
        .keys_in = {buffer[KEYS], 0},
        .values_in = {buffer[VALUES], 0},
        .keys_out = {keys_out, 0},
        .values_out = {values_out, 0},
        .second_count = second,
        .second_keys = {buffer[KEYS], first * test->spec.key_bytes},
        .second_values = {buffer[VALUES], first * test->spec.value_bytes},
    };
    const struct cls_layout layout = cls_stage_layout(&test->stage, data->count);
    const clsort_buffer no_scratch = {NULL, 0};
    struct cls_chain chain;
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, test->queue, 0, NULL, false);
    if (status == CL_SUCCESS) {
        status =
            cls_stage_enqueue(test->device, &test->stage, &layout, &arrays, no_scratch, &chain);
        status = cls_chain_end(&chain, status, NULL);
    }
    if (status == CL_SUCCESS)
        status = read_back(test, keys_out, data->key_bytes, data->found_keys);
    if (status == CL_SUCCESS)
        status = read_back(test, values_out, data->value_bytes, data->found_values);
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
    const size_t key = test->spec.key_bytes, value = test->spec.value_bytes;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += cls_hash(cls_hash(CLS_HASH_START, keys + i * key, key), values + i * value, value);
    return sum;
}

/* Whether the caller's order says what is sorted is not for us to judge: nothing may be lost. */
static clsort_status compare_elements(const struct test *test, const struct data *data)
{
    if (sum_of(test, data->found_keys, data->found_values, data->count) ==
        sum_of(test, data->keys, data->values, data->count))
        return CLSORT_OK;
    cls_text_add(test->finding, "of %llu elements some are wrong", (unsigned long long)data->count);
    return CLSORT_E_SELF_TEST;
}

static clsort_status compare(const struct test *test, const struct data *data)
{
    if (test->spec.order == CLS_ORDER_CUSTOM)
        return compare_elements(test, data);
    const size_t key = first_difference(data->found_keys, data->sorted_keys, data->key_bytes);
    const size_t value =
        first_difference(data->found_values, data->sorted_values, data->value_bytes);
    if (key < data->key_bytes)
        cls_text_add(test->finding, "key %zu of %llu is wrong", key / test->spec.key_bytes,
                     (unsigned long long)data->count);
    else if (value < data->value_bytes)
        cls_text_add(test->finding, "value %zu of %llu is wrong", value / test->spec.value_bytes,
                     (unsigned long long)data->count);
    else
        return CLSORT_OK;
    return CLSORT_E_SELF_TEST;
}

static clsort_status run(const struct test *test, const struct trial *trial)
{
    const uint64_t count = test->count < trial->max ? test->count : trial->max;
    struct data data = {.count = count,
                        .key_bytes = count * test->spec.key_bytes,
                        .value_bytes = count * test->spec.value_bytes};
    clsort_status status = make_data(test, trial, &data);
    if (status == CLSORT_OK)
        status =
            sort_there(test, trial->in_place && cls_operation_of(&test->spec)->in_place, &data);
    if (status == CLSORT_OK)
        status = compare(test, &data);
    free(data.keys);
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
    return request->max_count > 0 && most < choice->max_count ? most : choice->max_count;
}

static struct test test_of(const struct cls_device *device, const struct cls_request *request,
                           const struct cls_choice *choice, struct cls_text *finding)
{
    struct test test = {
        .device = device, .choice = *choice, .spec = request->spec, .finding = finding};
    struct cls_spec *spec = &test.spec;
    if (choice->gathers)
        spec->value_bytes = WIDE + cls_unit(spec->value_bytes);
    spec->begin_bit = test.choice.spec.begin_bit = 0;
    spec->end_bit = test.choice.spec.end_bit = 8 * spec->key_bytes;
    const uint64_t held =
        device->caps.max_alloc /
        (spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes);
    const uint64_t plan = most_of(request, choice), most = held < plan ? held : plan;
    test.count = choice->algo->self_test_count(&test.choice.tuning);
    if (test.count > most)
        test.count = most > 0 ? most : 1;
    return test;
}

/* What a verdict depends on: the programs, the trials, and how many elements they sort. */
static void add_subject(const struct test *test, struct cls_text *subject)
{
    struct cls_program_spec programs[CLS_MAX_STAGE_PROGRAMS];
    const struct cls_spec *spec = &test->choice.spec;
    const size_t count =
        cls_stage_programs(&test->device->caps, &test->choice, test->spec.value_bytes, programs);
    uint64_t hash = CLS_HASH_START;
    for (size_t i = 0; i < count; i++)
        hash = cls_program_hash(hash, &programs[i]);
    if (spec->order == CLS_ORDER_CUSTOM)
        hash = cls_hash_number(hash, cls_custom_hash(&spec->custom));
    cls_text_add(subject, "%d %s, programs %016llx, operation %d%s, %llu elements", EDITION,
                 test->choice.algo->name, (unsigned long long)hash, (int)spec->operation,
                 gives_up_order(spec) ? ", unstable" : "", (unsigned long long)test->count);
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
    test.stage.gather.value_bytes = test.spec.value_bytes;
    clsort_status status = test_blocks(device, stage->choice.algo, finding);
    if (status == CLSORT_OK)
        status = run_trials(&test);
    add_subject(&test, &subject);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep(device, line, finding->at);
    return status;
}
