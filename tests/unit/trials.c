/* trials.c - few elements are sorted three times on each processor, then on the faster one */
#include "api/trials.h"

#include "unit.h"

static struct cls_spec spec_of(unsigned key_bytes, size_t value_bytes)
{
    return (struct cls_spec){.key_bytes = key_bytes, .value_bytes = value_bytes};
}

/* Makes one sort, which takes this long per element on each processor. Returns the processor that made it. */
static enum cls_processor sort(struct cls_trials *trials, const struct cls_spec *spec, size_t count,
                               uint64_t device_ns, uint64_t host_ns)
{
    bool is_decided;
    const enum cls_processor processor = cls_trials_next(trials, spec, count, &is_decided);
    cls_trials_record(trials, spec, count, processor,
                      count * (processor == CLS_ON_HOST ? host_ns : device_ns));
    return processor;
}

static void alternates_then_decides(void **state)
{
    (void)state;
    for (int host_wins = 0; host_wins < 2; host_wins++) {
        struct cls_trials trials = {0};
        const struct cls_spec spec = spec_of(4, 0);
        const size_t count = 100000;
        bool is_decided;
        for (unsigned i = 0; i < 2 * CLS_TRIAL_RUNS; i++) {
            const enum cls_processor next = cls_trials_next(&trials, &spec, count, &is_decided);
            assert_false(is_decided);
            assert_int_equal(next, i % 2 ? CLS_ON_HOST : CLS_ON_DEVICE);
            /* The first sort on each processor is slow, as when memory is fresh. */
            const uint64_t slow = i == 0 ? 100 : i == 1 ? 50 : 0;
            sort(&trials, &spec, count, slow + 7, slow + (host_wins ? 6 : 8));
        }
        assert_int_equal(cls_trials_next(&trials, &spec, count, &is_decided),
                         host_wins ? CLS_ON_HOST : CLS_ON_DEVICE);
        assert_true(is_decided);
        /* Later times do not count. */
        cls_trials_record(&trials, &spec, count, CLS_ON_DEVICE, 1);
        cls_trials_record(&trials, &spec, count, CLS_ON_HOST, 1);
        assert_int_equal(cls_trials_next(&trials, &spec, count, &is_decided),
                         host_wins ? CLS_ON_HOST : CLS_ON_DEVICE);
    }
}

/* The best time per element counts, also if counts differ. */
static void compares_per_element(void **state)
{
    (void)state;
    struct cls_trials trials = {0};
    const struct cls_spec spec = spec_of(8, 4);
    for (unsigned i = 0; i < 2 * CLS_TRIAL_RUNS; i++)
        sort(&trials, &spec, i % 2 ? 90000 : 70000, 10, 9); /* the host gets the larger ones */
    assert_int_equal(sort(&trials, &spec, 80000, 10, 9), CLS_ON_HOST);
}

/* Kinds of elements and intervals of counts do not influence each other. */
static void trials_are_separate(void **state)
{
    (void)state;
    static const size_t counts[CLS_TRIAL_INTERVALS][2] = {
        {(1 << 15) + 1, 3 << 14}, {(3 << 14) + 1, 1 << 16}, {(1 << 16) + 1, 3 << 15},
        {(3 << 15) + 1, 1 << 17}, {(1 << 17) + 1, 3 << 16}, {(3 << 16) + 1, 1 << 18}};
    struct cls_trials trials = {0};
    for (size_t kind = 0; kind < CLS_TRIAL_KINDS; kind++) {
        struct cls_spec spec = spec_of(1u << kind % 4, kind < 4 ? 0 : 8);
        spec.value_is_index = kind >= 8;
        for (size_t i = 0; i < CLS_TRIAL_INTERVALS; i++) {
            assert_int_equal(sort(&trials, &spec, counts[i][0], 2, 1), CLS_ON_DEVICE);
            assert_int_equal(sort(&trials, &spec, counts[i][1], 2, 1), CLS_ON_HOST);
        }
    }
    for (size_t kind = 0; kind < CLS_TRIAL_KINDS; kind++)
        for (size_t i = 0; i < CLS_TRIAL_INTERVALS; i++)
            for (size_t processor = 0; processor < CLS_PROCESSORS; processor++)
                assert_int_equal(trials.trials[kind][i].runs[processor], 1);
}

static void limits(void **state)
{
    (void)state;
    const struct cls_spec keys = spec_of(4, 0), widest = spec_of(4, CLS_MAX_TRIAL_VALUE),
                          wider = spec_of(4, CLS_MAX_TRIAL_VALUE + 1);
    assert_false(cls_trials_include(&keys, CLS_MIN_TRIAL_COUNT));
    assert_true(cls_trials_include(&keys, CLS_MIN_TRIAL_COUNT + 1));
    assert_true(cls_trials_include(&keys, CLS_MAX_TRIAL_COUNT));
    assert_false(cls_trials_include(&keys, (size_t)CLS_MAX_TRIAL_COUNT + 1));
    assert_true(cls_trials_include(&widest, CLS_MAX_TRIAL_COUNT));
    assert_false(cls_trials_include(&wider, CLS_MAX_TRIAL_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternates_then_decides),
        cmocka_unit_test(compares_per_element),
        cmocka_unit_test(trials_are_separate),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
