/* program.c - compiled programs, kept in memory and on disk */
#include "device/program.h"

#include "base/hash.h"
#include "device/disk_cache.h"
#include "device/log_lines.h"
#include "device/sources.h"
#include "device/verdicts.h"

#include <stdlib.h>
#include <string.h>

enum { CUSTOM_PARTS = 7 }; /* of a custom order's source */

/* OpenCL C 1.2 is all that the kernels need, unless their own options name another. */
static const char COMMON_OPTIONS[] = "-cl-std=CL1.2";

cl_int cls_device_open(cl_context context, cl_device_id id, const char *cache_dir,
                       struct cls_device **opened)
{
    struct cls_device *device = calloc(1, sizeof *device);
    if (!device)
        return CLSORT_E_MEMORY;
    device->context = context;
    device->id = id;
    atomic_init(&device->holders, 1);
    cl_int status = cls_caps_query(id, &device->caps);
    if (status == CL_SUCCESS)
        status = clRetainContext(context);
    if (status == CL_SUCCESS && pthread_mutex_init(&device->mutex, NULL) != 0) {
        clReleaseContext(context);
        status = CLSORT_E_MEMORY;
    }
    if (status != CL_SUCCESS) {
        free(device);
        return status;
    }
    device->cache_folder = cls_disk_cache_open(cache_dir);
    *opened = device;
    return CL_SUCCESS;
}

void cls_device_hold(struct cls_device *device)
{
    atomic_fetch_add(&device->holders, 1);
}

void cls_device_let_go(struct cls_device *device)
{
    if (atomic_fetch_sub(&device->holders, 1) > 1)
        return;
    while (device->programs) {
        struct cls_program *program = device->programs;
        device->programs = program->next;
        clReleaseProgram(program->program);
        free(program);
    }
    cls_verdicts_free(device);
    free(device->build_log);
    free(device->cache_folder);
    pthread_mutex_destroy(&device->mutex);
    clReleaseContext(device->context);
    free(device);
}

bool cls_is_shortage(clsort_status status)
{
    return status == CLSORT_E_MEMORY || status == CL_OUT_OF_HOST_MEMORY ||
           status == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

void cls_device_log(struct cls_device *device, const char *text)
{
    pthread_mutex_lock(&device->mutex);
    free(device->build_log);
    device->build_log = strdup(text);
    pthread_mutex_unlock(&device->mutex);
}

static const char *source_text(const char *name)
{
    for (const struct cls_source *source = cls_sources; source->name; source++)
        if (strcmp(source->name, name) == 0)
            return source->text;
    return NULL;
}

/* The caller's texts as order.cl needs them. What is ours has other line numbers than the caller's. Names that
 * callers like are left to them. */
static cl_uint add_custom(const struct cls_custom *custom, const char **strings)
{
    const char *const parts[CUSTOM_PARTS] = {
        "#line 1 \"prelude\"\n",
        custom->prelude,
        "\n#line 1 \"key_type\"\n"
        "typedef ",
        custom->key_type,
        " clsort_custom_t;\n"
        "static inline bool clsort_less(const clsort_custom_t *x, const clsort_custom_t *y)\n"
        "{\n"
        "    const clsort_custom_t a = *x, b = *y;\n"
        "    return (\n"
        "#line 1 \"less\"\n",
        custom->less,
        "\n);\n"
        "}\n"
        "#define key_t clsort_key_t\n"
        "#define value_t clsort_value_t\n"};
    memcpy(strings, parts, sizeof parts);
    return CUSTOM_PARTS;
}

/* Each file behind a line that names it, so that compilers' messages do. */
static cl_int create_from_source(struct cls_device *device, const struct cls_code *code,
                                 cl_program *program)
{
    struct line {
        char text[64];
    };
    size_t files = 0;
    while (code->files[files])
        files++;
    struct line *lines = malloc(files * sizeof *lines);
    const char **strings = malloc((CUSTOM_PARTS + 2 * files) * sizeof *strings);
    cl_int status = CLSORT_E_MEMORY;
    if (lines && strings) {
        cl_uint count = code->custom ? add_custom(code->custom, strings) : 0;
        for (size_t i = 0; i < files; i++) {
            struct cls_text line = CLS_TEXT(lines[i].text);
            cls_text_add(&line, "\n#line 1 \"%s\"\n", code->files[i]);
            strings[count++] = lines[i].text;
            strings[count++] = source_text(code->files[i]);
        }
        *program = clCreateProgramWithSource(device->context, count, strings, NULL, &status);
    }
    free(strings);
    free(lines);
    return status;
}

/* Allocated; NULL when it cannot be had. */
static char *build_log_of(const struct cls_device *device, cl_program program)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
        CL_SUCCESS)
        return NULL;
    char *log = calloc(size + 1, 1);
    if (log && clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) !=
                   CL_SUCCESS) {
        free(log);
        log = NULL;
    }
    return log;
}

/* All the strings in one. Allocated; NULL when it cannot be had. */
static char *source_of(cl_program program)
{
    size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS)
        return NULL;
    char *source = calloc(size + 1, 1);
    if (source && clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) != CL_SUCCESS) {
        free(source);
        source = NULL;
    }
    return source;
}

static void keep_build_log(struct cls_device *device, cl_program program)
{
    char *log = build_log_of(device, program);
    char *source = log && cls_lacks_lines(log) ? source_of(program) : NULL;
    char *with_lines = source ? cls_log_with_lines(log, source) : NULL;
    free(source);
    free(device->build_log);
    device->build_log = with_lines ? with_lines : log;
    if (with_lines)
        free(log);
}

static cl_int build(struct cls_device *device, cl_program program, const char *options)
{
    char all[1024];
    struct cls_text text = CLS_TEXT(all);
    cls_text_add(&text, "%s %s", strstr(options, "-cl-std=") ? "" : COMMON_OPTIONS, options);
    if (!cls_text_fits(&text))
        return CL_INVALID_BUILD_OPTIONS;
    return clBuildProgram(program, 1, &device->id, all, NULL, NULL);
}

static bool is_wanted(const char *const *files, const char *name)
{
    if (!files)
        return true;
    while (*files && strcmp(*files, name) != 0)
        files++;
    return *files;
}

bool cls_device_key(const struct cls_device *device, const char *const *files, struct cls_text *key)
{
    const struct cls_caps *caps = &device->caps;
    uint64_t hash = CLS_HASH_START;
    for (const struct cls_source *source = cls_sources; source->name; source++)
        if (is_wanted(files, source->name))
            hash = cls_hash(hash, source->text, strlen(source->text) + 1);
    cls_text_add(key, "clsort %s\n%s\n%s\n%s\n%s %s\n%016llx\n", CLSORT_VERSION_STRING, caps->name,
                 caps->vendor, caps->driver, caps->platform_name, caps->platform_version,
                 (unsigned long long)hash);
    return caps->identified && cls_text_fits(key);
}

static void add_options(const struct cls_code *code, struct cls_text *key)
{
    cls_text_add(key, "%s", code->options);
    if (code->custom)
        cls_text_add(key, " order %016llx", (unsigned long long)cls_custom_hash(code->custom));
}

/* What a binary depends on. */
static bool disk_key(const struct cls_device *device, const struct cls_code *code,
                     struct cls_text *key)
{
    const bool fits = cls_device_key(device, code->files, key);
    cls_text_add(key, "%s ", COMMON_OPTIONS);
    add_options(code, key);
    cls_text_add(key, "\n");
    return fits && cls_text_fits(key);
}

static bool load_from_disk(struct cls_device *device, const char *key, const char *options,
                           cl_program *program)
{
    size_t size;
    unsigned char *binary = cls_disk_cache_load(device->cache_folder, key, &size);
    if (!binary)
        return false;
    cl_int status, binary_status;
    *program = clCreateProgramWithBinary(device->context, 1, &device->id, &size,
                                         (const unsigned char **)&binary, &binary_status, &status);
    free(binary);
    if (status != CL_SUCCESS)
        return false;
    size_t kernels = 0;
    if (build(device, *program, options) == CL_SUCCESS &&
        clGetProgramInfo(*program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL) ==
            CL_SUCCESS &&
        kernels > 0)
        return true;
    clReleaseProgram(*program);
    return false;
}

/* The program's binary for our device, allocated, or NULL. */
static unsigned char *binary_of(const struct cls_device *device, cl_program program, size_t *size)
{
    enum { MOST_DEVICES = 64 };
    cl_device_id devices[MOST_DEVICES];
    size_t sizes[MOST_DEVICES], bytes = 0;
    unsigned char *binaries[MOST_DEVICES] = {NULL}, *binary = NULL;
    if (clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &bytes) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL))
        return NULL;
    const size_t count = bytes / sizeof *devices;
    for (size_t i = 0; i < count; i++)
        if (devices[i] == device->id && sizes[i] > 0) {
            *size = sizes[i];
            binary = binaries[i] = malloc(sizes[i]); /* the others stay NULL: not wanted */
            break;
        }
    if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries,
                                   NULL) != CL_SUCCESS) {
        free(binary);
        binary = NULL;
    }
    return binary;
}

/* Some drivers (PoCL) put into a binary only the code of kernels that exist. */
static void save_to_disk(struct cls_device *device, const char *key, cl_program program)
{
    enum { MOST_KERNELS = 16 };
    cl_kernel kernels[MOST_KERNELS];
    cl_uint count = 0;
    size_t size;
    if (clCreateKernelsInProgram(program, MOST_KERNELS, kernels, &count) != CL_SUCCESS)
        return;
    unsigned char *binary = binary_of(device, program, &size);
    for (cl_uint i = 0; i < count; i++)
        clReleaseKernel(kernels[i]);
    if (binary)
        cls_disk_cache_save(device->cache_folder, key, binary, size);
    free(binary);
}

static cl_int compile(struct cls_device *device, const struct cls_code *code, cl_program *program)
{
    char text[2048];
    struct cls_text key = CLS_TEXT(text);
    const bool on_disk =
        !device->caps.aborts_for_binaries && device->cache_folder && disk_key(device, code, &key);
    if (on_disk && load_from_disk(device, text, code->options, program))
        return CL_SUCCESS;
    cl_int status = create_from_source(device, code, program);
    if (status != CL_SUCCESS)
        return status;
    status = build(device, *program, code->options);
    if (status != CL_SUCCESS) {
        keep_build_log(device, *program);
        clReleaseProgram(*program);
        return status;
    }
    if (on_disk)
        save_to_disk(device, text, *program);
    return CL_SUCCESS;
}

/* The program from memory or compiled into it; the mutex is held. */
static cl_int find_program(struct cls_device *device, const struct cls_code *code,
                           cl_program *program)
{
    char text[1024];
    struct cls_text key = CLS_TEXT(text);
    for (size_t i = 0; code->files[i]; i++)
        cls_text_add(&key, "%s ", code->files[i]);
    add_options(code, &key);
    if (!cls_text_fits(&key))
        return CL_INVALID_BUILD_OPTIONS;
    for (const struct cls_program *known = device->programs; known; known = known->next)
        if (strcmp(known->key, text) == 0) {
            *program = known->program;
            return CL_SUCCESS;
        }
    struct cls_program *fresh = malloc(sizeof *fresh + key.length + 1);
    if (!fresh)
        return CLSORT_E_MEMORY;
    const cl_int status = compile(device, code, &fresh->program);
    if (status != CL_SUCCESS) {
        free(fresh);
        return status;
    }
    memcpy(fresh->key, text, key.length + 1);
    fresh->next = device->programs;
    device->programs = fresh;
    *program = fresh->program;
    return CL_SUCCESS;
}

cl_int cls_kernel_create(struct cls_device *device, const struct cls_code *code, const char *name,
                         cl_kernel *kernel)
{
    cl_program program;
    *kernel = NULL;
    pthread_mutex_lock(&device->mutex);
    cl_int status = find_program(device, code, &program);
    if (status == CL_SUCCESS)
        *kernel = clCreateKernel(program, name, &status);
    pthread_mutex_unlock(&device->mutex);
    return status;
}
