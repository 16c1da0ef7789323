/* self_test_data.c - input, expected output and actual output of one sort of the self-test */
#include "plan/self_test_data.h"

#include "base/hash.h"
#include "base/index.h"
#include "plan/operation.h"

#include <stdlib.h>
#include <string.h>

static bool allocate(struct cls_test_data *data)
{
    const size_t bytes = data->key_bytes + data->value_bytes;
    data->keys = malloc(3 * bytes + 2 * data->index_bytes);
    if (!data->keys)
        return false;
    data->values = data->keys + data->key_bytes;
    data->expected_keys = data->keys + bytes;
    data->expected_values = data->values + bytes;
    data->found_keys = data->expected_keys + bytes;
    data->found_values = data->expected_values + bytes;
    data->expected_indexes = data->found_keys + bytes;
    data->found_indexes = data->expected_indexes + data->index_bytes;
    return true;
}

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In numeric order, returns a key that is neither NaN nor zero: some of these keys are equal. */
static uint64_t distinct(const struct cls_spec *spec, uint64_t key)
{
    const uint64_t infinity = cls_infinity(8 * spec->key_bytes);
    return spec->order == CLS_ORDER_NUMERIC ? (key & ~(infinity & -infinity)) | 1 : key;
}

/* Moves two fifths of the random keys to two clusters, which differ in the highest bit. */
static uint64_t clustered(uint64_t random, size_t key_bytes)
{
    const uint64_t free_bits = UINT64_C(1) << (8 * key_bytes - 1) | 7;
    return (random >> 40) % 5 < 2 ? UINT64_C(0x5555555555555555) ^ (random & free_bits) : random;
}

/* Gives most of the random keys one of a few values. */
static uint64_t mostly_one_of_few(uint64_t random)
{
    enum { FEW = 16, OTHERS = 32 }; /* one of OTHERS keys stays */
    uint64_t state = (random >> 40) % FEW;
    return (random >> 48) % OTHERS == 0 ? random : next_random(&state);
}

static void store_key(uint64_t key, size_t bytes, char *at)
{
    const uint32_t u32 = (uint32_t)key;
    const uint16_t u16 = (uint16_t)key;
    const uint8_t u8 = (uint8_t)key;
    memcpy(at,
           bytes == 1   ? (const void *)&u8
           : bytes == 2 ? (const void *)&u16
           : bytes == 4 ? (const void *)&u32
                        : (const void *)&key,
           bytes);
}

static void fill_keys(const struct cls_test_data *data, const struct cls_test_pattern *pattern,
                      uint64_t *state)
{
    const struct cls_spec *spec = data->spec;
    if (spec->order == CLS_ORDER_CUSTOM) {
        memset(data->keys, 0, data->key_bytes);
        return;
    }
    const size_t bytes = spec->key_bytes;
    const uint64_t digit = bytes == 1 ? 0xc0 : (uint64_t)0xff << 8 * (bytes / 2);
    for (size_t i = 0; i < data->count; i++) {
        const uint64_t random = next_random(state);
        uint64_t key = pattern->clusters   ? clustered(random, bytes)
                       : pattern->few_keys ? mostly_one_of_few(random)
                                           : random;
        key &= ~(pattern->constant_digit ? digit : 0);
        if (pattern->has_one_result)
            key = distinct(spec, key);
        store_key(key, bytes, data->keys + i * bytes);
    }
}

/* Fills the values with random bytes. If there is one result, they are a function of the key. */
static void fill_values(const struct cls_test_data *data, const struct cls_test_pattern *pattern,
                        uint64_t *state)
{
    const size_t key = data->spec->key_bytes, value = data->spec->value_bytes;
    const bool of_keys = pattern->has_one_result && data->spec->order != CLS_ORDER_CUSTOM;
    for (size_t i = 0; value > 0 && i < data->count; i++) {
        uint64_t key_state = cls_hash(CLS_HASH_START, data->keys + i * key, key);
        for (size_t at = 0; at < value; at += sizeof(uint64_t)) {
            const uint64_t word = next_random(of_keys ? &key_state : state);
            const size_t left = value - at;
            memcpy(data->values + i * value + at, &word, left < sizeof word ? left : sizeof word);
        }
    }
}

/* Makes the expected outputs of an operation that keeps some elements in the order of the input. */
static void keep_elements(struct cls_test_data *data)
{
    const struct cls_spec *spec = data->spec;
    const struct cls_operation_info *operation = cls_operation_of(spec);
    const size_t key = spec->key_bytes, value = spec->value_bytes, index = spec->index_bytes;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < data->count; i++) {
        if (!operation->is_kept(spec, data->keys, i))
            continue;
        memcpy(data->expected_keys + kept * key, data->keys + i * key, key);
        memcpy(data->expected_values + kept * value, data->values + i * value, value);
        cls_store_index(i, index, data->expected_indexes + kept * index);
        kept++;
    }
    data->out_count = kept;
}

clsort_status cls_test_data_create(const struct cls_spec *spec, uint64_t count,
                                   const struct cls_test_pattern *pattern,
                                   struct cls_test_data *data)
{
    const struct cls_operation_info *operation = cls_operation_of(spec);
    const bool is_sorted = spec->order == CLS_ORDER_CUSTOM; /* all keys are equal */
    uint64_t random = count;
    clsort_status status = CLSORT_OK;
    *data = (struct cls_test_data){.spec = spec,
                                   .count = count,
                                   .out_count = count,
                                   .any_tie = pattern->has_one_result,
                                   .key_bytes = count * spec->key_bytes,
                                   .value_bytes = count * spec->value_bytes,
                                   .index_bytes = count * spec->index_bytes};
    if (!allocate(data))
        return CLSORT_E_MEMORY;
    fill_keys(data, pattern, &random);
    fill_values(data, pattern, &random);
    if (!is_sorted && operation->make_input)
        status = operation->make_input(spec, count, data->keys, data->values);
    memcpy(data->expected_keys, data->keys, data->key_bytes + data->value_bytes);
    if (status == CLSORT_OK && operation->is_kept)
        keep_elements(data);
    else if (status == CLSORT_OK && !is_sorted && operation->make_output)
        status = operation->make_output(spec, count, data->expected_keys, data->expected_values);
    return status;
}

void cls_test_data_destroy(struct cls_test_data *data)
{
    free(data->keys);
}

/* Returns the offset of the first byte that differs, or `bytes` if all are equal. */
static size_t first_difference(const char *a, const char *b, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && a[i] == b[i])
        i++;
    return i;
}

/* Returns a checksum that does not depend on the order of the elements. */
static uint64_t checksum(const struct cls_test_data *data, const char *keys, const char *values)
{
    const size_t key = data->spec->key_bytes, value = data->spec->value_bytes;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < data->count; i++)
        sum += cls_hash(cls_hash(CLS_HASH_START, keys + i * key, key), values + i * value, value);
    return sum;
}

/* Checks that no element is lost or damaged. The host cannot check a custom order. */
static clsort_status compare_elements(const struct cls_test_data *data, struct cls_text *finding)
{
    if (checksum(data, data->found_keys, data->found_values) ==
        checksum(data, data->keys, data->values))
        return CLSORT_OK;
    cls_text_add(finding, "at least one of %llu elements is wrong",
                 (unsigned long long)data->count);
    return CLSORT_E_SELF_TEST;
}

/* Compares the elements of an output, of `bytes` bytes each. Appends the finding if they differ. */
static bool are_equal(const struct cls_test_data *data, const char *name, const char *found,
                      const char *expected, size_t bytes, struct cls_text *finding)
{
    const size_t size = data->out_count * bytes, at = first_difference(found, expected, size);
    if (at < size)
        cls_text_add(finding, "%s %zu of %llu is wrong", name, at / bytes,
                     (unsigned long long)data->out_count);
    return at == size;
}

static clsort_status compare_keys(const struct cls_test_data *data, struct cls_text *finding)
{
    return are_equal(data, "key", data->found_keys, data->expected_keys, data->spec->key_bytes,
                     finding)
               ? CLSORT_OK
               : CLSORT_E_SELF_TEST;
}

/* Checks that the values are a permutation of the indexes, and that it yields the expected keys.
 * Any order of equal keys passes. */
static clsort_status compare_permutation(const struct cls_test_data *data, struct cls_text *finding)
{
    const size_t key = data->spec->key_bytes, value = data->spec->value_bytes;
    bool *is_used = calloc(data->count, sizeof *is_used);
    clsort_status status = is_used ? CLSORT_OK : CLSORT_E_MEMORY;
    for (uint64_t i = 0; i < data->count && status == CLSORT_OK; i++) {
        const uint64_t index = cls_load_index(data->found_values + i * value, value);
        if (index >= data->count || is_used[index] ||
            memcmp(data->keys + index * key, data->expected_keys + i * key, key) != 0) {
            cls_text_add(finding, "index %llu of %llu is wrong", (unsigned long long)i,
                         (unsigned long long)data->count);
            status = CLSORT_E_SELF_TEST;
        } else
            is_used[index] = true;
    }
    free(is_used);
    return status;
}

clsort_status cls_test_data_compare(const struct cls_test_data *data, struct cls_text *finding)
{
    if (data->spec->value_is_index && (data->spec->order == CLS_ORDER_CUSTOM || data->any_tie)) {
        const clsort_status status = compare_permutation(data, finding);
        return status == CLSORT_OK ? compare_keys(data, finding) : status;
    }
    if (data->spec->order == CLS_ORDER_CUSTOM && !cls_operation_of(data->spec)->is_kept)
        return compare_elements(data, finding);
    const clsort_status status = compare_keys(data, finding);
    if (status != CLSORT_OK)
        return status;
    return are_equal(data, "value", data->found_values, data->expected_values,
                     data->spec->value_bytes, finding) &&
                   are_equal(data, "index", data->found_indexes, data->expected_indexes,
                             data->spec->index_bytes, finding)
               ? CLSORT_OK
               : CLSORT_E_SELF_TEST;
}
