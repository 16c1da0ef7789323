/* program.c - compiles programs, with a cache in memory and on disk */
#include "device/program.h"

#include "base/error.h"
#include "base/platform.h"
#include "device/build_log.h"
#include "device/disk_cache.h"
#include "device/includes.h"
#include "device/sources.h"

#include <stdlib.h>
#include <string.h>

enum { CUSTOM_PARTS = 7 }; /* strings that precede a program with a custom order */

/* The kernels need OpenCL C 1.2, unless the options of a program name another version. build() adds
 * -w, too: if a compilation has warnings, PoCL prints their number on standard error. */
static const char COMMON_OPTIONS[] = "-cl-std=CL1.2";

static const char *source_text(const char *name)
{
    for (const struct cls_source *source = cls_sources(); source->name; source++)
        if (strcmp(source->name, name) == 0)
            return source->text;
    return NULL;
}

/* Defines the custom order for cl/common/order.cl. With #line directives, the lines of each of the
 * caller's strings have numbers from 1, and only they and what follows on their last line have the
 * names of the strings. The macros at the end let the caller use the names key_t and value_t.
 * Returns the number of strings. */
static cl_uint add_custom(const struct cls_custom *custom, const char **strings)
{
    const char *const parts[CUSTOM_PARTS] = {
        "#line 1 \"prelude\"\n",
        custom->prelude,
        "\n#line 1 \"key_type\"\n"
        "typedef ",
        custom->key_type,
        " clsort_custom_t;\n"
        "#line 1 \"custom_order\"\n"
        "static inline bool clsort_less(const clsort_custom_t *x, const clsort_custom_t *y)\n"
        "{\n"
        "    const clsort_custom_t a = *x, b = *y;\n"
        "    return (\n"
        "#line 1 \"less\"\n",
        custom->less,
        "\n);\n"
        "}\n"
        "#line 1 \"custom_order\"\n"
        "#define key_t clsort_key_t\n"
        "#define value_t clsort_value_t\n"};
    memcpy(strings, parts, sizeof parts);
    return CUSTOM_PARTS;
}

static cl_int create_from_source(struct cls_device *device, const struct cls_program_source *source,
                                 cl_program *program)
{
    const char *strings[CUSTOM_PARTS + 1];
    cl_uint count = source->custom ? add_custom(source->custom, strings) : 0;
    cl_int status;
    strings[count++] = source_text(source->root);
    *program = clCreateProgramWithSource(device->context, count, strings, NULL, &status);
    return cls_called("clCreateProgramWithSource", status);
}

static cl_int build(struct cls_device *device, cl_program program, const char *options)
{
    char all[1024];
    struct cls_text text = CLS_TEXT(all);
    cls_text_add(&text, "-w %s %s", strstr(options, "-cl-std=") ? "" : COMMON_OPTIONS, options);
    if (!cls_text_fits(&text))
        return CL_INVALID_BUILD_OPTIONS;
    return clBuildProgram(program, 1, &device->id, all, NULL, NULL);
}

/* Appends what distinguishes programs that have the same root file. */
static void add_options(const struct cls_program_source *source, struct cls_text *key)
{
    cls_text_add(key, "%s", source->options);
    if (source->custom)
        cls_text_add(key, " order %016llx", (unsigned long long)cls_custom_hash(source->custom));
}

/* Appends everything that a binary depends on. Returns false if there is no key. */
static bool disk_key(const struct cls_device *device, const struct cls_program_source *source,
                     struct cls_text *key)
{
    const bool fits = cls_device_key(device, source->root, key);
    cls_text_add(key, "%s ", COMMON_OPTIONS);
    add_options(source, key);
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

/* Returns the program's binary for the device, which the caller frees, or NULL. */
static unsigned char *binary_of(const struct cls_device *device, cl_program program, size_t *size)
{
    enum { MAX_DEVICES = 64 };
    cl_device_id devices[MAX_DEVICES];
    size_t sizes[MAX_DEVICES], bytes = 0;
    unsigned char *binaries[MAX_DEVICES] = {NULL}, *binary = NULL;
    if (clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &bytes) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL))
        return NULL;
    const size_t count = bytes / sizeof *devices;
    for (size_t i = 0; i < count; i++)
        if (devices[i] == device->id && sizes[i] > 0) {
            *size = sizes[i];
            binary = binaries[i] = malloc(sizes[i]); /* NULL skips the other devices */
            break;
        }
    if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries,
                                   NULL) != CL_SUCCESS) {
        free(binary);
        binary = NULL;
    }
    return binary;
}

/* Saves the binary. All kernels are created first, since the binary of some drivers (PoCL) has only
 * the code of kernels that have been created. */
static void save_to_disk(struct cls_device *device, const char *key, cl_program program)
{
    enum { MAX_KERNELS = 16 };
    cl_kernel kernels[MAX_KERNELS];
    cl_uint count = 0;
    size_t size;
    if (clCreateKernelsInProgram(program, MAX_KERNELS, kernels, &count) != CL_SUCCESS)
        return;
    unsigned char *binary = binary_of(device, program, &size);
    for (cl_uint i = 0; i < count; i++)
        clReleaseKernel(kernels[i]);
    if (binary)
        cls_disk_cache_save(device->cache_folder, key, binary, size);
    free(binary);
}

static cl_int compile(struct cls_device *device, const struct cls_program_source *source,
                      cl_program *program)
{
    char text[2048];
    struct cls_text key = CLS_TEXT(text);
    const bool on_disk = !device->caps.avoid_binaries && device->cache_folder &&
                         !(source->custom && cls_may_include(source->custom)) &&
                         disk_key(device, source, &key);
    if (on_disk && load_from_disk(device, text, source->options, program))
        return CL_SUCCESS;
    cl_int status = create_from_source(device, source, program);
    if (status != CL_SUCCESS)
        return status;
    status = build(device, *program, source->options);
    if (status != CL_SUCCESS) {
        cls_fail_build(device, *program, source->custom, status);
        clReleaseProgram(*program);
        return status;
    }
    if (on_disk)
        save_to_disk(device, text, *program);
    return CL_SUCCESS;
}

/* Returns the program from the list, or compiles it and adds it. The caller holds the mutex. */
static cl_int find_program(struct cls_device *device, const struct cls_program_source *source,
                           cl_program *program)
{
    char text[1024];
    struct cls_text key = CLS_TEXT(text);
    cls_text_add(&key, "%s ", source->root);
    add_options(source, &key);
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
    const cl_int status = compile(device, source, &fresh->program);
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

cl_int cls_kernel_create(struct cls_device *device, const struct cls_program_source *source,
                         const char *name, cl_kernel *kernel)
{
    cl_program program;
    *kernel = NULL;
    pthread_mutex_lock(&device->mutex);
    const uint64_t start = cls_monotonic_ns();
    cl_int status = find_program(device, source, &program);
    if (status == CL_SUCCESS) {
        *kernel = clCreateKernel(program, name, &status);
        cls_called("clCreateKernel", status);
    }
    device->setup_time.build_ns += cls_monotonic_ns() - start;
    pthread_mutex_unlock(&device->mutex);
    return status;
}
