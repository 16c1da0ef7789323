/* input.c - reads a file of keys, raw or .npy, into memory */
#include "input.h"

#include "content.h"
#include "linux.h"
#include "memory.h"
#include "parallel_read.h"
#include "print.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_CAPACITY = 1 << 20,
    READ_BLOCK = 64 << 20, /* bytes per read; larger reads are not faster */
    HEADER_LIMIT = 1 << 20 /* bytes; NumPy writes at most 2^11 for 64 dimensions */
};

static bool refuse(const struct input *input, const char *reason)
{
    print_error(input->name, "%s", reason);
    return false;
}

/* -- bytes ------------------------------------------------------------------------------------- */

/* Reads until size bytes are read or the file ends. */
static bool read_full(struct input *input, void *space, size_t size, size_t *size_read)
{
    *size_read = 0;
    while (*size_read < size) {
        size_t left = size - *size_read;
        ssize_t got =
            read(input->fd, (char *)space + *size_read, left < READ_BLOCK ? left : READ_BLOCK);

        if (got == 0)
            break;
        if (got > 0) {
            *size_read += (size_t)got;
            progress_add((uint64_t)got);
        } else if (errno != EINTR) {
            print_errno(input->name);
            return false;
        }
    }
    return true;
}

/* Changes the size of the mapping, so that the peak memory is the size of the data. Sets errno and
 * returns false on failure. */
static bool map(struct input *input, size_t capacity)
{
    void *keys = linux_enlarge(input->keys, input->capacity, capacity);

    if (keys == NULL)
        return false;
    input->keys = keys;
    input->capacity = capacity;
    return true;
}

/* Enlarges the mapping to at least `min` bytes, and up to `preferred` if they are available. */
static bool reserve(struct input *input, size_t min, size_t preferred)
{
    const struct memory left = memory_left();
    const uint64_t free_bytes = memory_total(&left);
    size_t capacity = preferred;
    char reason[MEMORY_SHORTAGE_SIZE];

    if (min - input->capacity > free_bytes) {
        memory_shortage(reason, "reading", min - input->capacity, &left);
        return refuse(input, reason);
    }
    if (preferred - input->capacity > free_bytes)
        capacity = input->capacity + (size_t)free_bytes;
    for (;;) {
        if (map(input, capacity))
            return true;
        if (capacity <= min || errno != ENOMEM)
            break;
        capacity = min + (capacity - min) / 2;
    }
    print_error(input->name, "out of memory: the system does not provide %zu bytes", capacity);
    return false;
}

/* Returns the memory after the keys, which growing pipes leave. */
static void trim(struct input *input)
{
    if (input->capacity - input->size > FIRST_CAPACITY)
        map(input, input->size + 1);
}

/* Finds the current position of a regular file, and the number of bytes from there to its end. Leaves both 0 for other
 * files. */
static void find_position(struct input *input)
{
    struct stat status;
    off_t position;

    if (fstat(input->fd, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    position = lseek(input->fd, 0, SEEK_CUR);
    if (position < 0 || position > status.st_size)
        return;
    input->start = (uint64_t)position;
    input->remaining = (size_t)(status.st_size - position);
}

/* -- opening ----------------------------------------------------------------------------------- */

/* Reads and parses the header of a .npy file. prefix: the first bytes of the file. */
static bool read_header(struct input *input, const unsigned char prefix[NPY_PREFIX_SIZE])
{
    size_t size = npy_header_size(prefix);
    size_t rest_read;
    char reason[NPY_REASON_SIZE];

    if (size == 0) {
        print_error(input->name,
                    ".npy format version %u.%u is not supported; supported are 1.0, 2.0 and 3.0",
                    (unsigned)prefix[NPY_MAGIC_SIZE], (unsigned)prefix[NPY_MAGIC_SIZE + 1]);
        return false;
    }
    if (size < NPY_PREFIX_SIZE || size > HEADER_LIMIT) {
        print_error(input->name, ".npy header is malformed: it has %zu bytes, instead of %d to %d",
                    size, NPY_PREFIX_SIZE, HEADER_LIMIT);
        return false;
    }
    input->header = malloc(size);
    if (input->header == NULL) {
        print_errno(input->name);
        return false;
    }
    memcpy(input->header, prefix, NPY_PREFIX_SIZE);
    if (!read_full(input, (char *)input->header + NPY_PREFIX_SIZE, size - NPY_PREFIX_SIZE,
                   &rest_read))
        return false;
    if (rest_read != size - NPY_PREFIX_SIZE)
        return refuse(input, ".npy header is truncated");
    input->header_size = size;
    if (!npy_parse_records(input->header, size, &input->array, input->records, reason))
        return refuse(input, reason);
    input->type = input->array.type;
    return true;
}

/* Returns why the type of the keys is unknown, for an error message. */
static const char *unknown_type(const struct input *input)
{
    const size_t length = strlen(input->name);

    if (input->size == 0)
        return "the file is empty; give --type if that is intended";
    if (length >= 4 && strcmp(input->name + length - 4, ".npy") == 0)
        return "this is no .npy file, since it does not begin with \\x93NUMPY; give --type to sort "
               "it as raw numbers";
    return "the type of the keys is unknown; give it by --type, for example --type=u32 (only .npy "
           "files state theirs; --help lists all types)";
}

/* Opens a raw file, of which the first input->size bytes are read. They are keys. */
static bool open_raw(struct input *input, const unsigned char *prefix, const struct data_type *type,
                     bool force)
{
    const char *refusal;
    size_t got;

    memcpy(input->keys, prefix, input->size);
    if (!read_full(input, input->keys + input->size, CONTENT_BLOCK - input->size, &got))
        return false;
    input->size += got;
    refusal = force ? NULL : content_refusal(input->keys, input->size);
    if (refusal != NULL)
        return refuse(input, refusal);
    if (type == NULL)
        return refuse(input, unknown_type(input));
    input->type = type;
    input->array = npy_array_of(type, 0);
    return true;
}

bool input_open(struct input *input, const char *path)
{
    progress_phase("reading", 0);
    *input = (struct input){.name = path, .fd = STDIN_FILENO};
    if (strcmp(path, "-") == 0)
        input->name = "standard input";
    else
        input->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0)
        print_errno(input->name);
    return input->fd >= 0;
}

static bool begin(struct input *input, const struct data_type *raw_type, bool force)
{
    unsigned char prefix[NPY_PREFIX_SIZE];

    find_position(input);
    if (!read_full(input, prefix, sizeof prefix, &input->size) ||
        !reserve(input, FIRST_CAPACITY, FIRST_CAPACITY))
        return false;

    if (!npy_is_magic(prefix, input->size))
        return open_raw(input, prefix, raw_type, force);
    if (input->size < sizeof prefix)
        return refuse(input, ".npy header is truncated");
    input->size = 0;
    return read_header(input, prefix);
}

bool input_begin_any(struct input *input, const struct data_type *raw_type)
{
    return begin(input, raw_type, false);
}

bool input_begin_records(struct input *input, struct npy_records *records)
{
    input->records = records;
    if (!begin(input, data_type_of(CLSORT_U8), true))
        return false;
    if (input->header == NULL)
        return refuse(input,
                      "--key names fields, which only .npy files have; give --record and "
                      "offsets for a raw file");
    if (input->array.list == NULL)
        return refuse(input, "--key names fields, but the elements of the .npy file are numbers");
    return input->array.dimensions == 1 ||
           refuse(input, "--key supports .npy arrays of one dimension only");
}

bool input_begin(struct input *input, const struct data_type *type, bool force)
{
    if (!begin(input, type, force))
        return false;
    if (type != NULL && type->key == CLSORT_BYTES && input->header != NULL)
        return refuse(input, "--record sorts raw files, but this is a .npy file");
    if (type != NULL && type->key == CLSORT_CUSTOM && input->header != NULL)
        return refuse(input,
                      "--less sorts raw files, but this is a .npy file, whose header is not "
                      "an element");
    if (type != NULL && type != input->type) {
        print_error(input->name, "the .npy file contains %s keys, but --type is %s",
                    input->type->name, type->name);
        return false;
    }
    return true;
}

/* -- keys -------------------------------------------------------------------------------------- */

/* Checks the size of the keys in bytes, and computes their number. */
static bool count_keys(struct input *input, size_t size, size_t *count)
{
    *count = size / input->type->size;
    if (input->header == NULL)
        input->array = npy_array_of(input->type, *count);
    if (*count < input->array.count) {
        print_error(input->name,
                    ".npy file is truncated: it has %zu of the %" PRIu64 " keys of its header",
                    *count, input->array.count);
        return false;
    }
    if (input->header != NULL && size > input->array.count * input->type->size)
        return refuse(input, ".npy file has extra bytes after its array");
    if (size % input->type->size != 0) {
        print_error(input->name, "size of %zu bytes is not a multiple of %zu, the size of %s", size,
                    input->type->size, input->type->name);
        return false;
    }
    return true;
}

/* Reads until the file ends or there are at least `limit` bytes. */
static bool read_keys(struct input *input, size_t limit, bool *has_ended)
{
    size_t got;

    for (*has_ended = false; !*has_ended && input->size < limit; input->size += got) {
        if (input->size == input->capacity &&
            !reserve(input, input->capacity + FIRST_CAPACITY, 2 * input->capacity))
            return false;
        const size_t capacity = input->capacity < limit ? input->capacity : limit;
        const size_t space = capacity - input->size;
        if (!read_full(input, input->keys + input->size, space, &got))
            return false;
        *has_ended = got < space;
    }
    return true;
}

/* Reads the rest of a regular file, up to the size that it had when it was opened. */
static bool read_rest(struct input *input)
{
    const size_t at = input->header_size + input->size;
    size_t got;

    if (at >= input->remaining)
        return true;
    const bool is_read = parallel_read(input->fd, input->start + at, input->keys + input->size,
                                       input->remaining - at, &got, progress_add);
    input->size += got;
    if (!is_read || lseek(input->fd, (off_t)(input->start + at + got), SEEK_SET) < 0) {
        print_errno(input->name);
        return false;
    }
    return true;
}

bool input_read_start(struct input *input, size_t limit, bool *is_all)
{
    progress_phase("reading", 0);
    progress_add(input->header_size + input->size);
    return read_keys(input, limit, is_all);
}

bool input_read(struct input *input, size_t *count)
{
    bool has_ended;

    progress_phase("reading", input->remaining);
    progress_add(input->header_size + input->size);
    /* The capacity is one byte more than the file needs, so that read_keys finds the end of the
     * file before the capacity is exhausted. */
    if (input->remaining >= input->header_size + input->capacity &&
        !reserve(input, input->remaining - input->header_size + 1,
                 input->remaining - input->header_size + 1))
        return false;
    if (!read_rest(input) || !read_keys(input, SIZE_MAX, &has_ended))
        return false;
    trim(input);
    if (input->header_size + input->size < input->remaining)
        return refuse(input, "file became shorter while it was read; sort a copy of it");
    return count_keys(input, input->size, count);
}

bool input_count(struct input *input, size_t *count)
{
    if (input->remaining <= input->header_size)
        return input_read(input, count);
    return count_keys(input, input->remaining - input->header_size, count);
}

void input_release(struct input *input)
{
    if (input->keys != NULL)
        munmap(input->keys, input->capacity);
    input->keys = NULL;
    input->capacity = input->size = 0;
}

void input_close(struct input *input)
{
    if (input->fd >= 0 && input->fd != STDIN_FILENO)
        close(input->fd);
    input_release(input);
    free(input->header);
}
