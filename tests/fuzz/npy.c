/* npy.c - fuzz target: the header of a .npy file; an accepted header can be written and parsed again */
#include "npy.h"

#include "fuzz.h"

#include <string.h>

/* Parses a copy of exactly the size of the header, so that AddressSanitizer detects reads behind it. */
static const char *parse(const void *header, size_t size, const struct data_type **type,
                         uint64_t *count)
{
    void *copy = malloc(size);
    require(copy);
    memcpy(copy, header, size);
    const char *reason = npy_parse(copy, size, type, count);
    free(copy);
    return reason;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* These checks precede npy_parse in the tool. */
    if (!npy_is_magic(data, size) || size < NPY_PREFIX_SIZE)
        return 0;
    const size_t header_size = npy_header_size(data);
    if (header_size < NPY_PREFIX_SIZE || header_size > size)
        return 0;
    const struct data_type *type = NULL;
    uint64_t count = 0;
    const char *reason = parse(data, header_size, &type, &count);
    if (reason) {
        require(strncmp(reason, ".npy ", 5) == 0);
        return 0;
    }
    require(type && data_type_find(type->name) == type);

    char again[NPY_HEADER_SIZE];
    const struct data_type *type_again = NULL;
    uint64_t count_again = 0;
    npy_format(again, type, count);
    require(npy_is_magic(again, sizeof again));
    require(npy_header_size(again) == sizeof again);
    require(parse(again, sizeof again, &type_again, &count_again) == NULL);
    require(type_again == type && count_again == count);
    return 0;
}
