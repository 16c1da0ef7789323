/* custom_order.c - custom orders: invalid descriptors, messages of compilers, texts, caches, host arrays:
 * custom_order [included_files|others]
 *
 * The argument selects the test `included_files`, or all others. */
#include "check.h"
#include "env.h"
#include "folder.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };

/* Returns a descriptor of u32 keys in the order `less`. */
static clsort_desc order_by(const char *less)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = sizeof(uint32_t);
    desc.key_type = "uint";
    desc.less = less;
    desc.max_count = COUNT;
    return desc;
}

static void refuse(const struct env *env, const clsort_desc *desc, clsort_status expected)
{
    clsort_plan *plan = (clsort_plan *)(uintptr_t)env; /* anything but NULL */
    assert_status(clsort_plan_create(env->engine, desc, &plan), expected);
    assert_null(plan);
}

/* Writes the keys 0 ... count - 1 in an order that is neither ascending nor descending. */
static void scatter(uint32_t *keys, uint32_t count)
{
    /* 7919 is a prime that divides none of the counts. */
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint32_t)((uint64_t)i * 7919 % count);
}

/* Sorts by a plan on the device. Returns whether the keys are in ascending order, or in descending order if !up. */
static bool plan_sorts(const struct env *env, clsort_plan *plan, bool up)
{
    uint32_t keys[COUNT];
    clsort_io io = CLSORT_IO_INIT;
    cl_int status;
    scatter(keys, COUNT);
    io.count = COUNT;
    io.keys.mem = clCreateBuffer(env->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 sizeof keys, keys, &status);
    assert_ok(status);
    assert_ok(clsort_enqueue(plan, env->queue, &io, 0, NULL, NULL));
    assert_ok(
        clEnqueueReadBuffer(env->queue, io.keys.mem, CL_TRUE, 0, sizeof keys, keys, 0, NULL, NULL));
    clReleaseMemObject(io.keys.mem);
    for (uint32_t i = 0; i < COUNT; i++)
        if (keys[i] != (up ? i : COUNT - 1 - i))
            return false;
    return true;
}

static bool order_sorts(const struct env *env, const clsort_desc *desc, bool up)
{
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(env->engine, desc, &plan));
    const bool right = plan_sorts(env, plan, up);
    clsort_plan_destroy(plan);
    return right;
}

/* -- descriptors -------------------------------------------------------------------------------------- */

static void incomplete_orders(void **state)
{
    const struct env *env = *state;
    static const struct {
        size_t key_size;
        const char *key_type, *less;
    } rows[] = {
        {0, "uint", "a < b"},  {4, NULL, "a < b"},          {4, "", "a < b"},
        {4, " \t\n", "a < b"}, {4, "uint", NULL},           {4, "uint", ""},
        {4, "uint", "\r\n "},  {1u << 30, "uint", "a < b"}, {SIZE_MAX, "uint", "a < b"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = order_by(rows[i].less);
        desc.key_size = rows[i].key_size;
        desc.key_type = rows[i].key_type;
        refuse(env, &desc, CLSORT_E_ORDER);
    }
}

/* Flags and bit ranges, which belong to built-in orders, are refused. */
static void fields_of_built_in_orders(void **state)
{
    const struct env *env = *state;
    static const struct {
        uint32_t flags, begin_bit, end_bit;
        clsort_status expected;
    } rows[] = {
        {CLSORT_DESCENDING, 0, 0, CLSORT_E_FLAGS},
        {CLSORT_FLOAT_NUMERIC, 0, 0, CLSORT_E_FLAGS},
        {0x10, 0, 0, CLSORT_E_FLAGS},
        {0, 1, 0, CLSORT_E_BITS},
        {0, 0, 32, CLSORT_E_BITS},
        {0, 0, 1, CLSORT_E_BITS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = order_by("a < b");
        desc.flags = rows[i].flags;
        desc.begin_bit = rows[i].begin_bit;
        desc.end_bit = rows[i].end_bit;
        refuse(env, &desc, rows[i].expected);
    }
}

static void fields_of_custom_orders(void **state)
{
    const struct env *env = *state;
    for (int field = 0; field < 4; field++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key_size = field == 0 ? 4 : 0;
        desc.key_type = field == 1 ? "uint" : NULL;
        desc.less = field == 2 ? "a < b" : NULL;
        desc.prelude = field == 3 ? "" : NULL;
        refuse(env, &desc, CLSORT_E_ORDER);
    }
}

/* With CLSORT_NO_SCRATCH an algorithm either is refused or needs no scratch for any count. */
static void without_scratch(void **state)
{
    const struct env *env = *state;
    static const char *const refusing[] = {"radix", "merge"};
    size_t refused = 0;
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        for (size_t value_size = 0; value_size <= 24; value_size += 4 * value_size + 4) {
            clsort_desc desc = CLSORT_DESC_INIT;
            clsort_plan *plan = NULL;
            desc.flags = CLSORT_NO_SCRATCH | CLSORT_UNSTABLE;
            desc.max_count = COUNT;
            desc.value_size = value_size;
            desc.algorithm = clsort_algorithm_name(i);
            const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
            for (size_t r = 0; r < sizeof refusing / sizeof *refusing; r++)
                if (strcmp(desc.algorithm, refusing[r]) == 0 || value_size == 24)
                    assert_status(status, CLSORT_E_UNSUPPORTED);
            refused += status == CLSORT_E_UNSUPPORTED;
            if (status == CLSORT_E_UNSUPPORTED)
                continue;
            assert_ok(status);
            for (size_t count = 0; count <= COUNT; count += 100) {
                size_t bytes = 1;
                assert_ok(clsort_scratch_size(plan, count, &bytes));
                assert_int_equal(bytes, 0);
            }
            clsort_plan_destroy(plan);
        }
    assert_true(refused > 0);
    clsort_desc stable = order_by("a < b");
    stable.flags = CLSORT_NO_SCRATCH;
    stable.value_size = 4;
    refuse(env, &stable, CLSORT_E_UNSUPPORTED);
}

/* -- messages of compilers ----------------------------------------------------------------------------- */

/* Returns whether a text names the line of a file, as in "less:2:5: ..." or "less", line 2. */
static bool names_line(const char *text, const char *file, long line)
{
    for (const char *name = strstr(text, file); name; name = strstr(name + 1, file)) {
        const char *number = name + strlen(file);
        number += strspn(number, "\":(, line");
        if (isdigit((unsigned char)*number) && strtol(number, NULL, 10) == line)
            return true;
    }
    return false;
}

static void begins_with(const char *text, const char *start)
{
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", text, start);
}

static void compilers_name_lines(void **state)
{
    const struct env *env = *state;
    static const struct {
        const char *prelude, *key_type, *less;
        const char *file;
        long line;
    } rows[] = {
        {NULL, "uint", "a < c", "less", 1},
        {NULL, "uint", "a\n  < b\n  + c", "less", 3},
        {"typedef uint key;\n\nkey f(key k) { return wrong; }\n", "key", "a < b", "prelude", 3},
        {"#define LOW 1\n#define HIGH 2\n#error no key\n", "uint", "a < b", "prelude", 3},
        {NULL, "nothing", "a < b", "key_type", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = order_by(rows[i].less);
        desc.prelude = rows[i].prelude;
        desc.key_type = rows[i].key_type;
        refuse(env, &desc, CL_BUILD_PROGRAM_FAILURE);
        char *text = text_last_error(env->engine);
        begins_with(text, "the program does not compile:\n");
        if (!names_line(text, rows[i].file, rows[i].line))
            fail_msg("no line %ld of %s in: %s", rows[i].line, rows[i].file, text);
        free(text);
    }
    const clsort_desc good = order_by("a < b");
    assert_true(order_sorts(env, &good, true));
}

/* Errors that compilers find in lines of the kernels. Only some compilers add a note that names the line at fault. */
static void errors_elsewhere_are_explained(void **state)
{
    const struct env *env = *state;
    static const struct {
        const char *prelude, *less;
    } rows[] = {{"uint f(uint x) { return x;", "f(a) < b"},
                {"#define order_t int", "a < b"},
                {"/*", "a < b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = order_by(rows[i].less);
        desc.prelude = rows[i].prelude;
        refuse(env, &desc, CL_BUILD_PROGRAM_FAILURE);
        char *text = text_last_error(env->engine);
        if (!names_line(text, "prelude", 1))
            begins_with(
                text,
                "the program does not compile: no message names a line of prelude, key_type "
                "or less; usually one of them lacks the end of a brace or a comment, or "
                "defines a name that the kernels use:\n");
        free(text);
    }
}

static void sizes_are_compared(void **state)
{
    const struct env *env = *state;
    static const struct {
        size_t size;
        const char *type;
    } rows[] = {{16, "uint"}, {8, "uint"}, {12, "uint3"}, {2, "struct { uchar x; }"}};
    char start[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = order_by("0");
        desc.key_size = rows[i].size;
        desc.key_type = rows[i].type;
        refuse(env, &desc, CL_BUILD_PROGRAM_FAILURE);
        char *text = text_last_error(env->engine);
        snprintf(start, sizeof start,
                 "the program does not compile: key_type does not have the size key_size, which is "
                 "%zu:\n",
                 rows[i].size);
        begins_with(text, start);
        free(text);
    }
}

/* -- texts ---------------------------------------------------------------------------------------------- */

static void texts_are_not_kept(void **state)
{
    const struct env *env = *state;
    char prelude[] = "typedef uint number;", key_type[] = "number", less[] = "b < a";
    clsort_desc desc = order_by(less);
    clsort_plan *plan = NULL;
    desc.prelude = prelude;
    desc.key_type = key_type;
    assert_ok(clsort_plan_create(env->engine, &desc, &plan));
    memset(prelude, '?', sizeof prelude);
    memset(key_type, '?', sizeof key_type);
    memset(less, '?', sizeof less);
    memset(&desc, 0xff, sizeof desc);
    char text[256];
    assert_ok(clsort_plan_describe(plan, COUNT, sizeof text, text, NULL));
    assert_true(plan_sorts(env, plan, false));
    clsort_plan_destroy(plan);
}

/* Alternates between two orders that differ only in the text `less`. */
static void sorts_by_each(const struct env *env)
{
    const clsort_desc up = order_by("a < b"), down = order_by("b < a");
    for (int i = 0; i < 2; i++) {
        assert_true(order_sorts(env, &up, true));
        assert_true(order_sorts(env, &down, false));
    }
}

/* Programs and verdicts of different orders are not confused, neither in memory nor on disk. */
static void orders_are_distinguished(void **state)
{
    struct env env = *(const struct env *)*state;
    char folder[] = "/tmp/clsort-order-XXXXXX";
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    assert_non_null(mkdtemp(folder));
    options.cache_dir = folder;
    for (int i = 0; i < 2; i++) {
        assert_ok(clsort_engine_create(env.context, env.device, &options, &env.engine));
        sorts_by_each(&env);
        clsort_engine_destroy(env.engine);
    }
    folder_remove(folder);
}

/* A program whose prelude includes a file is not taken from the disk after the file has changed. */
static void included_files(void **state)
{
    struct env env = *(const struct env *)*state;
    char folder[] = "/tmp/clsort-order-XXXXXX", path[64], prelude[128];
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    assert_non_null(mkdtemp(folder));
    options.cache_dir = folder;
    snprintf(path, sizeof path, "%s/order.h", folder);
    snprintf(prelude, sizeof prelude, "#include \"%s\"\n", path);
    for (int up = 0; up <= 1; up++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "#define MY_LESS (a %c b)\n", up ? '<' : '>');
        fclose(file);
        clsort_desc desc = order_by("MY_LESS");
        desc.prelude = prelude;
        assert_ok(clsort_engine_create(env.context, env.device, &options, &env.engine));
        assert_true(order_sorts(&env, &desc, up));
        clsort_engine_destroy(env.engine);
    }
    folder_remove(folder);
}

/* -- large keys ------------------------------------------------------------------------------------------ */

/* Returns the descriptor of keys of this size, whose first four bytes are compared. */
static clsort_desc large_keys(size_t size, char *prelude, size_t prelude_size)
{
    clsort_desc desc = order_by("a.x[0] < b.x[0]");
    snprintf(prelude, prelude_size, "struct my_key { uint x[%zu]; };", size / 4);
    desc.key_size = size;
    desc.prelude = prelude;
    desc.key_type = "struct my_key";
    return desc;
}

/* Keys that exceed private memory are refused. The error names the maximum, and keys of that size are sorted. */
static void large_key_sizes(void **state)
{
    const struct env *env = *state;
    enum { KEYS = 20 };
    char prelude[64], name[64] = "";
    clsort_desc desc = large_keys(500000, prelude, sizeof prelude);
    refuse(env, &desc, CLSORT_E_UNSUPPORTED);
    char *text = text_last_error(env->engine);
    const char *number = strstr(text, "maximum for this sort is ");
    assert_non_null(number);
    const size_t max = strtoul(number + strlen("maximum for this sort is "), NULL, 10);
    assert_memory_equal(text, "clsort_desc.key_size is 500000: ", 32);
    free(text);
    assert_true(max >= 1024 && max < 500000 && max % 4 == 0);
    desc = large_keys(max + 4, prelude, sizeof prelude);
    refuse(env, &desc, CLSORT_E_UNSUPPORTED);
    assert_ok(clGetDeviceInfo(env->device, CL_DEVICE_NAME, sizeof name - 1, name, NULL));
    if (strstr(name, "llvmpipe"))
        skip(); /* it takes more than 10 minutes to compile such kernels */
    desc = large_keys(max, prelude, sizeof prelude);
    uint32_t *keys = calloc(KEYS, max);
    assert_non_null(keys);
    for (uint32_t i = 0; i < KEYS; i++)
        keys[i * max / 4] = i * 7 % KEYS;
    assert_ok(clsort_host(env->engine, NULL, &desc, KEYS, keys, NULL));
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(keys[i * max / 4], i);
    free(keys);
}

/* -- host arrays ----------------------------------------------------------------------------------------- */

static void host_arrays(void **state)
{
    const struct env *env = *state;
    static const uint32_t counts[] = {0, 1, 2, 10, 50000};
    static uint32_t keys[50000], values[50000];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int has_values = 0; has_values <= 1; has_values++) {
            const uint32_t count = counts[c];
            clsort_desc desc = order_by("b < a");
            desc.max_count = 0;
            desc.value_size = has_values ? sizeof *values : 0;
            scatter(keys, count);
            for (uint32_t i = 0; i < count; i++)
                values[i] = ~keys[i];
            assert_ok(
                clsort_host(env->engine, NULL, &desc, count, keys, has_values ? values : NULL));
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(keys[i], count - 1 - i);
                assert_true(!has_values || values[i] == ~keys[i]);
            }
            char text[256];
            assert_ok(clsort_host_describe(env->engine, &desc, count, sizeof text, text, NULL));
            assert_true(count <= 1 || strstr(text, "custom order"));
        }
}

/* Arrays larger than a buffer are refused, because the host cannot compare keys by a custom order. */
static void host_arrays_larger_than_buffers(void **state)
{
    struct env env = *(const struct env *)*state;
    static uint32_t keys[10000];
    const clsort_desc desc = order_by("a < b");
    clsort_desc unlimited = desc;
    unlimited.max_count = 0;
    assert_int_equal(setenv("CLSORT_MAX_ALLOC", "20000", 1), 0);
    assert_ok(clsort_engine_create(env.context, env.device, NULL, &env.engine));
    assert_int_equal(unsetenv("CLSORT_MAX_ALLOC"), 0);
    scatter(keys, 10000);
    assert_status(clsort_host(env.engine, NULL, &unlimited, 10000, keys, NULL), CLSORT_E_COUNT);
    assert_int_equal(keys[1], 7919);
    assert_ok(clsort_host(env.engine, NULL, &unlimited, 5000, keys, NULL));
    assert_status(clsort_host(env.engine, NULL, &desc, COUNT + 1, keys, NULL), CLSORT_E_COUNT);
    clsort_engine_destroy(env.engine);
}

static void not_for_host_arrays(void **state)
{
    const struct env *env = *state;
    uint32_t keys[] = {2, 1};
    char text[16];
    clsort_desc merge = CLSORT_DESC_INIT;
    merge.operation = CLSORT_MERGE_SORTED;
    assert_status(clsort_host(env->engine, NULL, &merge, 2, keys, NULL), CLSORT_E_OPERATION);
    assert_status(clsort_host_describe(env->engine, &merge, 2, sizeof text, text, NULL),
                  CLSORT_E_OPERATION);
    assert_status(clsort_array(CLSORT_CUSTOM, keys, 2), CLSORT_E_KEY);
    const clsort_desc wrong = order_by("a <");
    assert_status(clsort_host(env->engine, NULL, &wrong, 2, keys, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(keys[0], 2);
}

int main(int argc, char **argv)
{
    const char *selection = argc > 1 ? argv[1] : "";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incomplete_orders),
        cmocka_unit_test(fields_of_built_in_orders),
        cmocka_unit_test(fields_of_custom_orders),
        cmocka_unit_test(without_scratch),
        cmocka_unit_test(compilers_name_lines),
        cmocka_unit_test(errors_elsewhere_are_explained),
        cmocka_unit_test(sizes_are_compared),
        cmocka_unit_test(texts_are_not_kept),
        cmocka_unit_test(orders_are_distinguished),
        cmocka_unit_test(included_files),
        cmocka_unit_test(large_key_sizes),
        cmocka_unit_test(host_arrays),
        cmocka_unit_test(host_arrays_larger_than_buffers),
        cmocka_unit_test(not_for_host_arrays),
    };
    if (strcmp(selection, "included_files") == 0)
        cmocka_set_test_filter("included_files");
    else if (strcmp(selection, "others") == 0)
        cmocka_set_skip_filter("included_files");
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
