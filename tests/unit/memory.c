/* memory.c - what the files of the system and the limits of the process leave to it */
#include "memory.h"

#include "unit.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t NO_LIMIT = UINT64_MAX;

static char root[] = "/tmp/clsort-memory-XXXXXX";

/* Writes a file below the root, and makes its folders. */
static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(full, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_root(void **state)
{
    (void)state;
    strcpy(root + sizeof root - 7, "XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int remove_root(void **state)
{
    (void)state;
    return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_machine(void)
{
    put("/proc/meminfo",
        "MemTotal:       9000 kB\nMemFree:         100 kB\nMemAvailable:   4000 kB\n"
        "SwapCached:        1 kB\nSwapTotal:      2000 kB\nSwapFree:       1500 kB\n");
    put("/proc/self/status",
        "Name:\tclsort\nVmPeak:\t    900 kB\nVmSize:\t    800 kB\nVmData:\t    300 kB\n");
}

static void without_files(void **state)
{
    (void)state;
    const struct memory left = memory_read(root, 1000, 1000);
    assert_int_equal(left.address_space, UINT64_MAX);
    assert_int_equal(left.ram, UINT64_MAX);
    assert_int_equal(memory_total(&left), UINT64_MAX);
}

static void machine(void **state)
{
    (void)state;
    put_machine();
    const struct memory left = memory_read(root, NO_LIMIT, NO_LIMIT);
    assert_int_equal(left.address_space, UINT64_MAX);
    assert_int_equal(left.ram, 4000 * 1024);
    assert_int_equal(left.swap, 1500 * 1024);
    assert_int_equal(memory_unswapped(&left), 4000 * 1024);
    assert_int_equal(memory_total(&left), 5500 * 1024);
}

static void address_space(void **state)
{
    (void)state;
    put_machine();
    struct memory left = memory_read(root, 1000 * 1024, NO_LIMIT);
    assert_int_equal(left.address_space, 200 * 1024);
    assert_int_equal(memory_total(&left), 200 * 1024);
    left = memory_read(root, 1000 * 1024, 400 * 1024);
    assert_int_equal(left.address_space, 100 * 1024);
    left = memory_read(root, NO_LIMIT, 700 * 1024);
    assert_int_equal(left.address_space, 400 * 1024);
    left = memory_read(root, 700 * 1024, NO_LIMIT); /* lowered below what is in use */
    assert_int_equal(left.address_space, 0);
}

/* Returns memory_read without limits on the process. */
static struct memory read_groups(const char *groups)
{
    put_machine();
    put("/proc/self/cgroup", groups);
    return memory_read(root, NO_LIMIT, NO_LIMIT);
}

static void version_2(void **state)
{
    (void)state;
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/b/memory.current", "500\n");
    put("/sys/fs/cgroup/a/memory.max", "1000000\n");
    put("/sys/fs/cgroup/a/memory.current", "900000\n");
    put("/sys/fs/cgroup/a/memory.stat",
        "anon 1\nfile 50000\ninactive_file 30000\nactive_file 20000\n");
    struct memory left = read_groups("0::/a/b\n");
    assert_int_equal(left.ram, 150000);
    assert_int_equal(left.swap, 0);
    put("/sys/fs/cgroup/a/b/memory.max", "1500\n"); /* without memory.stat */
    left = read_groups("0::/a/b\n");
    assert_int_equal(left.ram, 1000);
    put("/sys/fs/cgroup/a/b/memory.max", "400\n");
    left = read_groups("0::/a/b\n");
    assert_int_equal(left.ram, 0);
    left = read_groups("0::/elsewhere\n");
    assert_int_equal(left.ram, 4000 * 1024);
}

static void version_1(void **state)
{
    (void)state;
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1500000\n");
    put("/sys/fs/cgroup/memory/memory.stat",
        "active_file 7\ntotal_inactive_file 90000\n"
        "total_active_file 10000\n");
    /* The path is that of the host, whose folders are not mounted. */
    struct memory left = read_groups("9:name=systemd:/x\n4:cpu,memory:/docker/x\n0::/\n");
    assert_int_equal(left.ram, 600000);
    left = read_groups("4:memoryless:/docker/x\n");
    assert_int_equal(left.ram, 4000 * 1024);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    left = read_groups("4:memory:/docker/x\n");
    assert_int_equal(left.ram, 4000 * 1024);
    assert_int_equal(left.swap, 1500 * 1024);
}

static void shortage(void **state)
{
    (void)state;
    char text[MEMORY_SHORTAGE_SIZE];
    struct memory left = {.address_space = 100, .ram = 90, .swap = 5};
    assert_string_equal(memory_shortage(text, "reading", 96, &left),
                        "out of memory: reading needs 96 bytes, but 95 are available (of the "
                        "machine or its control group)");
    left.address_space = 80;
    assert_string_equal(memory_shortage(text, "a very long word like sorting", UINT64_MAX, &left),
                        "out of memory: a very long word like sorting needs 18446744073709551615 "
                        "bytes, but 80 are available (limited by ulimit -v or -d)");
}

static void malformed(void **state)
{
    (void)state;
    static const char *const groups[] = {
        "", "\n", "0", "0:", "0::", ":::", "4:memory", "4:memory:"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        assert_int_equal(read_groups(groups[i]).ram, 4000 * 1024);
    put("/proc/meminfo", "MemAvailable:\nSwapFree");
    assert_int_equal(memory_read(root, NO_LIMIT, NO_LIMIT).ram, UINT64_MAX);
}

static void this_process(void **state)
{
    (void)state;
    const struct memory left = memory_left();
    assert_true(left.ram > 0 && left.ram < UINT64_MAX);
    assert_true(memory_unswapped(&left) <= memory_total(&left));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)
    const struct CMUnitTest tests[] = {
        TEST(without_files), TEST(machine),   TEST(address_space), TEST(version_2),
        TEST(version_1),     TEST(malformed), TEST(this_process),  TEST(shortage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
