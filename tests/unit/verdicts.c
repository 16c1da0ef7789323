/* verdicts.c - verdicts of self-tests are kept for one device, driver and set of kernels only */
#include "device/verdicts.h"

#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/clsort-verdicts-XXXXXX";

/* Opens a device with no verdicts in memory, as in a new process. */
static struct cls_device device_with(const char *driver)
{
    struct cls_device device = {
        .cache_folder = folder,
        .caps = {.identified = true, .name = "made up", .vendor = "nobody"}};
    snprintf(device.caps.driver, sizeof device.caps.driver, "%s", driver);
    pthread_mutex_init(&device.mutex, NULL);
    return device;
}

static void forget(struct cls_device *device)
{
    cls_device_clear(device);
    pthread_mutex_destroy(&device->mutex);
}

/* Returns the verdict on the subject, or NULL if there is none. */
static const char *find(struct cls_device *device, const char *subject)
{
    static char line[256];
    struct cls_text finding = CLS_TEXT(line);
    line[0] = '\0';
    return cls_verdict_find(device, subject, true, &finding) ? line : NULL;
}

static void verdicts_last(void **state)
{
    (void)state;
    struct cls_device first = device_with("1.0");
    assert_null(find(&first, "radix"));
    cls_verdict_keep(&first, "radix", true, "");
    cls_verdict_keep(&first, "cpu", true, "key 3 of 33 is wrong");
    assert_string_equal(find(&first, "radix"), "");
    assert_string_equal(find(&first, "cpu"), "key 3 of 33 is wrong");
    assert_null(find(&first, "rad"));
    forget(&first);

    struct cls_device second = device_with("1.0");
    assert_string_equal(find(&second, "radix"), "");
    assert_string_equal(find(&second, "cpu"), "key 3 of 33 is wrong");
    assert_string_equal(find(&second, "cpu"), "key 3 of 33 is wrong"); /* from memory */
    assert_null(find(&second, "local"));
    forget(&second);
}

static void other_drivers_are_tested_anew(void **state)
{
    (void)state;
    struct cls_device other = device_with("1.1");
    assert_null(find(&other, "radix"));
    forget(&other);
    /* A device that cannot be identified is tested every time. */
    struct cls_device unknown = device_with("1.0");
    unknown.caps.identified = false;
    assert_null(find(&unknown, "radix"));
    cls_verdict_keep(&unknown, "local", true, "");
    forget(&unknown);
    struct cls_device again = device_with("1.0");
    assert_null(find(&again, "local"));
    forget(&again);
}

static void without_folder_verdicts_are_in_memory(void **state)
{
    (void)state;
    struct cls_device device = device_with("1.0");
    device.cache_folder = NULL;
    assert_null(find(&device, "radix"));
    cls_verdict_keep(&device, "radix", true, "bad");
    assert_string_equal(find(&device, "radix"), "bad");
    forget(&device);
}

/* Damages the last byte, which belongs to the finding, of each file in the folder. */
static void damaged_verdicts_are_no_verdicts(void **state)
{
    (void)state;
    DIR *files = opendir(folder);
    assert_non_null(files);
    size_t damaged = 0;
    for (struct dirent *entry; (entry = readdir(files));) {
        const int file = entry->d_name[0] == '.' ? -1 : openat(dirfd(files), entry->d_name, O_RDWR);
        if (file < 0)
            continue;
        char last;
        const off_t at = lseek(file, -1, SEEK_END);
        assert_int_equal(pread(file, &last, 1, at), 1);
        last ^= 1;
        assert_int_equal(pwrite(file, &last, 1, at), 1);
        close(file);
        damaged++;
    }
    closedir(files);
    assert_int_equal(damaged, 2);
    struct cls_device device = device_with("1.0");
    assert_null(find(&device, "radix"));
    assert_null(find(&device, "cpu"));
    forget(&device);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        unlinkat(dirfd(files), entry->d_name, 0);
    if (files)
        closedir(files);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_last),
        cmocka_unit_test(other_drivers_are_tested_anew),
        cmocka_unit_test(without_folder_verdicts_are_in_memory),
        cmocka_unit_test(damaged_verdicts_are_no_verdicts),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
