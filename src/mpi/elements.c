/* elements.c - what is sorted: a descriptor that libclsort has checked, and the arrays of a rank */
#include "mpi/elements.h"

#include "base/error.h"
#include "base/key_spec.h"
#include "base/versioned.h"

clsort_status cls_library_failed(clsort_status status)
{
    char text[CLS_ERROR_BYTES];
    return clsort_last_error(NULL, sizeof text, text, NULL) == CLSORT_OK
               ? cls_fail(status, "%s", text)
               : status;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? cls_hash(hash, text, strlen(text) + 1) : cls_hash_number(hash, 0);
}

static uint64_t hash_of(const clsort_desc *desc)
{
    const uint64_t numbers[] = {desc->key,       desc->flags,    desc->value_size,
                                desc->begin_bit, desc->end_bit,  desc->key_size,
                                desc->operation, desc->segments, desc->record_size};
    uint64_t hash = cls_hash(CLS_HASH_START, numbers, sizeof numbers);
    hash = hash_text(hash, desc->key_type);
    hash = hash_text(hash, desc->less);
    hash = hash_text(hash, desc->prelude);
    for (size_t i = 0; i < desc->column_count; i++) {
        const clsort_column *column = &desc->columns[i];
        const uint64_t members[] = {column->key, column->flags, column->key_size, column->offset};
        hash = cls_hash(hash, members, sizeof members);
    }
    return hash;
}

clsort_status cls_elements_read(const clsort_desc *desc, clsort_engine *engine,
                                struct cls_mpi_elements *elements)
{
    clsort_desc *own = &elements->desc;
    if (!desc)
        return cls_fail(CLSORT_E_ARGUMENT, "desc is NULL");
    clsort_status status =
        cls_versioned_copy(desc, own, sizeof *own, "clsort_desc", "CLSORT_DESC_INIT");
    if (status != CLSORT_OK)
        return status;
    own->struct_size = sizeof *own;
    if (own->operation == CLSORT_ARGSORT)
        return cls_fail(
            CLSORT_E_OPERATION,
            "clsort_desc.operation is CLSORT_ARGSORT: indexes are those of one rank; sort with "
            "values that have the index in the input of all ranks");
    status = clsort_host(engine, NULL, own, 0, NULL, NULL); /* checks the descriptor */
    if (status != CLSORT_OK)
        return cls_library_failed(status);
    elements->has_numbers =
        own->record_size == 0 && cls_key_spec(own->key, own->flags, &elements->spec);
    if (elements->has_numbers) {
        elements->spec.begin_bit = own->begin_bit;
        elements->spec.end_bit = own->end_bit > 0 ? own->end_bit : 8 * elements->spec.key_bytes;
    }
    elements->key_bytes = elements->has_numbers  ? elements->spec.key_bytes
                          : own->record_size > 0 ? own->record_size
                                                 : own->key_size;
    elements->value_bytes = own->value_size;
    elements->hash = hash_of(own);
    return CLSORT_OK;
}

void cls_arrays_copy(const struct cls_mpi_elements *elements, struct cls_mpi_arrays from,
                     struct cls_mpi_arrays to, uint64_t count)
{
    if (count == 0)
        return;
    memcpy(to.keys, from.keys, count * elements->key_bytes);
    if (elements->value_bytes > 0)
        memcpy(to.values, from.values, count * elements->value_bytes);
}

clsort_status cls_arrays_check(const struct cls_mpi_elements *elements, uint64_t count,
                               const void *keys, const void *values, const char *keys_name,
                               const char *values_name)
{
    const uint64_t max = SIZE_MAX / 256; /* so that sums of sizes fit in size_t */
    if (elements->value_bytes == 0 && values)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is not NULL, but clsort_desc.value_size is 0",
                        values_name);
    if (count > max / elements->key_bytes ||
        (elements->value_bytes > 0 && count > max / elements->value_bytes))
        return cls_fail(CLSORT_E_COUNT, "%llu elements exceed the address space",
                        (unsigned long long)count);
    if (count > 0 && !keys)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", keys_name);
    if (count > 0 && elements->value_bytes > 0 && !values)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL, but clsort_desc.value_size is %zu",
                        values_name, elements->value_bytes);
    return CLSORT_OK;
}
