/* memory.c - clsort-tool-common: how much more memory this process may take */
#include "memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4608, /* more than PATH_MAX and the longest name of a file */
    TEXT_SIZE = 16384 /* memory.stat, the longest of the files, has about 4 KiB */
};

static uint64_t min_bytes(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns a - b, or 0 if b is larger. */
static uint64_t difference(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* -- files ------------------------------------------------------------------------------------- */

/* Reads a file whose path consists of three parts. Returns false if it cannot be read. */
static bool read_text(char text[TEXT_SIZE], const char *root, const char *folder, const char *name)
{
    char path[PATH_SIZE];
    size_t size = 0;
    ssize_t got = -1;
    const int length = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    const int fd =
        length < 0 || length >= PATH_SIZE ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    if (fd < 0)
        return false;
    while (size < TEXT_SIZE - 1 && (got = read(fd, text + size, TEXT_SIZE - 1 - size)) > 0)
        size += (size_t)got;
    close(fd);
    text[size] = '\0';
    return got >= 0;
}

/* Returns the number after a name at the start of a line, or `missing`. Sizes in kB become bytes. */
static uint64_t field(const char *text, const char *name, uint64_t missing)
{
    const size_t length = strlen(name);

    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || (line[length] != ':' && line[length] != ' '))
            continue;
        char *end;
        const char *digits = line + length + 1;
        const unsigned long long number = strtoull(digits, &end, 10);
        if (end == digits)
            return missing;
        return strncmp(end, " kB", 3) == 0 ? (uint64_t)number * 1024 : (uint64_t)number;
    }
    return missing;
}

/* -- control groups ---------------------------------------------------------------------------- */

/* The names of the two versions. */
struct version {
    const char *mount; /* where the folders of the groups are, by convention */
    const char *limit, *usage, *active_file, *inactive_file;
};

static const struct version versions[] = {
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_active_file",
     "total_inactive_file"},
    {"/sys/fs/cgroup", "memory.max", "memory.current", "active_file", "inactive_file"},
};

/* Returns the bytes that one group has left. Cached files count as usage, but the kernel drops them
 * before it runs out of memory. The limit "max" is not a number. */
static uint64_t group_left(const char *root, const char *folder, const struct version *version)
{
    char text[TEXT_SIZE], *end;

    if (!read_text(text, root, folder, version->limit))
        return UINT64_MAX;
    const uint64_t limit = strtoull(text, &end, 10);
    if (end == text || !read_text(text, root, folder, version->usage))
        return UINT64_MAX;
    const uint64_t usage = strtoull(text, NULL, 10);
    if (!read_text(text, root, folder, "memory.stat"))
        return difference(limit, usage);
    const uint64_t cached =
        field(text, version->active_file, 0) + field(text, version->inactive_file, 0);
    return difference(limit, difference(usage, cached));
}

/* Returns the minimum of a group and its parents. In a container, the path may be that of the host,
 * while only the container's own groups are mounted. Missing folders are therefore skipped. */
static uint64_t groups_left(const char *root, const char *group, const struct version *version)
{
    char folder[PATH_SIZE];
    const size_t mount_length = strlen(version->mount);
    uint64_t left = UINT64_MAX;

    if (snprintf(folder, sizeof folder, "%s%s", version->mount, group) >= PATH_SIZE)
        return UINT64_MAX;
    for (;;) {
        char *slash = strrchr(folder + mount_length, '/');

        left = min_bytes(left, group_left(root, folder, version));
        if (slash == NULL)
            return left;
        *slash = '\0';
    }
}

/* Returns whether a comma-separated list has the controller. */
static bool has_memory(const char *controllers)
{
    for (const char *at = controllers; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "memory", 6) == 0 && (at[6] == ',' || at[6] == '\0'))
            return true;
    }
    return false;
}

/* Each line of /proc/self/cgroup is "hierarchy:controllers:path". Version 2 has no controllers. */
static uint64_t all_groups_left(const char *root)
{
    char text[TEXT_SIZE], *rest = NULL;
    uint64_t left = UINT64_MAX;

    if (!read_text(text, root, "/proc/self", "cgroup"))
        return UINT64_MAX;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;

        if (path == NULL)
            continue;
        *path++ = '\0';
        if (*++controllers == '\0')
            left = min_bytes(left, groups_left(root, path, &versions[1]));
        else if (has_memory(controllers))
            left = min_bytes(left, groups_left(root, path, &versions[0]));
    }
    return left;
}

/* -- the whole --------------------------------------------------------------------------------- */

struct memory memory_read(const char *root, uint64_t max_address_space, uint64_t max_data)
{
    struct memory left = {UINT64_MAX, UINT64_MAX, 0};
    char text[TEXT_SIZE];

    if (read_text(text, root, "/proc/self", "status")) {
        if (max_address_space != UINT64_MAX)
            left.address_space = difference(max_address_space, field(text, "VmSize", 0));
        if (max_data != UINT64_MAX)
            left.address_space =
                min_bytes(left.address_space, difference(max_data, field(text, "VmData", 0)));
    }
    if (read_text(text, root, "/proc", "meminfo")) {
        left.ram = field(text, "MemAvailable", UINT64_MAX);
        left.swap = field(text, "SwapFree", 0);
    }
    const uint64_t groups = all_groups_left(root);
    if (groups < left.ram) {
        left.ram = groups;
        left.swap = 0;
    }
    return left;
}

/* Returns the soft limit, UINT64_MAX if the resource is not limited. */
static uint64_t limit_of(int resource)
{
    struct rlimit limit;

    return getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX
                                                                               : limit.rlim_cur;
}

struct memory memory_left(void)
{
    return memory_read("", limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
}

uint64_t memory_unswapped(const struct memory *left)
{
    return min_bytes(left->address_space, left->ram);
}

uint64_t memory_total(const struct memory *left)
{
    const bool overflows = left->ram > UINT64_MAX - left->swap;

    return min_bytes(left->address_space, overflows ? UINT64_MAX : left->ram + left->swap);
}

/* Returns a size from the status of this process, 0 if it is unknown. */
static uint64_t own_size(const char *name)
{
    char text[TEXT_SIZE];

    return read_text(text, "", "/proc/self", "status") ? field(text, name, 0) : 0;
}

uint64_t memory_resident(void)
{
    return own_size("VmRSS");
}

/* getrusage would include what the process had before it executed this program. */
uint64_t memory_peak(void)
{
    return own_size("VmHWM");
}

const char *memory_shortage(char text[MEMORY_SHORTAGE_SIZE], const char *action, uint64_t needed,
                            const struct memory *left)
{
    const uint64_t total = memory_total(left);

    snprintf(text, MEMORY_SHORTAGE_SIZE,
             "out of memory: %s needs %" PRIu64 " bytes, but %" PRIu64 " are available (%s)",
             action, needed, total,
             total == left->address_space ? "limited by ulimit -v or -d"
                                          : "of the machine or its control group");
    return text;
}
