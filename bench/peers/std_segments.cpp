// std_segments.cpp - peers: std::sort of each segment, by one core and by all
#include "peers.h"
#include "std_library.hpp"
#include "typed.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

// Sorts the segments [begin, end).
template <class Iterator, class Less>
static void sort_some(const job &job, std::size_t begin, std::size_t end, Iterator first, Less less)
{
    for (std::size_t i = begin; i < end; i++)
        std::sort(first + job.offsets[i], first + job.offsets[i + 1], less);
}

static bool sort_each(const job *job, void *)
{
    typed_sort(*job, [job](auto first, auto, auto less) {
        sort_some(*job, 0, job->segment_count, first, less);
    });
    return true;
}

// Threads take segments from a shared counter, a few at a time.
static bool sort_each_by_all(const job *job, void *)
{
    constexpr std::size_t AT_ONCE = 16;
    typed_sort(*job, [job](auto first, auto, auto less) {
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t i; (i = next.fetch_add(AT_ONCE)) < job->segment_count;)
                sort_some(*job, i, std::min(i + AT_ONCE, job->segment_count), first, less);
        };
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < std::thread::hardware_concurrency(); i++)
            threads.emplace_back(work);
        work();
        for (std::thread &thread : threads)
            thread.join();
    });
    return true;
}

static constexpr peer make(const char *name, const char *runs_on, decltype(peer::sort) sort)
{
    peer made = typed_peer(name, runs_on, STD_LIBRARY, host_array_unsupported, sort);
    made.operations = PEER_HAS(OP_SEGMENTS);
    return made;
}

const peer peer_std_sort_each = make("std-sort-each", "one core", sort_each);
const peer peer_std_sort_each_all = make("std-sort-each-all", "all cores", sort_each_by_all);
