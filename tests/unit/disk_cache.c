/* disk_cache.c - which files the program cache uses, and which it treats as a miss
 *
 * This program replaces write of the C library, to simulate full disks. */
#include "device/disk_cache.h"

#include <stdbool.h>

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char KEY[] = "device, driver, options";
static const unsigned char BINARY[] = "a program";

/* Has the length of KEY, so that only the characters differ. */
static const char OTHER_KEY[] = "Device, driver, options";
static const unsigned char OTHER_BINARY[] = "another program, and a longer one";

enum { NOBODY = 65534 };

static char *folder;
static char file[4096];

static size_t disk_space = SIZE_MAX; /* the number of bytes that write still accepts */

ssize_t write(int fd, const void *from, size_t size)
{
    if (size > 0 && disk_space == 0) {
        errno = ENOSPC;
        return -1;
    }
    struct iovec part = {(void *)(uintptr_t)from, size < disk_space ? size : disk_space};
    const ssize_t written = writev(fd, &part, 1);
    if (written > 0 && disk_space != SIZE_MAX)
        disk_space -= (size_t)written;
    return written;
}

static void save(void)
{
    cls_disk_cache_save(folder, KEY, BINARY, sizeof BINARY);
}

static void save_other(void)
{
    cls_disk_cache_save(folder, KEY, OTHER_BINARY, sizeof OTHER_BINARY);
}

static bool is(const void *expected, size_t expected_size, const unsigned char *binary, size_t size)
{
    return binary && size == expected_size && memcmp(binary, expected, size) == 0;
}

enum found { MISS, WHOLE, OTHER, WRONG };

/* Can run in a child process, since it makes no CMocka assertions. */
static enum found load(const char *key)
{
    size_t size = 0;
    unsigned char *binary = cls_disk_cache_load(folder, key, &size);
    const enum found found = !binary                                               ? MISS
                             : is(BINARY, sizeof BINARY, binary, size)             ? WHOLE
                             : is(OTHER_BINARY, sizeof OTHER_BINARY, binary, size) ? OTHER
                                                                                   : WRONG;
    free(binary);
    return found;
}

static bool loads(const char *key)
{
    const enum found found = load(key);
    assert_true(found == WHOLE || found == MISS);
    return found == WHOLE;
}

/* Returns the number of files in the folder, and sets file to the path of the last. */
static int count_files(void)
{
    DIR *dir = opendir(folder);
    int files = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
            files++;
        }
    if (dir)
        closedir(dir);
    return files;
}

/* Sets file to the path of the only file in the folder. */
static void find_file(void)
{
    assert_int_equal(count_files(), 1);
}

/* Returns the result of body, which runs in a child process and must not use CMocka's assertions. */
static bool passes_in_child(bool (*body)(void))
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0)
        _exit(body() ? EXIT_SUCCESS : EXIT_FAILURE);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
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
    save(); /* replaces the file */
    find_file();
    assert_true(loads(KEY));
}

static void flip(off_t offset, int bit)
{
    unsigned char byte;
    const int fd = open(file, O_RDWR);
    assert_int_equal(pread(fd, &byte, 1, offset), 1);
    byte ^= (unsigned char)(1 << bit);
    assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
    close(fd);
}

static void test_every_bit_counts(void **state)
{
    struct stat info;
    (void)state;
    assert_int_equal(stat(file, &info), 0);
    for (off_t i = 0; i < info.st_size; i++)
        for (int bit = 0; bit < 8; bit++) {
            flip(i, bit);
            assert_false(loads(KEY));
            flip(i, bit);
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

/* The file of another device's program has the name of this one. */
static void test_another_key(void **state)
{
    char name[sizeof file];
    (void)state;
    strcpy(name, file);
    assert_int_equal(unlink(name), 0);
    cls_disk_cache_save(folder, OTHER_KEY, BINARY, sizeof BINARY);
    assert_true(loads(OTHER_KEY));
    find_file();
    assert_string_not_equal(file, name);
    assert_int_equal(rename(file, name), 0);
    assert_false(loads(KEY));
    assert_false(loads(OTHER_KEY));
    save();
    find_file();
    assert_true(loads(KEY));
}

static void test_others_could_write(void **state)
{
    static const mode_t file_modes[] = {0620, 0602, 0666}, folder_modes[] = {0770, 0702, 01777};
    (void)state;
    for (size_t i = 0; i < sizeof file_modes / sizeof *file_modes; i++) {
        chmod(file, file_modes[i]);
        assert_false(loads(KEY));
    }
    chmod(file, 0644);
    assert_true(loads(KEY));
    for (size_t i = 0; i < sizeof folder_modes / sizeof *folder_modes; i++) {
        chmod(folder, folder_modes[i]);
        assert_null(cls_disk_cache_open(folder));
    }
    chmod(folder, 0700);
}

static void test_others_own(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("only root can give files away\n");
        skip();
    }
    assert_int_equal(chown(file, NOBODY, NOBODY), 0);
    assert_false(loads(KEY));
    save(); /* creates a new file instead of writing to the old one */
    assert_true(loads(KEY));
    assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
    assert_null(cls_disk_cache_open(folder));
}

static void test_links_and_others(void **state)
{
    char moved[4200];
    (void)state;
    snprintf(moved, sizeof moved, "%s.real", file);
    assert_int_equal(rename(file, moved), 0);
    assert_int_equal(symlink(moved, file), 0);
    assert_false(loads(KEY));
    save_other(); /* replaces the link, not its target */
    assert_int_equal(load(KEY), OTHER);
    assert_int_equal(rename(moved, file), 0);
    assert_true(loads(KEY));
    assert_int_equal(rename(file, moved), 0);
    assert_int_equal(symlink("nowhere", file), 0);
    assert_false(loads(KEY));
    unlink(file);
    assert_int_equal(mkfifo(file, 0600), 0); /* must not hang */
    assert_false(loads(KEY));
    unlink(file);
    assert_int_equal(mkdir(file, 0700), 0);
    assert_false(loads(KEY));
    save(); /* cannot replace a folder, and leaves no other file */
    rmdir(file);
    assert_int_equal(rename(moved, file), 0);
    find_file();
    assert_true(loads(KEY));
}

static void test_folder_is_a_link(void **state)
{
    char link[4200];
    (void)state;
    snprintf(link, sizeof link, "%s-link", folder);
    assert_int_equal(symlink(folder, link), 0);
    char *found = cls_disk_cache_open(link);
    assert_non_null(found);
    assert_string_equal(found, folder);
    free(found);
    chmod(folder, 0770);
    assert_null(cls_disk_cache_open(link));
    chmod(folder, 0700);
    if (geteuid() == 0) { /* only root can give links away */
        assert_int_equal(fchownat(AT_FDCWD, link, NOBODY, NOBODY, AT_SYMLINK_NOFOLLOW), 0);
        assert_null(cls_disk_cache_open(link));
    }
    unlink(link);
    assert_int_equal(symlink(file, link), 0); /* not to a folder */
    assert_null(cls_disk_cache_open(link));
    unlink(link);
    assert_int_equal(symlink("nowhere", link), 0);
    assert_null(cls_disk_cache_open(link));
    unlink(link);
}

static bool use_read_only(void)
{
    if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        return false;
    save_other();
    return count_files() == 1 && load(KEY) == WHOLE;
}

/* A read-only folder is used, and nothing is added. As root, who can write anywhere, the child process changes its
 * user. */
static void test_read_only_folder(void **state)
{
    char *slash;
    (void)state;
    assert_int_equal(chmod(folder, 0500), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(file, NOBODY, NOBODY), 0);
        assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
        slash = strrchr(folder, '/');
        *slash = '\0';
        assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
        char *const upper = strrchr(folder, '/');
        *upper = '\0';
        assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
        *upper = *slash = '/';
    }
    assert_true(passes_in_child(use_read_only));
    chmod(folder, 0700);
}

/* If the disk becomes full at any byte of the new file, the old file stays and no other file is left. */
static void test_full_disk(void **state)
{
    struct stat info;
    (void)state;
    save_other();
    assert_int_equal(stat(file, &info), 0);
    save();
    for (size_t space = 0; space < (size_t)info.st_size; space++) {
        disk_space = space;
        save_other();
        disk_space = SIZE_MAX;
        find_file();
        assert_true(loads(KEY));
    }
    disk_space = (size_t)info.st_size;
    save_other();
    disk_space = SIZE_MAX;
    assert_int_equal(load(KEY), OTHER);
}

static bool save_within_limit(void)
{
    struct stat info;
    struct rlimit limit;
    if (stat(file, &info) != 0 || getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return false;
    for (limit.rlim_cur = (rlim_t)info.st_size + 1; limit.rlim_cur-- > 0;) {
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            return false;
        save();
        if (count_files() != 1 || load(KEY) != WHOLE)
            return false;
    }
    return true;
}

/* A limit on the size of files acts like a full disk, and its signal must not kill the process. */
static void test_limited_file_size(void **state)
{
    (void)state;
    assert_true(passes_in_child(save_within_limit));
}

/* -- several processes at once ----------------------------------------------------------------- */

enum { WRITERS = 2, SAVES = 500, LARGE = 100000 };

/* A large binary whose bytes all identify the writer. */
static bool save_large(int writer)
{
    unsigned char *binary = malloc(LARGE);
    const size_t size = LARGE / 2 * (size_t)(writer + 1);
    if (!binary)
        return false;
    memset(binary, 'a' + writer, size);
    for (int i = 0; i < SAVES; i++)
        cls_disk_cache_save(folder, KEY, binary, size);
    free(binary);
    return true;
}

static bool load_large(void)
{
    size_t size = 0;
    unsigned char *binary = cls_disk_cache_load(folder, KEY, &size);
    if (!binary)
        return false;
    const int writer = binary[0] - 'a';
    bool whole = size == LARGE / 2 * (size_t)(writer + 1);
    for (size_t i = 0; whole && i < size; i++)
        whole = binary[i] == binary[0];
    free(binary);
    return whole;
}

/* Loads find a complete file while several processes replace it. */
static void test_two_writers(void **state)
{
    pid_t writers[WRITERS];
    (void)state;
    unsigned char first[LARGE / 2];
    memset(first, 'a', sizeof first);
    cls_disk_cache_save(folder, KEY, first, sizeof first);
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        if (writers[w] == 0)
            _exit(save_large(w) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int running = WRITERS, attempts = 0, wrong = 0, failed = 0;
    while (running > 0) {
        wrong += !load_large();
        attempts++;
        int status;
        while (running > 0 && waitpid(-1, &status, WNOHANG) > 0) {
            failed += !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS;
            running--;
        }
    }
    assert_int_equal(failed, 0);
    assert_int_equal(wrong, 0);
    assert_true(attempts > 10);
    find_file();
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
    setenv("HOME", folder, 1);
    path = cls_disk_cache_open(NULL);
    assert_non_null(path);
    assert_non_null(strstr(path, "/a/b/.cache/clsort"));
    rmdir(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    free(path);
    unsetenv("HOME");
    cls_disk_cache_save("/nowhere", KEY, BINARY, sizeof BINARY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_bit_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_length_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_could_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_links_and_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_folder_is_a_link, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_read_only_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limited_file_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_writers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_folder, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
