/* skewed_bins.c - `cpu` with skewed keys, whose bins are uneven in many ways, and with enough of them for the
 * partition */
#include "check.h"
#include "suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 40, OUTLIER_COUNT = 1 << 20 };

/* The lengths and distances of the clusters depend on the seed. */
static void clusters(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.dist = DATA_CLUSTERS;
    for (sort.seed = 1; sort.seed <= SEEDS; sort.seed++) {
        sort.count = 66000 + sort.seed * sort.seed * 90;
        sort.place = sort.seed % 2 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
        suite_sort(suite, &sort);
    }
}

/* Most keys are in one interval. One key of 25 is far from it, and one of 25 equals the end of the interval, so that
 * the bins of the outliers extend beyond the node of the bin tree (cl/cpu_radix/bin_tree.cl) that has the others. */
static void make_outliers(const struct data_type *type, bool above, uint32_t *keys)
{
    assert_true(data_fill(type, DATA_UNIFORM, 1, keys, OUTLIER_COUNT));
    for (size_t i = 0; i < OUTLIER_COUNT; i++) {
        const uint32_t x = keys[i], near = UINT32_C(0x70000000);
        const uint32_t far = (above ? UINT32_C(0xf0000000) : 0) + (x >> 12);
        const uint32_t end = near + (above ? 0xffff : 0);
        keys[i] = x % 25 == 0 ? far : x % 25 == 1 ? end : near + (x >> 16);
    }
}

static void outliers(struct suite *suite, const struct sort_case *base)
{
    static uint32_t input[OUTLIER_COUNT], keys[OUTLIER_COUNT], indexes[OUTLIER_COUNT];
    const clsort_desc desc = sort_case_desc(base);
    for (int above = 0; above < 2; above++) {
        make_outliers(base->type, above, input);
        memcpy(keys, input, sizeof keys);
        for (uint32_t i = 0; i < OUTLIER_COUNT; i++)
            indexes[i] = i;
        assert_ok(clsort_host(suite->env.engine, NULL, &desc, OUTLIER_COUNT, keys,
                              base->value_size ? indexes : NULL));
        assert_int_equal(data_disorder(base->type, 0, keys, OUTLIER_COUNT), OUTLIER_COUNT);
        assert_int_equal(data_checksum(keys, sizeof *keys, OUTLIER_COUNT),
                         data_checksum(input, sizeof *input, OUTLIER_COUNT));
        for (size_t i = 0; base->value_size && i < OUTLIER_COUNT; i++) {
            assert_int_equal(keys[i], input[indexes[i]]);
            assert_true(i == 0 || keys[i - 1] != keys[i] || indexes[i - 1] < indexes[i]);
        }
        suite->right++;
    }
}

int main(void)
{
    static const char *const types[] = {"u32", "u16", "i64", "f32"};
    struct suite suite;
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    cl_device_type device = 0;
    clGetDeviceInfo(suite.env.device, CL_DEVICE_TYPE, sizeof device, &device, NULL);
    if (!(device & CL_DEVICE_TYPE_CPU)) {
        puts("skipped: the algorithm cpu requires a CPU");
        env_close(&suite.env);
        return 77;
    }
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t value_size = 0; value_size <= 4; value_size += 4) {
            struct sort_case base = sort_case_default(0);
            suite_set_algorithm(&base, "cpu");
            base.type = data_type_find(types[t]);
            base.value_size = value_size;
            if (t == 0)
                suite_add(&suite, "outliers", outliers, &base);
            base.flags = t % 2 ? CLSORT_DESCENDING : 0;
            suite_add(&suite, "clusters", clusters, &base);
        }
    }
    return suite_finish(&suite);
}
