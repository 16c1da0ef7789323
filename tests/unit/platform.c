/* platform.c - files, folders, and large blocks of memory, on POSIX systems and on Windows
 *
 * Permissions, links and pipes, which exist on POSIX systems only, are tested in disk_cache.c and tune_file.c. */
#include "base/platform.h"

#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Windows would change the line ends of a text file, and end it at the byte 26. */
static const char CONTENT[] = "one\r\ntwo\n\x1a three\0four";
enum { SIZE = sizeof CONTENT };

static char top[32], folder[64], path[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(top, "/tmp/clsort-unit-XXXXXX");
    assert_non_null(mkdtemp(top));
    snprintf(folder, sizeof folder, "%s/a/b", top);
    char *opened = cls_folder_open(folder);
    assert_non_null(opened);
    free(opened);
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    rmdir(folder);
    *strrchr(folder, '/') = '\0';
    rmdir(folder);
    return rmdir(top);
}

/* Returns the number of files in the folder. */
static int count_files(void)
{
    DIR *handle = opendir(folder);
    int files = 0;
    assert_non_null(handle);
    for (struct dirent *entry; (entry = readdir(handle)) != NULL;)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(handle);
    return files;
}

static void save(const void *content, size_t size)
{
    const struct cls_bytes part = {content, size};
    cls_file_replace(folder, path, &part, 1);
}

static void holds(const void *content, size_t size)
{
    size_t found = 99;
    bool is_missing = true;
    unsigned char *loaded = cls_file_load(path, CLS_ACCESS_PRIVATE, size, &found, &is_missing);
    assert_non_null(loaded);
    assert_false(is_missing);
    assert_int_equal(found, size);
    assert_memory_equal(loaded, content, size);
    free(loaded);
}

/* A failure to load the file, and whether the file is missing. */
static void is_refused(const char *name, size_t max_size, bool expect_missing)
{
    static const enum cls_access all[] = {CLS_ACCESS_ANY, CLS_ACCESS_PRIVATE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t size;
        bool is_missing = !expect_missing;
        assert_null(cls_file_load(name, all[i], max_size, &size, &is_missing));
        assert_int_equal(is_missing, expect_missing);
    }
}

/* -- the folders of the user ----------------------------------------------------------------------- */

static void set(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void is_default(enum cls_folder which, const char *parent, const char *name)
{
    const struct cls_default_folder found = cls_default_folder(which);
    assert_string_equal(found.parent ? found.parent : "none", parent);
    if (found.parent)
        assert_string_equal(found.name, name);
}

static void default_folders(void **state)
{
    (void)state;
#ifdef _WIN32
    set("LOCALAPPDATA", "C:\\local");
    set("APPDATA", "C:\\roaming");
    is_default(CLS_FOLDER_CACHE, "C:\\local", "clsort");
    is_default(CLS_FOLDER_CONFIG, "C:\\roaming", "clsort");
    set("LOCALAPPDATA", "");
    set("APPDATA", NULL);
#else
    set("XDG_CACHE_HOME", "/cache");
    set("XDG_CONFIG_HOME", "/config");
    set("HOME", "/home");
    is_default(CLS_FOLDER_CACHE, "/cache", "clsort");
    is_default(CLS_FOLDER_CONFIG, "/config", "clsort");
    set("XDG_CACHE_HOME", "relative");
    set("XDG_CONFIG_HOME", NULL);
    is_default(CLS_FOLDER_CACHE, "/home", ".cache/clsort");
    is_default(CLS_FOLDER_CONFIG, "/home", ".config/clsort");
    set("HOME", "");
#endif
    is_default(CLS_FOLDER_CACHE, "none", "");
    is_default(CLS_FOLDER_CONFIG, "none", "");
}

/* -- folders --------------------------------------------------------------------------------------- */

/* Returns whether the folder is usable. Opening it must not modify the path in the end. */
static bool opens(const char *name)
{
    char text[256];
    snprintf(text, sizeof text, "%s", name);
    char *opened = cls_folder_open(text);
    assert_string_equal(text, name);
    struct stat info;
    assert_true(!opened || (stat(opened, &info) == 0 && S_ISDIR(info.st_mode)));
    free(opened);
    return opened != NULL;
}

static void folders(void **state)
{
    char name[256];
    (void)state;
    assert_true(opens(folder)); /* exists */
    snprintf(name, sizeof name, "%s/c/d", folder);
    assert_true(opens(name));
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir(name), 0);
    snprintf(name, sizeof name, "%s/c/", folder);
    assert_true(opens(name));
    assert_int_equal(rmdir(name), 0);
#ifdef _WIN32
    snprintf(name, sizeof name, "%s\\c\\d", folder);
    assert_true(opens(name));
    assert_int_equal(rmdir(name), 0);
    *strrchr(name, '\\') = '\0';
    assert_int_equal(rmdir(name), 0);
#endif
    save(CONTENT, SIZE);
    assert_false(opens(path)); /* a file */
    snprintf(name, sizeof name, "%s/c", path);
    assert_false(opens(name)); /* cannot be created */
    assert_false(opens(""));
    assert_int_equal(count_files(), 1);
}

/* The path that is returned is still right after the process has changed its working folder. */
static void relative_folder(void **state)
{
    char before[4096], name[] = "c";
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    char *opened = cls_folder_open(name);
    assert_int_equal(chdir(before), 0);
    assert_non_null(opened);
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir(opened), 0);
    free(opened);
    assert_int_equal(count_files(), 0);
}

/* -- files ----------------------------------------------------------------------------------------- */

static void round_trip(void **state)
{
    (void)state;
    save(CONTENT, SIZE);
    holds(CONTENT, SIZE);
    save("other", 5); /* replaces the file */
    holds("other", 5);
    save("", 0);
    holds("", 0);
    const struct cls_bytes parts[] = {{CONTENT, 4}, {"", 0}, {CONTENT + 4, SIZE - 4}};
    cls_file_replace(folder, path, parts, sizeof parts / sizeof *parts);
    holds(CONTENT, SIZE);
    assert_int_equal(count_files(), 1);
}

static void files_that_are_not_loaded(void **state)
{
    char name[256];
    (void)state;
    is_refused(path, SIZE, true);
    save(CONTENT, SIZE);
    is_refused(path, SIZE - 1, false);
    is_refused(path, 0, false);
    is_refused(folder, SIZE, false);
    snprintf(name, sizeof name, "%s/below", path);
    is_refused(name, SIZE, true);
    snprintf(name, sizeof name, "%s/nowhere/file", folder);
    is_refused(name, SIZE, true);
}

/* Data is read in order, and not beyond the end of the file. */
static void reads_in_pieces(void **state)
{
    struct cls_file file;
    bool is_missing = true;
    char data[SIZE];
    (void)state;
    save(CONTENT, SIZE);
    assert_true(cls_file_open(path, CLS_ACCESS_ANY, &file, &is_missing));
    assert_false(is_missing);
    assert_int_equal(file.size, SIZE);
    assert_true(cls_file_read(&file, data, 3));
    assert_true(cls_file_read(&file, data + 3, SIZE - 3));
    assert_memory_equal(data, CONTENT, SIZE);
    assert_false(cls_file_read(&file, data, 1));
    cls_file_close(&file);
}

/* A failure changes nothing and leaves no temporary file. */
static void files_that_are_not_written(void **state)
{
    char name[256];
    const struct cls_bytes part = {CONTENT, SIZE};
    (void)state;
    save("old", 3);
    snprintf(name, sizeof name, "%s/c", folder);
    assert_true(opens(name));
    cls_file_replace(folder, name, &part, 1); /* a folder is not replaced */
    assert_int_equal(count_files(), 2);
    assert_int_equal(rmdir(name), 0);
    snprintf(name, sizeof name, "%s/nowhere", folder);
    cls_file_replace(name, path, &part, 1);
    holds("old", 3);
    assert_int_equal(count_files(), 1);
}

/* A reader that has opened the file keeps the old contents. */
static void replaced_while_open(void **state)
{
    struct cls_file file;
    bool is_missing;
    char data[SIZE];
    (void)state;
    save(CONTENT, SIZE);
    assert_true(cls_file_open(path, CLS_ACCESS_PRIVATE, &file, &is_missing));
    save("other", 5);
    assert_true(cls_file_read(&file, data, SIZE));
    cls_file_close(&file);
    assert_memory_equal(data, CONTENT, SIZE);
    assert_int_equal(count_files(), 1);
}

/* -- large blocks of memory ------------------------------------------------------------------------ */

static void pages(void **state)
{
    static const size_t sizes[] = {CLS_MIN_PAGES_BYTES, CLS_MIN_PAGES_BYTES + 1, (64 << 20) - 1};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *block = cls_pages_alloc(sizes[i]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 4096, 0);
        memset(block, 0xa5, sizes[i]);
        assert_int_equal(block[0], 0xa5);
        assert_int_equal(block[sizes[i] - 1], 0xa5);
        cls_pages_free(block);
    }
    cls_pages_free(NULL);
    assert_null(cls_pages_alloc(SIZE_MAX));
    assert_null(cls_pages_alloc(SIZE_MAX - (4 << 20)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_folders),
        cmocka_unit_test_setup_teardown(folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relative_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_are_not_loaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_in_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_are_not_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replaced_while_open, set_up, tear_down),
        cmocka_unit_test(pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
