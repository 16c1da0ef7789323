/* disk_cache.c - what the program cache believes, and what it takes for a miss */
#include "device/disk_cache.h"

#include <stdbool.h>

#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char KEY[] = "device, driver, options";
static const unsigned char BINARY[] = "a program";

static char *folder;
static char file[4096];

static void save(void)
{
    cls_disk_cache_save(folder, KEY, BINARY, sizeof BINARY);
}

static bool loads(const char *key)
{
    size_t size = 0;
    unsigned char *binary = cls_disk_cache_load(folder, key, &size);
    const bool right = binary && size == sizeof BINARY && memcmp(binary, BINARY, size) == 0;
    assert_true(right || !binary);
    free(binary);
    return right;
}

/* Finds the one file in the folder. */
static void find_file(void)
{
    DIR *dir = opendir(folder);
    int files = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.') {
            snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
            files++;
        }
    closedir(dir);
    assert_int_equal(files, 1);
}

static int set_up(void **state)
{
    char parent[] = "/tmp/clsort-unit-XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(parent));
    snprintf(path, sizeof path, "%s/a/b", parent);
    folder = cls_disk_cache_open(path);
    assert_non_null(folder);
    save();
    find_file();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(file);
    for (int level = 0; level < 3; level++) {
        rmdir(folder);
        *strrchr(folder, '/') = '\0';
    }
    free(folder);
    return 0;
}

static void test_round_trip(void **state)
{
    struct stat info;
    (void)state;
    assert_true(loads(KEY));
    assert_false(loads("another key"));
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(stat(file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    save(); /* over the one that is there */
    find_file();
    assert_true(loads(KEY));
}

static void flip(off_t offset)
{
    char byte;
    const int fd = open(file, O_RDWR);
    assert_int_equal(pread(fd, &byte, 1, offset), 1);
    byte ^= 4;
    assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
    close(fd);
}

static void test_every_bit_counts(void **state)
{
    struct stat info;
    (void)state;
    assert_int_equal(stat(file, &info), 0);
    for (off_t i = 0; i < info.st_size; i++) {
        flip(i);
        assert_false(loads(KEY));
        flip(i);
    }
    assert_true(loads(KEY));
}

static void test_every_length_counts(void **state)
{
    struct stat info;
    (void)state;
    assert_int_equal(stat(file, &info), 0);
    for (off_t size = info.st_size - 1; size >= 0; size--) {
        assert_int_equal(truncate(file, size), 0);
        assert_false(loads(KEY));
    }
    save();
    assert_int_equal(truncate(file, info.st_size + 1), 0);
    assert_false(loads(KEY));
}

static void test_others_could_write(void **state)
{
    (void)state;
    chmod(file, 0620);
    assert_false(loads(KEY));
    chmod(file, 0602);
    assert_false(loads(KEY));
    chmod(file, 0644);
    assert_true(loads(KEY));
    chmod(folder, 0770);
    assert_null(cls_disk_cache_open(folder));
    chmod(folder, 0700);
}

static void test_links_and_others(void **state)
{
    char moved[4200];
    (void)state;
    snprintf(moved, sizeof moved, "%s.real", file);
    assert_int_equal(rename(file, moved), 0);
    assert_int_equal(symlink(moved, file), 0);
    assert_false(loads(KEY));
    unlink(file);
    assert_int_equal(mkfifo(file, 0600), 0); /* must not hang */
    assert_false(loads(KEY));
    unlink(file);
    assert_int_equal(mkdir(file, 0700), 0);
    assert_false(loads(KEY));
    save(); /* cannot replace a folder, and leaves nothing behind */
    rmdir(file);
    assert_int_equal(rename(moved, file), 0);
    find_file();
    assert_true(loads(KEY));
}

static void test_no_folder(void **state)
{
    char *path;
    (void)state;
    assert_null(cls_disk_cache_open(""));
    assert_null(cls_disk_cache_open(file)); /* a file */
    assert_null(cls_disk_cache_open("/proc/clsort"));
    setenv("CLSORT_CACHE_DIR", "", 1);
    assert_null(cls_disk_cache_open(NULL));
    unsetenv("CLSORT_CACHE_DIR");
    setenv("XDG_CACHE_HOME", folder, 1);
    path = cls_disk_cache_open(NULL);
    assert_non_null(path);
    assert_non_null(strstr(path, "/a/b/clsort"));
    rmdir(path);
    free(path);
    unsetenv("XDG_CACHE_HOME");
    cls_disk_cache_save("/nowhere", KEY, BINARY, sizeof BINARY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_bit_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_length_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_could_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_links_and_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_folder, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
