/* cache.c - fuzz target: files of the program cache; exactly the files that are complete and have the right key are
 * loaded
 *
 * The first byte of an input selects fields of the rest that are corrected (enum fix), so that the fuzzer passes
 * checks whose values it could not guess. */
#include "device/disk_cache.h"

#include "base/hash.h"
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum fix { FIX_MAGIC = 1, FIX_KEY_SIZE = 2, FIX_BINARY_SIZE = 4, FIX_KEY = 8, FIX_CHECKSUM = 16 };

/* Offsets in the header that disk_cache.c writes. */
enum { MAGIC = 0, KEY_SIZE = 8, BINARY_SIZE = 16, CHECKSUM = 24, CONTENT = 32, MAX_BYTES = 4096 };
static const char RIGHT_MAGIC[8] = "clsort1";
static const char KEY[] = "clsort 0.0\nPOCL\ncl -DBITS=8\n";
enum { KEY_BYTES = sizeof KEY - 1 };

static char folder[] = "/tmp/clsort-fuzz-XXXXXX", name[sizeof folder + 256];

static void remove_folder(void)
{
    unlink(name);
    rmdir(folder);
}

/* Finds out the file name of the key by saving a binary. */
static void make_folder(void)
{
    require(mkdtemp(folder));
    atexit(remove_folder);
    cls_disk_cache_save(folder, KEY, (const unsigned char *)"binary", 6);
    DIR *dir = opendir(folder);
    require(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
    closedir(dir);
    require(*name);
}

static uint64_t number_at(const uint8_t *file, size_t offset)
{
    uint64_t number;
    memcpy(&number, file + offset, sizeof number);
    return number;
}

static void put_number(uint8_t *file, size_t offset, uint64_t number)
{
    memcpy(file + offset, &number, sizeof number);
}

static void correct(unsigned fixes, uint8_t *file, size_t size)
{
    if (size < CONTENT + KEY_BYTES)
        return;
    if (fixes & FIX_MAGIC)
        memcpy(file + MAGIC, RIGHT_MAGIC, sizeof RIGHT_MAGIC);
    if (fixes & FIX_KEY_SIZE)
        put_number(file, KEY_SIZE, KEY_BYTES);
    if (fixes & FIX_BINARY_SIZE)
        put_number(file, BINARY_SIZE, size - CONTENT - KEY_BYTES);
    if (fixes & FIX_KEY)
        memcpy(file + CONTENT, KEY, KEY_BYTES);
    if (fixes & FIX_CHECKSUM)
        put_number(file, CHECKSUM, cls_hash(CLS_HASH_START, file + CONTENT, size - CONTENT));
}

static bool is_valid(const uint8_t *file, size_t size)
{
    return size > CONTENT + KEY_BYTES && memcmp(file + MAGIC, RIGHT_MAGIC, 8) == 0 &&
           number_at(file, KEY_SIZE) == KEY_BYTES &&
           number_at(file, BINARY_SIZE) == size - CONTENT - KEY_BYTES &&
           number_at(file, CHECKSUM) == cls_hash(CLS_HASH_START, file + CONTENT, size - CONTENT) &&
           memcmp(file + CONTENT, KEY, KEY_BYTES) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!*name)
        make_folder();
    if (size == 0 || size > MAX_BYTES)
        return 0;
    uint8_t file[MAX_BYTES];
    const unsigned fixes = *data++;
    memcpy(file, data, --size);
    correct(fixes, file, size);
    const int fd = open(name, O_WRONLY | O_TRUNC);
    require(fd >= 0 && write(fd, file, size) == (ssize_t)size && close(fd) == 0);

    size_t binary_size = 0;
    unsigned char *binary = cls_disk_cache_load(folder, KEY, &binary_size);
    require(!binary == !is_valid(file, size));
    if (binary) {
        require(binary_size == size - CONTENT - KEY_BYTES);
        require(memcmp(binary, file + CONTENT + KEY_BYTES, binary_size) == 0);
    }
    free(binary);
    return 0;
}
