/* data.c - the library clsort-keys: the key types, and generated keys
 *
 * Key i is a pure function of type, distribution, seed, count and i. Data can thus be generated in
 * blocks. Integer arithmetic is used wherever floating-point rounding could differ between
 * machines. */
#include "data.h"

#include "bits.h"

/* -- types ------------------------------------------------------------------------------------- */

static const struct data_type types[] = {
    {"u8", CLSORT_U8, 1},   {"u16", CLSORT_U16, 2}, {"u32", CLSORT_U32, 4}, {"u64", CLSORT_U64, 8},
    {"i8", CLSORT_I8, 1},   {"i16", CLSORT_I16, 2}, {"i32", CLSORT_I32, 4}, {"i64", CLSORT_I64, 8},
    {"f16", CLSORT_F16, 2}, {"f32", CLSORT_F32, 4}, {"f64", CLSORT_F64, 8},
};

const struct data_type *data_type_at(size_t index)
{
    return index < sizeof types / sizeof types[0] ? &types[index] : NULL;
}

const struct data_type *data_type_find(const char *name)
{
    const struct data_type *type;

    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++)
        if (strcmp(type->name, name) == 0)
            break;
    return type;
}

const struct data_type *data_type_of(clsort_key key)
{
    const struct data_type *type;

    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++)
        if (type->key == key)
            break;
    return type;
}

bool data_type_is_float(const struct data_type *type)
{
    return type->key >= CLSORT_F16;
}

/* -- random numbers ---------------------------------------------------------------------------- */

enum { MAX_RUNS = 512 };

/* What all keys of one call have in common. */
struct source {
    const struct data_type *type;
    uint64_t count;
    uint64_t seed;     /* of the random numbers of the keys */
    uint64_t constant; /* one random number for all keys */
    unsigned terms;    /* entropy distributions: number of values that are ANDed */
    uint64_t step;     /* 2^64 / count, rounded down: the width of the interval of a rank */
    size_t runs;       /* random-runs: number of runs, and the index of the first key of each */
    uint64_t run_starts[MAX_RUNS];
};

/* Returns the random number of an index. */
static uint64_t random_at(const struct source *s, uint64_t index)
{
    return bits_mix(s->seed + index * BITS_GAMMA);
}

/* Returns the next random number of a sequence whose initial state random_at returns. */
static uint64_t random_next(uint64_t *state)
{
    *state += BITS_GAMMA;
    return bits_mix(*state);
}

/* Returns a number below limit, which is at most 2^32. */
static uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return ((random_next(state) >> 32) * limit) >> 32;
}

/* Returns a random number with this many significant bits, at most 64. */
static uint64_t random_of_length(uint64_t *state, uint64_t length)
{
    uint64_t leading;

    if (length == 0)
        return 0;
    leading = UINT64_C(1) << (length - 1);
    return leading | (random_next(state) & (leading - 1));
}

/* -- distributions ------------------------------------------------------------------------------
 *
 * Each function returns the bits of a key in the low bits. The bits above them are arbitrary. */

static uint64_t uniform(const struct source *s, uint64_t index)
{
    return random_at(s, index);
}

/* Returns the key at a random position in the interval of a rank. The range of the keys is divided
 * into intervals of 2^-64 step of it. */
static uint64_t spread(const struct source *s, uint64_t rank, uint64_t step, uint64_t random)
{
    uint64_t ordered = rank * step + (random >> 32) * (step >> 32);

    return bits_from_ordered(s->type, ordered >> (64 - 8 * s->type->size));
}

/* Returns the key with this rank among count keys. */
static uint64_t ranked(const struct source *s, uint64_t rank)
{
    return spread(s, rank, s->step, random_at(s, rank));
}

static uint64_t reversed(const struct source *s, uint64_t index)
{
    return ranked(s, s->count - 1 - index);
}

static uint64_t organ_pipe(const struct source *s, uint64_t index)
{
    bool rising = index < s->count - s->count / 2;

    return ranked(s, rising ? 2 * index : 2 * (s->count - 1 - index) + 1);
}

static uint64_t equal(const struct source *s, uint64_t index)
{
    (void)index;
    return s->constant;
}

/* Maps ranks to distinct keys: multiplication by an odd number is a bijection of the low bits. */
static uint64_t scattered(const struct source *s, uint64_t rank)
{
    return (rank * BITS_GAMMA) ^ s->constant;
}

static uint64_t few(const struct source *s, uint64_t index)
{
    return scattered(s, random_at(s, index) % 16);
}

/* Samples the exact distribution by rejection: chooses an octave of ranks, then a rank in it, and
 * accepts it with probability (first rank of the octave) / rank. There are 2^20 - 1 ranks; 8- and
 * 16-bit types have one rank for each value but one. */
static uint64_t zipf(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    uint64_t octaves = s->type->size < 4 ? 8 * s->type->size : 20;

    for (;;) {
        uint64_t x = random_next(&state);
        uint64_t first = UINT64_C(1) << (((x >> 32) * octaves) >> 32);
        uint64_t rank = first | (x & (first - 1));

        if (((random_next(&state) >> 32) * rank) >> 32 < first)
            return scattered(s, rank);
    }
}

/* Rounds a value of small magnitude to half precision and returns its bits. */
static uint64_t half_bits(float value)
{
    float magnitude = value < 0 ? -value : value;
    uint32_t sign = value < 0 ? 0x8000 : 0;
    uint32_t bits;

    if (magnitude < 0x1p-14f) /* subnormal, in units of 2^-24 */
        return sign | (uint32_t)(magnitude * 0x1p24f + 0.5f);
    memcpy(&bits, &magnitude, sizeof bits);
    bits -= (127 - 15) << 23; /* exponent bias of half instead of single precision */
    return sign | ((bits + 0xfff + ((bits >> 13) & 1)) >> 13);
}

/* The sum of twelve uniform numbers approximates a normal distribution except in the far tails. In
 * units of 2^32, its standard deviation is 1. */
static uint64_t normal(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    int64_t deviation;
    double real;
    float single;
    uint32_t word;
    uint64_t bits;

    do { /* reject values beyond 4 sd, the range of the integers */
        deviation = -(INT64_C(6) << 32);
        for (int i = 0; i < 6; i++) {
            uint64_t x = random_next(&state);

            deviation += (int64_t)(x >> 32) + (int64_t)(x & UINT32_MAX);
        }
    } while (deviation < -(INT64_C(4) << 32) || deviation >= INT64_C(4) << 32);

    if (!data_type_is_float(s->type)) {
        uint64_t ordered = (((uint64_t)deviation << 29) + (UINT64_C(1) << 63)) |
                           (random_next(&state) >> (64 - 29));

        return bits_from_ordered(s->type, ordered >> (64 - 8 * s->type->size));
    }
    real = (double)deviation * 0x1p-32;
    single = (float)real;
    switch (s->type->size) {
    case 2:
        return half_bits(single);
    case 4:
        memcpy(&word, &single, sizeof word);
        return word;
    default:
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
}

static uint64_t entropy(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    uint64_t bits = random_next(&state);

    for (unsigned i = 1; i < s->terms; i++)
        bits &= random_next(&state);
    return bits;
}

static uint64_t hot(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    uint64_t low = bits_all(s->type) >> (4 * s->type->size);
    uint64_t bits = random_next(&state);

    return random_next(&state) % 10 == 0 ? bits : (s->constant & ~low) | (bits & low);
}

/* The lengths of the intervals, and their distances from a common point, are random powers of two.
 * Each interval holds between 1/2 and 15/16 of the keys that are not in the preceding ones. */
static uint64_t clusters(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    uint64_t bits = random_next(&state);
    uint64_t pick = random_next(&state);
    unsigned width = 8 * (unsigned)s->type->size;
    unsigned cluster = 0;
    uint64_t shares = s->constant;

    for (; cluster < 7 && pick % 16 >= 8 + random_next(&shares) % 8; cluster++)
        pick /= 16;
    state = s->constant + cluster;
    uint64_t near = bits_all(s->type) >> 1 >> random_next(&state) % width;
    uint64_t inside = bits_all(s->type) >> 1 >> random_next(&state) % width;
    uint64_t start = (s->constant & ~near) | (random_next(&state) & near);
    return (start & ~inside) | (bits & inside);
}

/* One key in eight has an extreme value. */
static uint64_t special(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    uint64_t bits = random_next(&state);
    uint64_t pick = random_next(&state);
    uint64_t sign = bits_sign(s->type);

    if (pick % 8 != 0)
        return bits;
    pick = (pick / 8) % 12;
    if (data_type_is_float(s->type)) {
        uint64_t infinity = bits_infinity(s->type);
        const uint64_t magnitudes[6] = {
            0,
            1,            /* the smallest subnormal */
            infinity - 1, /* the largest finite value */
            infinity,
            infinity + 1, /* a signalling NaN */
            sign - 1,     /* the quiet NaN that sorts last */
        };

        return magnitudes[pick % 6] | (pick < 6 ? 0 : sign);
    } else {
        const uint64_t corners[3] = {0, sign, UINT64_MAX};

        return corners[pick % 3] + pick / 3 - 1; /* the extremes and their neighbours */
    }
}

/* Returns the square root, rounded down. */
static uint64_t root_of(uint64_t square)
{
    uint64_t root = 0;

    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit /= 2)
        if ((root | bit) * (root | bit) <= square)
            root |= bit;
    return root;
}

/* The keys are divided into 2 sqrt(count) blocks, each of which has one key that is swapped with
 * that of another block. Keys that are left over at the end are not swapped. */
static uint64_t nearly_sorted(const struct source *s, uint64_t index)
{
    uint64_t size = root_of(s->count / 4) + 1;
    uint64_t blocks = s->count / size;
    uint64_t block = index / size;

    if (block >= blocks || index % size != random_at(s, block) % size)
        return ranked(s, index);
    uint64_t other = (s->constant % blocks + blocks - block) %
                     blocks; /* the block that exchanges keys with this one */
    return ranked(s, other * size + random_at(s, other) % size);
}

static uint64_t runs(const struct source *s, uint64_t index)
{
    enum { RUNS = 16 };
    uint64_t length = (s->count + RUNS - 1) / RUNS;
    uint64_t rank = index % length * RUNS + index / length;

    return ranked(s, rank < s->count ? rank : s->count - 1);
}

static uint64_t root_dups(const struct source *s, uint64_t index)
{
    return index % root_of(s->count);
}

/* Returns x^2 mod count. For 2^32 keys and more, x^2 is computed modulo 2^64 first. */
static uint64_t square_mod(uint64_t x, uint64_t count)
{
    return x * x % count;
}

static uint64_t two_dups(const struct source *s, uint64_t index)
{
    return (square_mod(index, s->count) + s->count / 2) % s->count;
}

static uint64_t eight_dups(const struct source *s, uint64_t index)
{
    uint64_t x = index;

    for (int i = 0; i < 3; i++)
        x = square_mod(x, s->count);
    return (x + s->count / 2) % s->count;
}

static uint64_t left_aligned(const struct source *s, uint64_t index)
{
    return index << 5 * s->type->size;
}

static uint64_t alternating(const struct source *s, uint64_t index)
{
    return scattered(s, index % 2);
}

static uint64_t expo(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);

    return random_of_length(&state, random_below(&state, 8 * s->type->size + 1));
}

/* Each step prepends one binary digit to the probability of each bit, from the last digit to the
 * first: OR with a random bit maps the probability p to (1 + p) / 2, and AND to p / 2. 205 / 2^11 is
 * 1/10 within 0.1 %. */
static uint64_t bitexp(const struct source *s, uint64_t index)
{
    uint64_t state = random_at(s, index);
    uint64_t bits = 0;

    for (unsigned digit = 0; digit < 11; digit++)
        bits = 205 >> digit & 1 ? bits | random_next(&state) : bits & random_next(&state);
    return bits;
}

static uint64_t stairs(const struct source *s, uint64_t index)
{
    (void)s;
    return index / 1000 * 7;
}

static uint64_t shared_prefix(const struct source *s, uint64_t index)
{
    uint64_t low = bits_all(s->type) >> (4 * s->type->size);

    return (s->constant & ~low) | (random_at(s, index) & low);
}

/* Draws the lengths of the runs, which are log-uniform from 1 to count / 4. About 3 log2(count) runs
 * are needed. If MAX_RUNS do not suffice, which is very unlikely, the last one is longer. */
static void draw_runs(struct source *s)
{
    uint64_t state = s->constant;
    uint64_t max_length = s->count < 4 ? 1 : s->count / 4;
    uint64_t octaves = 0;

    while (max_length >> octaves)
        octaves++;
    s->runs = 0;
    for (uint64_t start = 0; start < s->count && s->runs < MAX_RUNS;) {
        uint64_t length = random_of_length(&state, 1 + random_below(&state, octaves));

        if (length > max_length)
            continue;
        s->run_starts[s->runs++] = start;
        start += length;
    }
}

static uint64_t random_runs(const struct source *s, uint64_t index)
{
    size_t run = 0, end = s->runs;

    while (end - run > 1) {
        size_t middle = run + (end - run) / 2;

        if (s->run_starts[middle] <= index)
            run = middle;
        else
            end = middle;
    }
    uint64_t start = s->run_starts[run];
    uint64_t next = run + 1 < s->runs ? s->run_starts[run + 1] : s->count;
    return spread(s, index - start, UINT64_MAX / (next - start), random_at(s, index));
}

static const struct {
    const char *name;
    uint64_t (*element)(const struct source *s, uint64_t index);
    unsigned terms;
} dists[DATA_DIST_COUNT] = {
    [DATA_UNIFORM] = {"uniform", uniform, 0},
    [DATA_SORTED] = {"sorted", ranked, 0},
    [DATA_REVERSED] = {"reversed", reversed, 0},
    [DATA_EQUAL] = {"equal", equal, 0},
    [DATA_FEW] = {"few", few, 0},
    [DATA_ZIPF] = {"zipf", zipf, 0},
    [DATA_NORMAL] = {"normal", normal, 0},
    [DATA_ENTROPY2] = {"entropy2", entropy, 2},
    [DATA_ENTROPY3] = {"entropy3", entropy, 3},
    [DATA_ENTROPY4] = {"entropy4", entropy, 4},
    [DATA_ENTROPY5] = {"entropy5", entropy, 5},
    [DATA_ORGAN_PIPE] = {"organ-pipe", organ_pipe, 0},
    [DATA_CLUSTERS] = {"clusters", clusters, 0},
    [DATA_HOT] = {"hot", hot, 0},
    [DATA_SPECIAL] = {"special", special, 0},
    [DATA_NEARLY_SORTED] = {"nearly-sorted", nearly_sorted, 0},
    [DATA_RUNS] = {"runs", runs, 0},
    [DATA_ROOT_DUPS] = {"root-dups", root_dups, 0},
    [DATA_TWO_DUPS] = {"two-dups", two_dups, 0},
    [DATA_EIGHT_DUPS] = {"eight-dups", eight_dups, 0},
    [DATA_LEFT_ALIGNED] = {"left-aligned", left_aligned, 0},
    [DATA_ALTERNATING] = {"alternating", alternating, 0},
    [DATA_EXPO] = {"expo", expo, 0},
    [DATA_BITEXP] = {"bitexp", bitexp, 0},
    [DATA_STAIRS] = {"stairs", stairs, 0},
    [DATA_SHARED_PREFIX] = {"shared-prefix", shared_prefix, 0},
    [DATA_RANDOM_RUNS] = {"random-runs", random_runs, 0},
};

const char *data_dist_name(enum data_dist dist)
{
    return (unsigned)dist < DATA_DIST_COUNT ? dists[dist].name : NULL;
}

bool data_dist_find(const char *name, enum data_dist *dist)
{
    for (unsigned i = 0; i < DATA_DIST_COUNT; i++) {
        if (strcmp(dists[i].name, name) == 0) {
            *dist = (enum data_dist)i;
            return true;
        }
    }
    return false;
}

/* -- generation -------------------------------------------------------------------------------- */

bool data_fill_part(const struct data_type *type, enum data_dist dist, uint64_t seed,
                    uint64_t total, uint64_t first, void *keys, size_t count)
{
    struct source s = {.type = type, .count = total, .seed = bits_mix(seed + BITS_GAMMA)};

    if ((unsigned)dist >= DATA_DIST_COUNT)
        return false;
    s.terms = dists[dist].terms;
    s.constant = bits_mix(~s.seed);
    s.step = total == 0 ? 0 : UINT64_MAX / total;
    if (dist == DATA_RANDOM_RUNS)
        draw_runs(&s);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = dists[dist].element(&s, first + i);

        switch (type->size) {
        case 1:
            ((uint8_t *)keys)[i] = (uint8_t)bits;
            break;
        case 2:
            ((uint16_t *)keys)[i] = (uint16_t)bits;
            break;
        case 4:
            ((uint32_t *)keys)[i] = (uint32_t)bits;
            break;
        default:
            ((uint64_t *)keys)[i] = bits;
        }
    }
    return true;
}

bool data_fill(const struct data_type *type, enum data_dist dist, uint64_t seed, void *keys,
               size_t count)
{
    return data_fill_part(type, dist, seed, count, 0, keys, count);
}
