/* host_time.c - the host sorts until its sorts have taken as long as compiling would, also in several processes */
#include "device/host_time.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/clsort-host-time-XXXXXX";

/* Opens a device with nothing in memory, as in a new process. */
static struct cls_device device_with(char *cache_folder)
{
    struct cls_device device = {
        .cache_folder = cache_folder,
        .caps = {.identified = true, .name = "made up", .vendor = "nobody"}};
    pthread_mutex_init(&device.mutex, NULL);
    return device;
}

static void forget(struct cls_device *device)
{
    cls_device_clear(device);
    pthread_mutex_destroy(&device->mutex);
}

static void check_limit(struct cls_device *device, const char *subject)
{
    assert_false(cls_host_time_add(device, subject, 101, 100));
    assert_true(cls_host_time_add(device, subject, 60, 100));
    assert_false(cls_host_time_add(device, subject, 41, 100));
    assert_true(cls_host_time_add(device, subject, 40, 100)); /* a refusal adds nothing */
    assert_false(cls_host_time_add(device, subject, 1, 100));
    assert_true(cls_host_time_add(device, subject, 0, 100));
    assert_false(cls_host_time_add(device, subject, UINT64_MAX, UINT64_MAX));
}

static void sums_are_limited(void **state)
{
    (void)state;
    struct cls_device device = device_with(NULL);
    check_limit(&device, "cpu u32");
    check_limit(&device, "cpu u64");
    assert_false(cls_host_time_add(&device, "cpu u32", 1, 100));
    forget(&device);
}

static void processes_share_sums(void **state)
{
    (void)state;
    struct cls_device first = device_with(folder), second = device_with(folder);
    assert_true(cls_host_time_add(&first, "cpu u32", 30, 100));
    assert_true(cls_host_time_add(&second, "cpu u32", 30, 100));
    assert_true(cls_host_time_add(&first, "cpu u32", 39, 100));
    assert_true(cls_host_time_add(&second, "cpu u32", 1, 100)); /* too little to synchronise */
    assert_false(cls_host_time_add(&second, "cpu u32", 40, 100));
    assert_false(cls_host_time_add(&first, "cpu u32", 2, 100));
    assert_true(cls_host_time_add(&second, "cpu u64", 1, 100));
    forget(&first);
    forget(&second);

    struct cls_device other = device_with(folder);
    other.caps.name[0] = 'M';
    assert_true(cls_host_time_add(&other, "cpu u32", 100, 100));
    forget(&other);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_limited),
                                       cmocka_unit_test(processes_share_sums)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
