/* splitters.c - the splitters of a partition, chosen from a sample of the keys
 *
 * A range of distinct keys gets 7/8 of its maximum. With SAMPLES sampled keys per range, the
 * standard deviation of its size is below 1/64 of it, so that ranges are practically never too
 * large. */
#include "base/arithmetic.h"
#include "host/key.h"
#include "host/partition.h"
#include "host/words.h"

#include <stdlib.h>

enum { SAMPLES = 4096 };

size_t cls_host_ranges(size_t count, size_t max)
{
    return (size_t)cls_divide_up(count, max - max / 8);
}

/* Returns the next pseudo-random number (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Takes a random key of each of `samples` parts of the array, so that periods in the input do not
 * matter. */
static void take_sample(const struct cls_spec *spec, const char *keys, size_t count,
                        uint64_t *sample, size_t samples)
{
    uint64_t state = count;
    for (size_t i = 0; i < samples; i++) {
        const uint64_t rest = (uint64_t)i * (count % samples) / samples;
        const size_t first = i * (count / samples) + (size_t)rest;
        const size_t index = first + (size_t)(next_random(&state) % (count / samples));
        sample[i] = cls_host_ordered_key(spec, keys + index * spec->key_bytes);
    }
}

/* Chooses how words up to `max` are computed from keys of which a sample lies between two ordered
 * keys. */
static void choose_words(const struct cls_spec *spec, uint64_t low, uint64_t high, uint32_t max,
                         struct cls_splitters *splitters)
{
    const uint64_t step = (uint64_t)1 << spec->begin_bit; /* between adjacent ordered keys */
    splitters->base = low < step ? 0 : low - step;        /* smaller keys have another word */
    splitters->shift = spec->begin_bit;
    splitters->max = max;
    while ((high - splitters->base) >> splitters->shift >= max)
        splitters->shift++;
    /* The interval of the words ends at 2^64 at most, see look_up in partition.c. */
    const bool has_all = max > UINT64_MAX >> splitters->shift;
    splitters->base =
        has_all ? 0 : cls_min(splitters->base, 0 - ((uint64_t)max << splitters->shift));
}

/* Splitters must increase, and no word is below 0. */
static void add_splitter(struct cls_splitters *splitters, uint32_t splitter)
{
    const uint32_t previous = splitters->count > 0 ? splitters->splitter[splitters->count - 1] : 0;
    if (splitter > previous)
        splitters->splitter[splitters->count++] = splitter;
}

/* Divides the sorted sample into ranges of at most max words. A word that occurs more often gets a
 * range of its own. Returns whether there is one that may have different keys. */
static bool divide_sample(const struct cls_spec *spec, const uint64_t *sample, size_t samples,
                          size_t max, struct cls_splitters *splitters)
{
    size_t first = 0; /* of the current range */
    bool is_any_too_large = false;
    splitters->count = 0;
    for (size_t i = 0, end; i < samples; i = end) {
        const uint32_t word = cls_host_word(splitters, sample[i]);
        for (end = i + 1; end < samples && cls_host_word(splitters, sample[end]) == word;)
            end++;
        if (end - first > max) {
            add_splitter(splitters, word);
            first = i;
        }
        if (end - i > max) {
            add_splitter(splitters, word + 1); /* is below the maximum */
            first = end;
            is_any_too_large = splitters->shift > spec->begin_bit;
        }
    }
    return is_any_too_large;
}

/* Finds the ranges of one word that has a single key. */
static void find_equal_ranges(const struct cls_spec *spec, struct cls_splitters *splitters)
{
    for (size_t i = 0; i <= splitters->count; i++) {
        const uint32_t begin = i > 0 ? splitters->splitter[i - 1] : 0;
        splitters->is_equal[i] = splitters->shift == spec->begin_bit && i < splitters->count &&
                                 splitters->splitter[i] - begin == 1 &&
                                 (i > 0 || splitters->base == 0);
    }
}

clsort_status cls_host_choose_splitters(const struct cls_spec *spec, const void *keys, size_t count,
                                        size_t max, struct cls_splitters *splitters)
{
    const size_t targets = (size_t)cls_min(cls_host_ranges(count, max), CLS_MAX_TARGETS);
    const size_t samples = (size_t)cls_min(SAMPLES * targets, count / 4 + 2);
    uint64_t *sample = calloc(2 * samples, sizeof *sample);
    if (!sample)
        return CLSORT_E_MEMORY;
    take_sample(spec, keys, count, sample, samples);
    const struct cls_words *code = cls_words_best();
    const struct cls_words_summary summary = code->summarise_64(sample, samples);
    const uint64_t *sorted =
        summary.is_ascending ? sample
                             : code->sort_64(sample, sample + samples, samples, summary.varying);
    const size_t max_words = (size_t)cls_divide_up(samples, targets);
    choose_words(spec, sorted[0], sorted[samples - 1], CLS_MAX_CELL, splitters);
    if (divide_sample(spec, sorted, samples, max_words, splitters)) {
        choose_words(spec, sorted[0], sorted[samples - 1], UINT32_MAX, splitters);
        divide_sample(spec, sorted, samples, max_words, splitters);
    }
    find_equal_ranges(spec, splitters);
    free(sample);
    return CLSORT_OK;
}
