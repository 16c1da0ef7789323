// 08_cpp.cpp - sort a buffer from C++ with the classes of opencl.hpp
//
// The classes manage OpenCL's objects, and std::unique_ptr those of clsort. Each C++ object converts to its C handle
// by operator().
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <clsort.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using engine_ptr = std::unique_ptr<clsort_engine, decltype(&clsort_engine_destroy)>;
using plan_ptr = std::unique_ptr<clsort_plan, decltype(&clsort_plan_destroy)>;

static void need(clsort_status status, const char *call)
{
    if (status != CLSORT_OK)
        throw std::runtime_error(std::string(call) + ": " + clsort_status_string(status));
}

static cl::Device find_device()
{
    cl_device_id device;
    need(clsort_find_device(std::getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    return cl::Device(device, true);
}

static engine_ptr create_engine(const cl::Context &context, const cl::Device &device)
{
    clsort_engine *engine;
    need(clsort_engine_create(context(), device(), nullptr, &engine), "clsort_engine_create");
    return engine_ptr(engine, &clsort_engine_destroy);
}

// Creates a plan for doubles in descending order.
static plan_ptr create_plan(const engine_ptr &engine)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan;
    desc.key = CLSORT_F64;
    desc.flags = CLSORT_DESCENDING;
    need(clsort_plan_create(engine.get(), &desc, &plan), "clsort_plan_create");
    return plan_ptr(plan, &clsort_plan_destroy);
}

static std::vector<double> sort_on_device(std::vector<double> numbers)
{
    const cl::Device device = find_device();
    const cl::Context context(device);
    const cl::CommandQueue queue(context, device);
    const engine_ptr engine = create_engine(context, device);
    const plan_ptr plan = create_plan(engine);
    const cl::Buffer buffer(context, numbers.begin(), numbers.end(), false); // copies the numbers

    clsort_io io = CLSORT_IO_INIT;
    io.count = numbers.size();
    io.keys.mem = buffer();
    need(clsort_enqueue(plan.get(), queue(), &io, 0, nullptr, nullptr), "clsort_enqueue");
    cl::copy(queue, buffer, numbers.begin(), numbers.end()); // waits
    return numbers;
}

int main()
{
    std::mt19937 random;
    std::normal_distribution<double> normal;
    std::vector<double> numbers(300000);
    std::generate(numbers.begin(), numbers.end(), [&] { return normal(random); });

    try {
        const std::vector<double> sorted = sort_on_device(numbers);
        const bool right = std::is_sorted(sorted.begin(), sorted.end(), std::greater<double>());
        std::printf("%zu doubles: %s\n", sorted.size(), right ? "descending" : "NOT descending");
        return right ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const cl::Error &error) {
        std::fprintf(stderr, "%s: %s\n", error.what(), clsort_status_string(error.err()));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return EXIT_FAILURE;
}
