/* tune_file.c - the file of clsort-tune's ladders: its path, valid files, and invalid files, which are ignored */
#include "plan/tune_file.h"

#include "unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD "clsort-tune " CLSORT_VERSION_STRING "\ndevice Made Up (tm) 9000\n"

enum { NOBODY = 65534, MAX_BYTES = 1 << 16, HANGS_SECONDS = 60 };

static const struct cls_caps DEVICE = {.type = CL_DEVICE_TYPE_GPU,
                                       .identified = true,
                                       .name = "Made Up (tm) 9000",
                                       .vendor = "Nobody",
                                       .platform_name = "A Platform"};

static char folder[] = "/tmp/clsort-tune-XXXXXX", path[64], moved[64];

/* -- the path -------------------------------------------------------------------------------------- */

/* Checks the path of the file. "": the device has no file. */
static void is_at(const struct cls_caps *caps, const char *option, const char *expected)
{
    char *name = cls_tune_file(caps, option);
    assert_string_equal(name ? name : "", expected);
    free(name);
}

static void test_folders(void **state)
{
    static const char file[] = "A-Platform.Made-Up--tm--9000.tune";
    static const struct {
        const char *option, *own, *xdg, *home, *expected;
    } rows[] = {
        {"/o", "/c", "/x", "/h", "/o/"},
        {NULL, "/c", "/x", "/h", "/c/"},
        {NULL, NULL, "/x", "/h", "/x/clsort/"},
        {NULL, NULL, "", "/h", "/h/.config/clsort/"},
        {NULL, NULL, NULL, "/h", "/h/.config/clsort/"},
        {"/o", NULL, NULL, NULL, "/o/"},
        {"o", NULL, NULL, NULL, "o/"},
        {"/o/", NULL, NULL, NULL, "/o//"},
        /* no folder is known */
        {"", "/c", "/x", "/h", NULL},
        {NULL, "", "/x", "/h", NULL},
        {NULL, NULL, NULL, "", NULL},
        {NULL, NULL, "", NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct {
            const char *name, *value;
        } variables[] = {{"CLSORT_CONFIG_DIR", rows[i].own},
                         {"XDG_CONFIG_HOME", rows[i].xdg},
                         {"HOME", rows[i].home}};
        for (size_t v = 0; v < sizeof variables / sizeof *variables; v++)
            assert_int_equal(variables[v].value ? setenv(variables[v].name, variables[v].value, 1)
                                                : unsetenv(variables[v].name),
                             0);
        char expected[128] = "";
        if (rows[i].expected)
            snprintf(expected, sizeof expected, "%s%s", rows[i].expected, file);
        is_at(&DEVICE, rows[i].option, expected);
    }
}

static void test_names(void **state)
{
    static const struct {
        const char *platform, *device, *expected;
    } rows[] = {
        {"NVIDIA CUDA", "NVIDIA H200", "/o/NVIDIA-CUDA.NVIDIA-H200.tune"},
        {"../..", "/etc/passwd", "/o/-----.-etc-passwd.tune"},
        {"a.b_c", "%s%n\n\t;$(x)", "/o/a-b-c.-s-n-----x-.tune"},
        {"0189azAZ", "@[`{/:", "/o/0189azAZ.------.tune"},
        {"\xc3\xa4", "\xff", "/o/--.-.tune"},
        {"", "", "/o/..tune"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cls_caps caps = DEVICE;
        strcpy(caps.platform_name, rows[i].platform);
        strcpy(caps.name, rows[i].device);
        is_at(&caps, "/o", rows[i].expected);
    }
}

/* Long names of devices give file names that the system accepts. */
static void test_long_names(void **state)
{
    struct cls_caps caps = DEVICE;
    (void)state;
    memset(caps.name, 'd', sizeof caps.name - 1);
    memset(caps.platform_name, 'p', sizeof caps.platform_name - 1);
    char *name = cls_tune_file(&caps, folder);
    assert_non_null(name);
    const int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    assert_true(file >= 0);
    close(file);
    unlink(name);
    free(name);
}

static void test_long_folders(void **state)
{
    char option[2 * PATH_MAX];
    (void)state;
    for (size_t length = PATH_MAX - 300; length < sizeof option; length++) {
        memset(option, 'o', length);
        option[length] = '\0';
        char *name = cls_tune_file(&DEVICE, option);
        /* A truncated name could be that of another file. */
        if (name) {
            assert_true(strlen(name) < PATH_MAX);
            assert_memory_equal(name, option, length);
            assert_string_equal(name + length, "/A-Platform.Made-Up--tm--9000.tune");
        } else {
            assert_true(length > PATH_MAX - 64);
        }
        free(name);
    }
}

/* A device that cannot be identified has no file. */
static void test_unidentified(void **state)
{
    struct cls_caps caps = DEVICE;
    (void)state;
    caps.identified = false;
    is_at(&caps, "/o", "");
}

/* -- valid files ----------------------------------------------------------------------------------- */

static void write_bytes(const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static char note[512];

/* The ladders before and after the file is read. */
static struct cls_ladders before, after;

/* Can run in a child process, since it makes no CMocka assertions. */
static void read_path(void)
{
    struct cls_text text = CLS_TEXT(note);
    *note = '\0';
    before = cls_ladders_for(&DEVICE);
    memcpy(&after, &before, sizeof after);
    cls_tune_file_read(path, &DEVICE, &after, &text);
}

static bool unchanged(void)
{
    return memcmp(&after, &before, sizeof after) == 0;
}

/* Checks a ladder, given in the syntax of the file, "name count; name count". NULL: the ladder is unchanged. */
static void has_ladder(const char *kind, const char *expected)
{
    size_t i = 0;
    while (strcmp(cls_kind_name(i), kind) != 0)
        i++;
    struct cls_ladder ladder = {0};
    if (!expected) {
        assert_memory_equal(&after.of[i], &before.of[i], sizeof ladder);
        return;
    }
    assert_true(cls_ladder_read(expected, strlen(expected), &ladder));
    assert_int_equal(after.of[i].steps, ladder.steps);
    assert_memory_equal(after.of[i].step, ladder.step, sizeof ladder.step);
    assert_non_null(strstr(after.of[i].source, "clsort-tune"));
}

/* Checks that all other ladders are unchanged. */
static void has_no_ladder_but(const char *kind, const char *expected)
{
    for (size_t i = 0; cls_kind_name(i); i++)
        has_ladder(cls_kind_name(i), strcmp(cls_kind_name(i), kind) == 0 ? expected : NULL);
}

static void test_all_kinds(void **state)
{
    static const char text[] = HEAD
        "keys 1: bitonic 50; count\n"
        "keys 2: bitonic 100; cpu\n"
        "keys 4: local 200; radix:bits=4\n"
        "keys 8: bitonic 300; merge\n"
        "pairs 1: radix 40; cpu\n"
        "pairs 2: radix 400; cpu\n"
        "pairs 4: local; merge 500; radix\n"
        "pairs 8: merge\n";
    (void)state;
    write_bytes(text, sizeof text - 1);
    read_path();
    assert_string_equal(note, "");
    has_ladder("keys 1", "bitonic 50; count");
    has_ladder("keys 2", "bitonic 100; cpu");
    has_ladder("keys 4", "local 200; radix:bits=4");
    has_ladder("keys 8", "bitonic 300; merge");
    has_ladder("pairs 1", "radix 40; cpu");
    has_ladder("pairs 2", "radix 400; cpu");
    has_ladder("pairs 4", "local; merge 500; radix");
    has_ladder("pairs 8", "merge");
}

static void test_some_kinds(void **state)
{
    static const char text[] = HEAD "pairs 4: merge 77; cpu\n";
    (void)state;
    write_bytes(text, sizeof text - 1);
    read_path();
    assert_string_equal(note, "");
    has_no_ladder_but("pairs 4", "merge 77; cpu");
}

/* The file that clsort-tune writes if it had no time to measure. */
static void test_no_kinds(void **state)
{
    (void)state;
    write_bytes(HEAD, sizeof HEAD - 1);
    read_path();
    assert_string_equal(note, "");
    assert_true(unchanged());
}

static void test_comments(void **state)
{
    static const char text[] = HEAD
        "# driver 1.2\n"
        "\n"
        "#\n"
        "keys 4:merge 5;radix\n"
        "# 2^4: radix 6.31e+03 us cpu 36.1 us\n"
        "#keys 8: merge\n"
        "\n"
        "# keys 2: bubble\n";
    (void)state;
    write_bytes(text, sizeof text - 1);
    read_path();
    assert_string_equal(note, "");
    has_no_ladder_but("keys 4", "merge 5; radix");
}

/* A file of exactly the maximum size is read completely. */
static void test_largest(void **state)
{
    static const char end[] = "\npairs 8: merge 99; cpu\n";
    static char text[MAX_BYTES + 1];
    (void)state;
    memset(text, '#', sizeof text);
    memcpy(text, HEAD, sizeof HEAD - 1);
    memcpy(text + MAX_BYTES - (sizeof end - 1), end, sizeof end - 1);
    write_bytes(text, MAX_BYTES);
    read_path();
    assert_string_equal(note, "");
    has_ladder("pairs 8", "merge 99; cpu");

    /* With one more byte it is refused. */
    text[MAX_BYTES] = '\n';
    write_bytes(text, MAX_BYTES + 1);
    read_path();
    assert_true(unchanged());
    assert_non_null(strstr(note, path));
    assert_non_null(strstr(note, "ignored"));
}

/* -- invalid contents ------------------------------------------------------------------------------ */

static void is_refused(const char *text, size_t size, unsigned line, const char *reason)
{
    char position[sizeof path + 16];
    snprintf(position, sizeof position, "%s:%u:", path, line);
    write_bytes(text, size);
    read_path();
    if (!unchanged() || strncmp(note, position, strlen(position)) != 0 || !strstr(note, reason))
        fail_msg("the file '%.*s' gives '%s'", (int)size, text, note);
}

/* The file begins with a valid line, to check that it is not used if another line is invalid. */
static void test_bad_texts(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *reason;
    } rows[] = {
        {"", 1, "ends before"},
        {"\n", 1, "version"},
        {"clsort-tune " CLSORT_VERSION_STRING "\n", 2, "ends before"},
        {"clsort-tune " CLSORT_VERSION_STRING, 1, "no end"},
        /* versions */
        {"clsort-tune 0.0.0\ndevice Made Up (tm) 9000\nkeys 4: merge\n", 1, "version"},
        {"clsort-tune " CLSORT_VERSION_STRING "1\ndevice Made Up (tm) 9000\n", 1, "version"},
        {"clsort-tune  " CLSORT_VERSION_STRING "\ndevice Made Up (tm) 9000\n", 1, "version"},
        {"clsort-tune " CLSORT_VERSION_STRING "\r\ndevice Made Up (tm) 9000\r\n", 1, "version"},
        {"clsort-tune\ndevice Made Up (tm) 9000\n", 1, "version"},
        {"# a comment\n" HEAD, 1, "version"},
        {"keys 4: merge\n" HEAD, 1, "version"},
        /* devices */
        {"clsort-tune " CLSORT_VERSION_STRING "\ndevice Made Up (tm) 900\nkeys 4: merge\n", 2,
         "device"},
        {"clsort-tune " CLSORT_VERSION_STRING "\ndevice Made Up (tm) 90000\n", 2, "device"},
        {"clsort-tune " CLSORT_VERSION_STRING "\ndevice\n", 2, "device"},
        {"clsort-tune " CLSORT_VERSION_STRING "\ndevice \n", 2, "device"},
        {"clsort-tune " CLSORT_VERSION_STRING "\n\ndevice Made Up (tm) 9000\n", 2, "device"},
        {"clsort-tune " CLSORT_VERSION_STRING "\nkeys 4: merge\n", 2, "device"},
        /* kinds */
        {HEAD "keys 4: merge\nkeys 3: merge\n", 4, "kind"},
        {HEAD "keys 4: merge\nkeys 44: merge\n", 4, "kind"},
        {HEAD "keys 4: merge\nkeys 8 merge\n", 4, "kind"},
        {HEAD "keys 4: merge\nkeys 8\n", 4, "kind"},
        {HEAD "keys 4: merge\nkeys 8 : merge\n", 4, "kind"},
        {HEAD "keys 4: merge\n keys 8: merge\n", 4, "kind"},
        {HEAD "keys 4: merge\nKeys 8: merge\n", 4, "kind"},
        {HEAD "keys 4: merge\nkeys: merge\n", 4, "kind"},
        {HEAD "keys 4: merge\n: merge\n", 4, "kind"},
        {HEAD "keys 4: merge\nmerge\n", 4, "kind"},
        {HEAD "keys 4: merge\n # no comment\n", 4, "kind"},
        {HEAD "keys 4: merge\nkeys 8: merge\n\n\n#\njunk\nkeys 2: merge\n", 8, "kind"},
        /* ladders */
        {HEAD "keys 4: merge\nkeys 8:\n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: \n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: bubble\n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: merge 0\n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: merge 10;\n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: merge # as it is\n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: radix:bits=99\n", 4, "algorithm"},
        {HEAD "keys 4: merge\nkeys 8: merge\r\n", 4, "algorithm"},
        {HEAD "keys 4: merge\n"
              "keys 8: cpu 1; cpu 2; cpu 3; cpu 4; cpu 5; cpu 6; cpu 7; cpu 8; cpu 9; cpu 10; cpu "
              "11; cpu 12; cpu 13\n",
         4, "algorithm"},
        /* ends */
        {HEAD "keys 4: merge\nkeys 8: merge", 4, "no end"},
        {HEAD "keys 4: merge", 3, "no end"},
        {HEAD "keys 4: merge\n#", 4, "no end"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_refused(rows[i].text, strlen(rows[i].text), rows[i].line, rows[i].reason);
}

/* A zero byte does not end a file. */
static void test_zero_bytes(void **state)
{
    static const char head[] = "clsort-tune " CLSORT_VERSION_STRING "\0\n",
                      device[] =
                          "clsort-tune " CLSORT_VERSION_STRING "\ndevice Made Up (tm) 9000\0\n",
                      kind[] = HEAD "keys 4: merge\n\0keys 8: merge\n",
                      ladder[] = HEAD "keys 4: merge\nkeys 8: merge\0 bubble\n",
                      last[] = HEAD "keys 4: merge\0\n", end[] = HEAD "keys 4: merge\n\0";
    (void)state;
    is_refused(head, sizeof head - 1, 1, "version");
    is_refused(device, sizeof device - 1, 2, "device");
    is_refused(kind, sizeof kind - 1, 4, "kind");
    is_refused(ladder, sizeof ladder - 1, 4, "algorithm");
    is_refused(last, sizeof last - 1, 3, "algorithm");
    is_refused(end, sizeof end - 1, 4, "no end"); /* includes a zero byte */
}

/* A truncated file is valid only if it ends at the end of a line. */
static void test_cut(void **state)
{
    static const char text[] = HEAD "keys 4: bitonic 4096; merge\npairs 8: radix\n";
    (void)state;
    for (size_t size = 0; size < sizeof text; size++) {
        write_bytes(text, size);
        read_path();
        const bool is_whole = size >= sizeof HEAD - 1 && text[size - 1] == '\n';
        assert_int_equal(*note == '\0', is_whole);
        assert_true(is_whole || unchanged());
    }
}

/* -- paths without a readable file ----------------------------------------------------------------- */

static void has_note(void)
{
    assert_true(unchanged());
    assert_memory_equal(note, path, strlen(path));
    assert_non_null(strstr(note, "ignored"));
}

static void is_silent(void)
{
    read_path();
    assert_true(unchanged());
    assert_string_equal(note, "");
}

static void test_missing(void **state)
{
    static const char text[] = "a file";
    (void)state;
    unlink(path);
    is_silent();
    assert_int_equal(symlink("nowhere", path), 0);
    is_silent();
    unlink(path);
    /* A folder of the path is missing, or is a file. */
    write_bytes(text, sizeof text);
    assert_int_equal(rename(path, moved), 0);
    snprintf(path, sizeof path, "%s/moved/x", folder);
    is_silent();
    snprintf(path, sizeof path, "%s/no/such/x", folder);
    is_silent();
    unlink(moved);
}

static void test_links(void **state)
{
    static const char text[] = HEAD "keys 8: merge 1234; cpu\n";
    (void)state;
    write_bytes(text, sizeof text - 1);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink("moved", path), 0);
    read_path();
    assert_string_equal(note, "");
    has_ladder("keys 8", "merge 1234; cpu");
    unlink(path);
    unlink(moved);
    assert_int_equal(symlink("file", path), 0); /* to itself */
    read_path();
    has_note();
}

/* A named pipe that no process opens for writing, or writes to. */
static void test_pipe(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(HANGS_SECONDS);
    read_path();
    has_note();
    const int writer = open(path, O_RDWR);
    assert_true(writer >= 0);
    read_path();
    alarm(0);
    has_note();
    close(writer);
}

static void test_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path, 0700), 0);
    read_path();
    assert_int_equal(rmdir(path), 0);
    has_note();
}

/* As root, who can read everything, the child process changes its user. */
static void test_unreadable(void **state)
{
    static const char text[] = HEAD "keys 8: merge\n";
    int status = -1;
    (void)state;
    write_bytes(text, sizeof text - 1);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chmod(path, 0), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
            _exit(EXIT_FAILURE);
        read_path();
        _exit(unchanged() && strstr(note, path) && strstr(note, "cannot be read") ? EXIT_SUCCESS
                                                                                  : EXIT_FAILURE);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(moved, sizeof moved, "%s/moved", folder);
    return 0;
}

static int tear_down(void **state)
{
    set_up(state);
    unlink(path);
    return 0;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(test_folders),      FILE_TEST(test_names),        FILE_TEST(test_long_names),
        FILE_TEST(test_long_folders), FILE_TEST(test_unidentified), FILE_TEST(test_all_kinds),
        FILE_TEST(test_some_kinds),   FILE_TEST(test_no_kinds),     FILE_TEST(test_comments),
        FILE_TEST(test_largest),      FILE_TEST(test_bad_texts),    FILE_TEST(test_zero_bytes),
        FILE_TEST(test_cut),          FILE_TEST(test_missing),      FILE_TEST(test_links),
        FILE_TEST(test_pipe),         FILE_TEST(test_folder),       FILE_TEST(test_unreadable),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
