/* tested.c - compiles and tests the kernels of plans that have no stages */
#include "plan/tested.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "device/includes.h"
#include "device/setup_time.h"
#include "device/verdicts.h"
#include "plan/plan.h"

#include <string.h>

bool cls_tested_subject(const struct cls_tested *tested, const void *plan,
                        char subject[CLS_TESTED_SUBJECT])
{
    struct cls_program_spec programs[CLS_MAX_TESTED_PROGRAMS];
    struct cls_text text = {subject, CLS_TESTED_SUBJECT, 0};
    const struct cls_spec *spec = tested->spec(plan);
    const bool is_custom = spec->order == CLS_ORDER_CUSTOM;
    const size_t count = tested->programs(plan, programs);
    uint64_t hash = CLS_HASH_START;
    for (size_t i = 0; i < count; i++)
        hash = cls_program_hash(hash, &programs[i]);
    if (is_custom)
        hash = cls_hash_number(hash, cls_custom_hash(&spec->custom));
    cls_text_add(&text, "%d %s, programs %016llx, %llu elements", tested->version, tested->name,
                 (unsigned long long)hash, (unsigned long long)tested->test_count(plan));
    return !is_custom || !cls_may_include(&spec->custom);
}

static clsort_status fail(const struct cls_tested *tested, const char *finding)
{
    return cls_fail(CLSORT_E_SELF_TEST,
                    "the %s fails its self-test on this device with this driver: %s", tested->name,
                    finding);
}

/* Returns whether the chosen kernels have passed their test; if they have failed, sets the error. */
static enum cls_self_test_state verdict_of(const struct cls_tested *tested,
                                           struct cls_device *device, const void *plan)
{
    char line[128] = "", subject[CLS_TESTED_SUBJECT];
    struct cls_text finding = CLS_TEXT(line);
    const bool on_disk = cls_tested_subject(tested, plan, subject);
    if (!cls_verdict_find(device, subject, on_disk, &finding))
        return CLS_UNTESTED;
    if (finding.length == 0)
        return CLS_PASSED;
    fail(tested, line);
    return CLS_FAILED;
}

static clsort_status run_tests(const struct cls_tested *tested, const struct cls_device *device,
                               const void *plan, struct cls_text *finding)
{
    cl_int status;
    const cl_command_queue queue = clCreateCommandQueue(device->context, device->id, 0, &status);
    cls_called("clCreateCommandQueue", status);
    for (int round = 0; round < 2 && status == CL_SUCCESS; round++)
        status = tested->test(device, queue, plan, round, finding);
    if (queue)
        clReleaseCommandQueue(queue);
    return status;
}

/* Tests the compiled kernels, and stores the verdict. OpenCL errors are not recorded as verdicts. */
static clsort_status test(const struct cls_tested *tested, struct cls_device *device,
                          const void *plan)
{
    char line[128] = "", subject[CLS_TESTED_SUBJECT];
    struct cls_text finding = CLS_TEXT(line);
    const bool on_disk = cls_tested_subject(tested, plan, subject);
    const struct cls_self_test_timer timer = cls_self_test_begin(device);
    const clsort_status status = run_tests(tested, device, plan, &finding);
    cls_self_test_end(device, &timer);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep(device, subject, on_disk, line);
    return status == CLSORT_E_SELF_TEST ? fail(tested, line) : status;
}

/* Compiles and tests the chosen kernels. */
static clsort_status prepare(const struct cls_tested *tested, struct cls_device *device,
                             bool is_test, void *plan)
{
    struct cls_program_spec programs[CLS_MAX_TESTED_PROGRAMS];
    const enum cls_self_test_state verdict = verdict_of(tested, device, plan);
    if (verdict == CLS_PASSED && is_test)
        return CLSORT_OK;
    if (verdict == CLS_FAILED)
        return CLSORT_E_SELF_TEST;
    const size_t count = tested->programs(plan, programs);
    const clsort_status status = tested->compile(device, programs, count, plan);
    return status == CLSORT_OK && verdict == CLS_UNTESTED ? test(tested, device, plan) : status;
}

bool cls_tested_is_untested(const struct cls_tested *tested, struct cls_device *device,
                            const struct cls_request *request, void *plan,
                            char subject[CLS_TESTED_SUBJECT])
{
    if (tested->choose(&device->caps, request, plan) != CLSORT_OK)
        return false;
    cls_tested_subject(tested, plan, subject);
    return verdict_of(tested, device, plan) == CLS_UNTESTED;
}

uint64_t cls_tested_wanted(const struct cls_caps *caps, const struct cls_request *request,
                           bool has_indexes)
{
    const uint64_t max_index =
        has_indexes && request->index_bytes == 4 ? (uint64_t)1 << 32 : UINT64_MAX;
    return request->max_count > 0 ? request->max_count
                                  : cls_min(cls_max_device_count(caps, &request->spec), max_index);
}

clsort_status cls_tested_check_max(const struct cls_request *request, uint64_t wanted, uint64_t max,
                                   const char *what)
{
    if (max == 0)
        return cls_fail(CLSORT_E_UNSUPPORTED, "no elements can be %s on this device", what);
    return max >= wanted || request->max_count == 0
               ? CLSORT_OK
               : cls_fail(CLSORT_E_UNSUPPORTED,
                          "clsort_desc.max_count is %llu: at most %llu elements can be %s on this "
                          "device",
                          (unsigned long long)wanted, (unsigned long long)max, what);
}

clsort_status cls_tested_create(const struct cls_tested *tested, struct cls_device *device,
                                const struct cls_request *request, void *plan)
{
    struct cls_caps caps = device->caps;
    char failed[CLS_TESTED_SUBJECT] = "", subject[CLS_TESTED_SUBJECT];
    for (;;) {
        clsort_status status = tested->choose(&caps, request, plan);
        if (status != CLSORT_OK)
            return status;
        cls_tested_subject(tested, plan, subject);
        if (strcmp(subject, failed) == 0)
            return CLSORT_E_SELF_TEST;
        status = prepare(tested, device, request->is_test, plan);
        if (status == CLSORT_E_SELF_TEST && !caps.miscompiles_barriers) {
            tested->release(plan);
            caps.miscompiles_barriers = true;
            memcpy(failed, subject, sizeof failed);
            continue;
        }
        if ((status != CLSORT_E_UNSUPPORTED && status != CL_INVALID_WORK_GROUP_SIZE) ||
            tested->group_size(plan) == 1)
            return status;
        tested->release(plan);
        caps.group_size = tested->group_size(plan) / 2;
    }
}
