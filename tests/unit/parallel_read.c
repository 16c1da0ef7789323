/* parallel_read.c - reads of files by several threads, also short, interrupted and failing ones */
#include "parallel_read.h"

#include "unit.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { SIZE = (20 << 20) + 5, OFFSET = 1001 };

/* -- pread ----------------------------------------------------------------------------------------- */

static atomic_uint calls;
static unsigned interrupted; /* every such call is interrupted; 0: none */
static size_t limit;         /* bytes that a call reads at most */
static off_t failing;        /* calls that would read this byte fail; -1: none */

/* The linker option --wrap redirects calls of pread. */
ssize_t __real_pread(int fd, void *space, size_t size, off_t at);
ssize_t __wrap_pread(int fd, void *space, size_t size, off_t at);

ssize_t __wrap_pread(int fd, void *space, size_t size, off_t at)
{
    const unsigned call = atomic_fetch_add(&calls, 1);

    if (interrupted > 0 && call % interrupted == 0) {
        errno = EINTR;
        return -1;
    }
    if (failing >= at && failing < at + (off_t)size) {
        if (failing == at) {
            errno = EIO;
            return -1;
        }
        size = (size_t)(failing - at);
    }
    return __real_pread(fd, space, size < limit ? size : limit, at);
}

static void reset_calls(void)
{
    interrupted = 0;
    limit = SIZE_MAX;
    failing = -1;
}

/* -- files ----------------------------------------------------------------------------------------- */

struct file {
    FILE *stream;
    unsigned char *bytes, *space; /* of the file, and of a read */
};

static atomic_size_t counted;

static void count_bytes(uint64_t bytes)
{
    atomic_fetch_add(&counted, (size_t)bytes);
}

static int open_file(void **state)
{
    static struct file file;
    uint32_t random = 1;

    file.stream = tmpfile();
    file.bytes = malloc(SIZE);
    file.space = malloc(SIZE);
    if (file.stream == NULL || file.bytes == NULL || file.space == NULL)
        return -1;
    for (size_t i = 0; i < SIZE; i++)
        file.bytes[i] = (unsigned char)((random = random * 1664525 + 1013904223) >> 24);
    reset_calls();
    *state = &file;
    return fwrite(file.bytes, 1, SIZE, file.stream) == SIZE && fflush(file.stream) == 0 ? 0 : -1;
}

static int close_file(void **state)
{
    struct file *file = *state;

    free(file->bytes);
    free(file->space);
    return fclose(file->stream);
}

/* Reads `size` bytes from OFFSET on, and checks those up to `end`. Returns what parallel_read returned. */
static bool read_and_check(struct file *file, size_t size, size_t end)
{
    size_t got = SIZE_MAX;

    memset(file->space, 0, SIZE);
    atomic_store(&counted, 0);
    const bool is_read =
        parallel_read(fileno(file->stream), OFFSET, file->space, size, &got, count_bytes);
    const int error = errno;
    assert_int_equal(got, end);
    assert_memory_equal(file->space, file->bytes + OFFSET, end);
    assert_in_range(atomic_load(&counted), end, size);
    errno = error;
    return is_read;
}

static void whole(void **state)
{
    static const size_t sizes[] = {
        0, 1, 8 << 20, (8 << 20) + 1, (16 << 20) - 1, 16 << 20, SIZE - OFFSET - 1, SIZE - OFFSET};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_true(read_and_check(*state, sizes[i], sizes[i]));
}

static void in_short_and_interrupted_reads(void **state)
{
    limit = 100001;
    interrupted = 3;
    assert_true(read_and_check(*state, SIZE - OFFSET, SIZE - OFFSET));
    reset_calls();
}

static void past_the_end(void **state)
{
    struct file *file = *state;
    static const size_t ends[] = {SIZE - 1, 16 << 20, (8 << 20) + 7, OFFSET + 1, OFFSET, 0};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        assert_int_equal(ftruncate(fileno(file->stream), (off_t)ends[i]), 0);
        assert_true(read_and_check(file, SIZE - OFFSET, ends[i] > OFFSET ? ends[i] - OFFSET : 0));
    }
    assert_int_equal(pwrite(fileno(file->stream), file->bytes, SIZE, 0), SIZE);
}

static void with_an_error(void **state)
{
    static const size_t places[] = {0, 1, (8 << 20) - 1, 8 << 20, (8 << 20) + 1, SIZE - OFFSET - 1};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        failing = (off_t)(OFFSET + places[i]);
        assert_false(read_and_check(*state, SIZE - OFFSET, places[i]));
        assert_int_equal(errno, EIO);
    }
    reset_calls();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(in_short_and_interrupted_reads),
        cmocka_unit_test(past_the_end),
        cmocka_unit_test(with_an_error),
    };

    return cmocka_run_group_tests(tests, open_file, close_file);
}
