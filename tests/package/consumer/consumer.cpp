// consumer.cpp - a C++11 program that links clsort: sorts keys with values on a device
#include <clsort.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

static void need(cl_int status, const char *what)
{
    if (status != CLSORT_OK) {
        std::fprintf(stderr, "%s: %s\n", what, clsort_status_string(status));
        std::exit(1);
    }
}

int main()
{
    const std::size_t count = 100000;
    std::vector<float> keys(count);
    std::vector<cl_uint> indexes(count);
    std::mt19937 random;
    for (float &key : keys)
        key = static_cast<float>(random()) - 2e9f;
    std::iota(indexes.begin(), indexes.end(), 0u);
    const std::vector<float> before = keys;

    cl_device_id device;
    need(clsort_find_device(std::getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    cl_int status;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    need(status, "clCreateContext");
    clsort_engine *engine;
    need(clsort_engine_create(context, device, nullptr, &engine), "clsort_engine_create");

    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_F32;
    desc.flags = CLSORT_DESCENDING;
    desc.value_size = sizeof indexes[0];
    desc.algorithm = "radix"; // a named algorithm uses the device also for small counts
    need(clsort_host(engine, nullptr, &desc, count, keys.data(), indexes.data()), "clsort_host");
    clsort_engine_destroy(engine);
    clReleaseContext(context);

    for (std::size_t i = 0; i < count; i++) {
        if (before[indexes[i]] != keys[i] || (i > 0 && keys[i - 1] < keys[i])) {
            std::fprintf(stderr, "wrong at %zu\n", i);
            return 1;
        }
    }
    return 0;
}
