/* npy.c - fuzz target: the header of a .npy file; an accepted header describes an array that fits in memory, and can
 * be written and parsed again, also with another type and with one dimension */
#include "npy.h"

#include "fuzz.h"

#include <string.h>

/* Parses a copy of exactly the size of the header, so that AddressSanitizer detects reads behind it. */
static bool parse(const void *header, size_t size, struct npy_array *array,
                  char reason[NPY_REASON_SIZE])
{
    void *copy = malloc(size);
    require(copy);
    memcpy(copy, header, size);
    const bool valid = npy_parse(copy, size, array, reason);
    free(copy);
    return valid;
}

static void check_array(const struct npy_array *array)
{
    require(array->type && data_type_find(array->type->name) == array->type);
    require(memchr(array->descr, 0, sizeof array->descr));
    require(!array->is_swapped || array->type->size > 1);
    require(!array->is_time || array->type->key == CLSORT_I64);
    require(array->dimensions <= NPY_MAX_DIMENSIONS);
    require(array->count <= INT64_MAX / array->type->size);
    uint64_t quotient = array->count;
    for (unsigned d = 0; d < array->dimensions; d++) {
        require(array->count > 0 ? array->shape[d] > 0 && quotient % array->shape[d] == 0 : true);
        if (array->count > 0)
            quotient /= array->shape[d];
    }
    require(array->count == 0 || quotient == 1);
}

/* Formats a header and parses it again. */
static void check_format(const struct npy_array *array)
{
    char header[NPY_MAX_HEADER_SIZE], reason[NPY_REASON_SIZE];
    struct npy_array again;
    const size_t size = npy_format(header, array);
    require(size <= sizeof header && size % 64 == 0);
    require(npy_is_magic(header, size) && npy_header_size(header) == size);
    require(parse(header, size, &again, reason));
    check_array(&again);
    require(again.type == array->type && again.count == array->count);
    require(again.is_swapped == array->is_swapped && again.is_time == array->is_time);
    require(again.is_fortran == array->is_fortran && again.dimensions == array->dimensions);
    for (unsigned d = 0; d < array->dimensions; d++)
        require(again.shape[d] == array->shape[d]);
    require(strcmp(again.descr, array->descr) == 0);
}

/* Parses the header of records, all of whose fields must be in the record and in the header. */
static void check_records(const uint8_t *data, size_t size)
{
    static struct npy_records records;
    char header[NPY_MAX_HEADER_SIZE], reason[NPY_REASON_SIZE];
    struct npy_array array;
    if (!npy_parse_records(data, size, &array, &records, reason) || !array.list)
        return;
    require(array.type == &records.type && records.count <= NPY_MAX_FIELDS);
    require(array.count <= INT64_MAX / records.type.size);
    for (size_t i = 0; i < records.count; i++) {
        const struct npy_field *field = &records.field[i];
        require(field->size > 0 && field->size <= records.type.size &&
                field->offset <= records.type.size - field->size);
        require(!field->type || field->type->size == field->size);
        require((const uint8_t *)field->name >= data &&
                (const uint8_t *)field->name + field->name_length <= data + size);
    }
    const size_t written = npy_format(header, &array);
    require(npy_parse_records(header, written, &array, &records, reason) && array.list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* These checks precede npy_parse in the tool. */
    if (!npy_is_magic(data, size) || size < NPY_PREFIX_SIZE)
        return 0;
    const size_t header_size = npy_header_size(data);
    if (header_size < NPY_PREFIX_SIZE || header_size > size)
        return 0;
    check_records(data, header_size);
    struct npy_array array;
    char reason[NPY_REASON_SIZE] = "";
    if (!parse(data, header_size, &array, reason)) {
        require(strncmp(reason, ".npy ", 5) == 0 && strlen(reason) < sizeof reason - 1);
        for (const char *c = reason; *c; c++)
            require(*c >= ' ' && *c <= '~');
        return 0;
    }
    check_array(&array);

    check_format(&array);
    npy_set_type(&array,
                 data_type_of(CLSORT_U8)); /* u8 arrays of every shape have less than 2^63 bytes */
    check_format(&array);
    npy_flatten(&array);
    require(!array.is_fortran && array.dimensions == 1 && array.shape[0] == array.count);
    check_format(&array);
    return 0;
}
