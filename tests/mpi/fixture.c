/* fixture.c - sorts over MPI ranks for tests: each rank makes the whole input, and knows what its output must be */
#include "fixture.h"

#include "bits.h"
#include "custom_order.h"
#include "env.h"
#include "reference.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct env env;
static size_t checks;

/* -- programs -------------------------------------------------------------------------------------- */

void check_condition(bool condition, const char *text, const char *file, int line,
                     const char *format, ...)
{
    int rank = 0;
    checks++;
    if (condition)
        return;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s:%d: rank %d: %s: not %s\n", file, line, rank, message, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void check_failure(clsort_status found, clsort_status expected, const char *text)
{
    char sentence[1024] = "";
    clsort_mpi_last_error(sizeof sentence, sentence, NULL);
    check(found == expected, "%s instead of %s: %s", clsort_status_string(found),
          clsort_status_string(expected), sentence);
    check(strstr(sentence, text) != NULL, "\"%s\" lacks \"%s\"", sentence, text);
}

void ranks_open(struct ranks *ranks, int argc, char **argv)
{
    clsort_mpi_options options = CLSORT_MPI_OPTIONS_INIT;
    int provided;
    *ranks = (struct ranks){.rank = 0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->size);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "device") != 0) {
            options.max_message_bytes = strtoul(argv[i], NULL, 10);
            continue;
        }
        check(env_open(&env) == CLSORT_OK, "no device");
        ranks->engine = env.engine;
        ranks->context = env.context;
        ranks->queue = env.queue;
    }
    const clsort_status status =
        clsort_mpi_create(MPI_COMM_WORLD, ranks->engine, &options, &ranks->mpi);
    check_failure(status, CLSORT_OK, "");
}

int ranks_close(struct ranks *ranks)
{
    clsort_mpi_destroy(ranks->mpi);
    if (ranks->engine)
        env_close(&env);
    if (ranks->rank == 0)
        printf("%zu checks on each of %d ranks\n", checks, ranks->size);
    MPI_Finalize();
    return checks > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* -- sorts ----------------------------------------------------------------------------------------- */

static uint8_t *allocate(size_t bytes)
{
    uint8_t *const block = malloc(bytes > 0 ? bytes : 1);
    check(block != NULL, "out of memory");
    return block;
}

/* Returns memory for a sort, with values of which those of 8 bytes and more are distinct. */
static struct whole make(size_t count, size_t key_bytes, size_t value_bytes)
{
    struct whole whole = {.desc = CLSORT_DESC_INIT,
                          .count = count,
                          .key_bytes = key_bytes,
                          .value_bytes = value_bytes,
                          .keys = allocate(count * key_bytes),
                          .values = allocate(count * value_bytes),
                          .sorted_keys = allocate(count * key_bytes),
                          .sorted_values = allocate(count * value_bytes)};
    whole.desc.value_size = value_bytes;
    for (size_t i = 0; i < count && value_bytes > 0; i++)
        reference_value(i, value_bytes, whole.values + i * value_bytes);
    return whole;
}

struct whole whole_of_keys(clsort_key key, uint32_t flags, enum data_dist dist, size_t count,
                           size_t value_bytes)
{
    const struct data_type *type = data_type_of(key);
    struct whole whole = make(count, type->size, value_bytes);
    whole.desc.key = key;
    whole.desc.flags = flags;
    check(data_fill(type, dist, count + key, whole.keys, count), "unknown distribution");
    return whole;
}

struct whole whole_of_records(size_t count, bool are_byte_strings)
{
    static const clsort_column columns[] = {{CLSORT_U16, CLSORT_DESCENDING, 0, 3},
                                            {CLSORT_BYTES, 0, 5, 8}};
    struct whole whole = make(count, 21, 0);
    uint64_t random = count;
    for (size_t i = 0; i < count * whole.key_bytes; i++) { /* many fields are equal */
        const uint64_t bits = bits_mix(random += BITS_GAMMA);
        whole.keys[i] = bits % 8 == 0 ? (uint8_t)(bits >> 8) : 0;
    }
    if (are_byte_strings) {
        whole.desc.key = CLSORT_BYTES;
        whole.desc.key_size = whole.key_bytes;
        return whole;
    }
    whole.desc.columns = columns;
    whole.desc.column_count = 2;
    whole.desc.record_size = whole.key_bytes;
    return whole;
}

struct whole whole_of_order(const struct custom_order *order, size_t count, size_t value_bytes)
{
    struct whole whole = make(count, order->key_size, value_bytes);
    custom_order_fill(order, count, whole.keys, count);
    whole.desc.key = CLSORT_CUSTOM;
    whole.desc.key_size = order->key_size;
    whole.desc.prelude = order->prelude;
    whole.desc.key_type = order->key_type;
    whole.desc.less = order->less;
    return whole;
}

/* Sorts by the relation in C. */
static void sort_by_order(struct whole *whole)
{
    size_t *const order = calloc(whole->count + 1, sizeof *order);
    const struct custom_order *custom = custom_orders;
    while (strcmp(custom->less, whole->desc.less) != 0)
        custom++;
    check(order && custom_order_sort(custom, whole->keys, whole->count, order), "out of memory");
    for (size_t i = 0; i < whole->count; i++) {
        memcpy(whole->sorted_keys + i * whole->key_bytes, whole->keys + order[i] * whole->key_bytes,
               whole->key_bytes);
        memcpy(whole->sorted_values + i * whole->value_bytes,
               whole->values + order[i] * whole->value_bytes, whole->value_bytes);
    }
    free(order);
}

void whole_sort(struct whole *whole)
{
    if (whole->desc.key == CLSORT_CUSTOM) {
        sort_by_order(whole);
        return;
    }
    clsort_desc desc = whole->desc;
    desc.algorithm = NULL;
    memcpy(whole->sorted_keys, whole->keys, whole->count * whole->key_bytes);
    memcpy(whole->sorted_values, whole->values, whole->count * whole->value_bytes);
    check(clsort_host(NULL, NULL, &desc, whole->count, whole->sorted_keys,
                      whole->value_bytes > 0 ? whole->sorted_values : NULL) == CLSORT_OK,
          "clsort_host fails");
}

void whole_free(struct whole *whole)
{
    free(whole->keys);
    free(whole->values);
    free(whole->sorted_keys);
    free(whole->sorted_values);
}

/* -- parts ----------------------------------------------------------------------------------------- */

size_t division_first(enum division division, size_t count, int rank, int size)
{
    const size_t at = (size_t)rank, parts = (size_t)size;
    if (rank == size)
        return count;
    switch (division) {
    case RANDOMLY: /* ascending, since each is in a range of its own */
        return rank == 0 ? 0 : (1000 * at + (size_t)(bits_mix(at) % 1000)) * count / (1000 * parts);
    case ALL_ON_FIRST:
        return rank == 0 ? 0 : count;
    case ALL_ON_LAST:
        return 0;
    case EVERY_OTHER: /* the odd ones have none */
        return count / parts * (rank % 2 == 0 ? at : at + 1 < parts ? at + 1 : parts);
    default: /* as clsort_mpi_balanced_count divides them */
        return count / parts * at + (at < count % parts ? at : count % parts);
    }
}

static struct part make_part(const struct ranks *ranks, const struct whole *whole,
                             enum division how)
{
    const size_t first = division_first(how, whole->count, ranks->rank, ranks->size);
    const size_t end = division_first(how, whole->count, ranks->rank + 1, ranks->size);
    return (struct part){
        .first = first,
        .count = end - first,
        .keys = allocate((end - first) * whole->key_bytes),
        .values = whole->value_bytes > 0 ? allocate((end - first) * whole->value_bytes) : NULL};
}

struct part part_of_input(const struct ranks *ranks, const struct whole *whole, enum division how)
{
    const struct part part = make_part(ranks, whole, how);
    memcpy(part.keys, whole->keys + part.first * whole->key_bytes, part.count * whole->key_bytes);
    if (part.values)
        memcpy(part.values, whole->values + part.first * whole->value_bytes,
               part.count * whole->value_bytes);
    return part;
}

struct part part_of_output(const struct ranks *ranks, const struct whole *whole, enum division how)
{
    const struct part part = make_part(ranks, whole, how);
    memset(part.keys, 0xa5, part.count * whole->key_bytes);
    if (part.values)
        memset(part.values, 0xa5, part.count * whole->value_bytes);
    return part;
}

void part_free(struct part part)
{
    free(part.keys);
    free(part.values);
}

void part_check(const struct ranks *ranks, const struct whole *whole, struct part out,
                const char *name)
{
    check(memcmp(out.keys, whole->sorted_keys + out.first * whole->key_bytes,
                 out.count * whole->key_bytes) == 0,
          "%s: keys of %zu elements on %d ranks", name, whole->count, ranks->size);
    check(!out.values || memcmp(out.values, whole->sorted_values + out.first * whole->value_bytes,
                                out.count * whole->value_bytes) == 0,
          "%s: values of %zu elements on %d ranks", name, whole->count, ranks->size);
}

void sort_divided(const struct ranks *ranks, const struct whole *whole, enum division in,
                  enum division out, const char *name)
{
    const struct part from = part_of_input(ranks, whole, in);
    const struct part to = part_of_output(ranks, whole, out);
    const clsort_status status = clsort_mpi_host(ranks->mpi, &whole->desc, from.count, from.keys,
                                                 from.values, to.count, to.keys, to.values);
    check_failure(status, CLSORT_OK, "");
    part_check(ranks, whole, to, name);
    check(memcmp(from.keys, whole->keys + from.first * whole->key_bytes,
                 from.count * whole->key_bytes) == 0,
          "%s: the input has changed", name);
    part_free(from);
    part_free(to);
}
