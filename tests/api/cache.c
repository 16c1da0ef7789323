/* cache.c - the disk cache when it is filled, used, damaged or not accessible: sorts are always correct. This program
 * replaces clGetPlatformInfo of the loader to hide PoCL 3.1, whose binaries are not cached. */
#include "check.h"
#include "folder.h"
#include "next.h"
#include "sort_case.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A temporary folder, and the path of a cache in it that does not exist yet. */
struct temp {
    struct env env;
    char top[32];
    char cache[64];
};

enum { MAX_FILES = 64 };

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size,
                                     void *to, size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
    char version[128] = "";
    next_function("clGetPlatformInfo", &query);
    query(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    if (what != CL_PLATFORM_NAME || !to || !strstr(version, "PoCL 3."))
        return query(platform, what, size, to, size_ret);
    snprintf(to, size, "other");
    return CL_SUCCESS;
}

struct file {
    char path[512];
    ino_t inode;
    off_t size;
};

static int open_temp(void **state)
{
    struct temp *temp = calloc(1, sizeof *temp);
    assert_non_null(temp);
    *state = temp;
    assert_ok(env_open(&temp->env));
    clsort_engine_destroy(temp->env.engine);
    temp->env.engine = NULL;
    strcpy(temp->top, "/tmp/clsort-cache-XXXXXX");
    assert_non_null(mkdtemp(temp->top));
    snprintf(temp->cache, sizeof temp->cache, "%s/cache", temp->top);
    return 0;
}

/* Lists the files of a folder. Returns 0 if the folder does not exist. */
static size_t list_files(const char *folder, struct file files[MAX_FILES])
{
    size_t count = 0;
    DIR *handle = opendir(folder);
    if (!handle)
        return 0;
    for (struct dirent *entry = readdir(handle); entry; entry = readdir(handle)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        assert_true(count < MAX_FILES);
        struct file *file = &files[count++];
        snprintf(file->path, sizeof file->path, "%s/%s", folder, entry->d_name);
        struct stat info;
        assert_int_equal(lstat(file->path, &info), 0);
        file->inode = info.st_ino;
        file->size = info.st_size;
    }
    closedir(handle);
    return count;
}

static int close_temp(void **state)
{
    struct temp *temp = *state;
    folder_remove(temp->top);
    env_close(&temp->env);
    free(temp);
    return 0;
}

/* Sorts keys and pairs, which use different programs, with a new engine, which has no programs in memory. */
static void sort_with(struct temp *temp, const char *cache_dir)
{
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = cache_dir;
    struct env env = temp->env;
    assert_ok(clsort_engine_create(env.context, env.device, &options, &env.engine));
    struct sort_case keys = sort_case_default(3000);
    struct sort_case pairs = keys;
    pairs.value_size = 4;
    bool right =
        sort_case_run(&keys, &env) == SORT_RIGHT && sort_case_run(&pairs, &env) == SORT_RIGHT;
    clsort_engine_destroy(env.engine);
    assert_true(right);
}

static unsigned mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void filled_and_used(void **state)
{
    struct temp *temp = *state;
    sort_with(temp, temp->cache);
    struct file before[MAX_FILES];
    size_t count = list_files(temp->cache, before);
    assert_true(count > 0);
    assert_int_equal(mode_of(temp->cache), 0700);

    /* A program that was read from the cache is not written again. */
    sort_with(temp, temp->cache);
    struct file after[MAX_FILES];
    assert_int_equal(list_files(temp->cache, after), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(after[i].inode, before[i].inode);
}

static void from_the_environment(void **state)
{
    struct temp *temp = *state;
    char *saved = getenv("CLSORT_CACHE_DIR");
    saved = saved ? strdup(saved) : NULL;
    assert_int_equal(setenv("CLSORT_CACHE_DIR", temp->cache, 1), 0);
    struct file files[MAX_FILES];
    sort_with(temp, "");
    assert_int_equal(list_files(temp->cache, files), 0);
    sort_with(temp, NULL);
    assert_true(list_files(temp->cache, files) > 0);

    folder_remove(temp->cache);
    assert_int_equal(setenv("CLSORT_CACHE_DIR", "", 1), 0);
    sort_with(temp, NULL);
    assert_int_equal(unsetenv("CLSORT_CACHE_DIR"), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", temp->top, 1), 0);
    sort_with(temp, NULL);
    char path[64];
    snprintf(path, sizeof path, "%s/clsort", temp->top);
    assert_true(list_files(path, files) > 0);
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    if (saved)
        assert_int_equal(setenv("CLSORT_CACHE_DIR", saved, 1), 0);
    free(saved);
}

/* Returns whether each file has been replaced by a new one. */
static bool all_replaced(const struct file *before, const struct file *after, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (strcmp(after[i].path, before[j].path) == 0 && after[i].inode == before[j].inode)
                return false;
    return true;
}

/* -- damage to one file of the cache --------------------------------------------------------------- */

static void flip_bit(const struct file *file, off_t offset)
{
    int handle = open(file->path, O_RDWR);
    assert_true(handle >= 0);
    unsigned char byte;
    assert_int_equal(pread(handle, &byte, 1, offset), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(handle, &byte, 1, offset), 1);
    close(handle);
}

static void flip_first(const struct file *file)
{
    flip_bit(file, 0);
}

static void flip_middle(const struct file *file)
{
    flip_bit(file, file->size / 2);
}

static void flip_last(const struct file *file)
{
    flip_bit(file, file->size - 1);
}

static void truncate_by_one(const struct file *file)
{
    assert_int_equal(truncate(file->path, file->size - 1), 0);
}

static void truncate_to_half(const struct file *file)
{
    assert_int_equal(truncate(file->path, file->size / 2), 0);
}

static void truncate_to_ten(const struct file *file)
{
    assert_int_equal(truncate(file->path, 10), 0);
}

static void empty(const struct file *file)
{
    assert_int_equal(truncate(file->path, 0), 0);
}

static void append(const struct file *file)
{
    assert_int_equal(truncate(file->path, file->size + 1000), 0);
}

static void replace_by_text(const struct file *file)
{
    FILE *handle = fopen(file->path, "w");
    assert_non_null(handle);
    for (int i = 0; i < 10000; i++)
        fputs("not a program ", handle);
    fclose(handle);
}

static void replace_by_dangling_link(const struct file *file)
{
    assert_int_equal(unlink(file->path), 0);
    assert_int_equal(symlink("/nowhere/at/all", file->path), 0);
}

/* Moves the file and leaves a link to it. */
static void replace_by_link(const struct file *file)
{
    char folder[sizeof file->path], moved[sizeof file->path + 8];
    snprintf(folder, sizeof folder, "%s", file->path);
    *strrchr(folder, '/') = '\0'; /* the path of the cache */
    snprintf(moved, sizeof moved, "%s-%s", folder, strrchr(file->path, '/') + 1);
    assert_int_equal(rename(file->path, moved), 0);
    assert_int_equal(symlink(moved, file->path), 0);
}

static void replace_by_pipe(const struct file *file)
{
    assert_int_equal(unlink(file->path), 0);
    assert_int_equal(mkfifo(file->path, 0600), 0);
}

static void let_others_write(const struct file *file)
{
    assert_int_equal(chmod(file->path, 0666), 0);
}

static void give_away(const struct file *file)
{
    if (geteuid() == 0) /* only root can change the owner */
        assert_int_equal(chown(file->path, 1, 1), 0);
    else
        let_others_write(file);
}

/* A damaged file is not used: the program is compiled again and replaces it. */
static void damaged_files(void **state)
{
    struct temp *temp = *state;
    static void (*const damages[])(const struct file *) = {
        flip_first,       flip_middle,     flip_last, truncate_by_one,
        truncate_to_half, truncate_to_ten, empty,     append,
        replace_by_text,  replace_by_link, give_away, replace_by_dangling_link,
        let_others_write, replace_by_pipe};
    sort_with(temp, temp->cache);
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        struct file files[MAX_FILES];
        size_t count = list_files(temp->cache, files);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            damages[d](&files[i]);
        struct file damaged[MAX_FILES];
        struct file after[MAX_FILES];
        assert_int_equal(list_files(temp->cache, damaged), count);
        sort_with(temp, temp->cache);
        assert_int_equal(list_files(temp->cache, after), count);
        assert_true(all_replaced(damaged, after, count));
    }
}

/* Folders that have the names of files cannot be replaced. */
static void folders_for_files(void **state)
{
    struct temp *temp = *state;
    sort_with(temp, temp->cache);
    struct file files[MAX_FILES];
    size_t count = list_files(temp->cache, files);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(unlink(files[i].path), 0);
        assert_int_equal(mkdir(files[i].path, 0700), 0);
    }
    sort_with(temp, temp->cache);
    struct file after[MAX_FILES];
    assert_int_equal(list_files(temp->cache, after), count); /* no incomplete files */
}

/* A file with another program's name is not used but replaced. */
static void swapped_files(void **state)
{
    struct temp *temp = *state;
    sort_with(temp, temp->cache);
    struct file files[MAX_FILES];
    size_t count = list_files(temp->cache, files);
    assert_true(count >= 2);
    char aside[96];
    snprintf(aside, sizeof aside, "%s/aside", temp->top);
    assert_int_equal(rename(files[0].path, aside), 0);
    for (size_t i = 1; i < count; i++)
        assert_int_equal(rename(files[i].path, files[i - 1].path), 0);
    assert_int_equal(rename(aside, files[count - 1].path), 0);
    struct file swapped[MAX_FILES];
    struct file after[MAX_FILES];
    assert_int_equal(list_files(temp->cache, swapped), count);
    sort_with(temp, temp->cache);
    assert_int_equal(list_files(temp->cache, after), count);
    assert_true(all_replaced(swapped, after, count));
}

/* A folder that others can write to is neither read nor written. */
static void unsafe_folders(void **state)
{
    struct temp *temp = *state;
    static const mode_t modes[] = {0777, 0770, 0707, 01777};
    struct file files[MAX_FILES];
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(mkdir(temp->cache, 0700), 0);
        assert_int_equal(chmod(temp->cache, modes[i]), 0);
        sort_with(temp, temp->cache);
        assert_int_equal(list_files(temp->cache, files), 0);
        assert_int_equal(mode_of(temp->cache), modes[i]);
        folder_remove(temp->cache);
    }
    /* A link to a usable folder is followed, but not one to an unsafe folder. */
    char link[80];
    snprintf(link, sizeof link, "%s/link", temp->top);
    assert_int_equal(mkdir(temp->cache, 0700), 0);
    assert_int_equal(symlink("cache", link), 0);
    assert_int_equal(chmod(temp->cache, 0770), 0);
    sort_with(temp, link);
    assert_int_equal(list_files(temp->cache, files), 0);
    assert_int_equal(chmod(temp->cache, 0700), 0);
    sort_with(temp, link);
    assert_true(list_files(temp->cache, files) > 0);
    folder_remove(temp->cache);
    sort_with(temp, link); /* dangling */
    assert_int_equal(list_files(temp->cache, files), 0);
    if (geteuid() == 0) { /* only root can change the owner */
        assert_int_equal(mkdir(temp->cache, 0700), 0);
        assert_int_equal(chown(temp->cache, 1, 1), 0);
        sort_with(temp, temp->cache);
        assert_int_equal(list_files(temp->cache, files), 0);
    }
}

static void impossible_folders(void **state)
{
    struct temp *temp = *state;
    assert_int_equal(mkdir(temp->cache, 0500), 0);
    sort_with(temp, temp->cache);
    folder_remove(temp->cache);

    int handle = open(temp->cache, O_CREAT | O_WRONLY, 0600);
    assert_true(handle >= 0);
    close(handle);
    sort_with(temp, temp->cache);
    char below[96];
    snprintf(below, sizeof below, "%s/below/a/file", temp->cache);
    sort_with(temp, below);
    struct stat info;
    assert_int_equal(stat(temp->cache, &info), 0);
    assert_true(S_ISREG(info.st_mode) && info.st_size == 0);

    static char too_long[2 * PATH_MAX];
    memset(too_long, 'x', sizeof too_long - 1);
    too_long[0] = '/';
    sort_with(temp, too_long);
}

#define CACHE_TEST(name) cmocka_unit_test_setup_teardown(name, open_temp, close_temp)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_TEST(filled_and_used),    CACHE_TEST(from_the_environment),
        CACHE_TEST(damaged_files),      CACHE_TEST(folders_for_files),
        CACHE_TEST(swapped_files),      CACHE_TEST(unsafe_folders),
        CACHE_TEST(impossible_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
