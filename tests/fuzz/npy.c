/* npy.c - fuzz target: the header of a .npy file; an accepted header describes an array that fits in memory, and can
 * be written as an array of one dimension and parsed again */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* These checks precede npy_parse in the tool. */
    if (!npy_is_magic(data, size) || size < NPY_PREFIX_SIZE)
        return 0;
    const size_t header_size = npy_header_size(data);
    if (header_size < NPY_PREFIX_SIZE || header_size > size)
        return 0;
    struct npy_array array;
    char reason[NPY_REASON_SIZE] = "";
    if (!parse(data, header_size, &array, reason)) {
        require(strncmp(reason, ".npy ", 5) == 0 && strlen(reason) < sizeof reason - 1);
        for (const char *c = reason; *c; c++)
            require(*c >= ' ' && *c <= '~');
        return 0;
    }
    check_array(&array);

    char header[NPY_HEADER_SIZE];
    struct npy_array again;
    npy_flatten(&array);
    npy_format(header, &array);
    require(npy_is_magic(header, sizeof header));
    require(npy_header_size(header) == sizeof header);
    require(parse(header, sizeof header, &again, reason));
    check_array(&again);
    require(again.type == array.type && again.count == array.count);
    require(again.is_swapped == array.is_swapped && again.is_time == array.is_time);
    require(!again.is_fortran && again.dimensions == 1 && again.shape[0] == array.count);
    require(strcmp(again.descr, array.descr) == 0);
    return 0;
}
