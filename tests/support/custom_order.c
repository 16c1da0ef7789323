/* custom_order.c - custom orders of keys for tests, each in OpenCL C and in C */
#include "custom_order.h"

#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- structs and vectors --------------------------------------------------------------------------- */

struct particle {
    float x;
    uint32_t y;
};

static bool particle_precedes(const void *a, const void *b)
{
    struct particle p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return p.x < q.x || (p.x == q.x && p.y > q.y);
}

/* Both -0 and +0 occur. They are equal, but their bits differ, so that a sort that is not stable is detected. */
static void particle_set(uint64_t random, void *key)
{
    const float x = (float)(random % 30) / 4 - 3;
    const struct particle particle = {x == 0 && random & 1u << 9 ? -x : x, random >> 16 & 7};
    memcpy(key, &particle, sizeof particle);
}

/* An int4 has a larger alignment than clsort requires of the arrays. */
static bool quad_precedes(const void *a, const void *b)
{
    int32_t p[4], q[4];
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    return p[3] < q[3] || (p[3] == q[3] && p[0] < q[0]);
}

static void quad_set(uint64_t random, void *key)
{
    const int32_t w = (int32_t)(random % 20) - 10;
    memcpy((char *)key + 12, &w, sizeof w);
    ((char *)key)[0] = (char)(random >> 20 & 1);
    memset((char *)key + 1, 0, 3);
}

struct date {
    uint32_t id;
    uint16_t year;
    uint8_t month, day;
    int32_t second;
};

static bool date_precedes(const void *a, const void *b)
{
    struct date p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    const long left[] = {p.year, p.month, p.day, p.second},
               right[] = {q.year, q.month, q.day, q.second};
    size_t i = 0;
    while (i < 3 && left[i] == right[i])
        i++;
    return left[i] < right[i];
}

static void date_set(uint64_t random, void *key)
{
    struct date date;
    memcpy(&date, key, sizeof date);
    date.year = (uint16_t)(2000 + random % 3);
    date.month = (uint8_t)(1 + random / 3 % 12);
    date.second = (int32_t)(random >> 32 & 3) - 2;
    date.day = 1;
    memcpy(key, &date, sizeof date);
}

static bool packed_precedes(const void *a, const void *b)
{
    uint32_t p, q;
    memcpy(&p, (const char *)a + 1, sizeof p);
    memcpy(&q, (const char *)b + 1, sizeof q);
    return p < q;
}

static void packed_set(uint64_t random, void *key)
{
    const uint32_t number = (uint32_t)(random % 100) << 10;
    memcpy((char *)key + 1, &number, sizeof number);
}

struct record {
    int64_t rank;
    int8_t name[32];
};

static bool record_precedes(const void *a, const void *b)
{
    struct record p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return p.rank > q.rank || (p.rank == q.rank && p.name[31] < q.name[31]);
}

static void record_set(uint64_t random, void *key)
{
    struct record record;
    memcpy(&record, key, sizeof record);
    record.rank = (int64_t)(random % 100) - 50;
    memcpy(key, &record, sizeof record);
}

static bool row_precedes(const void *a, const void *b)
{
    uint32_t p[50], q[50];
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    return p[49] < q[49] || (p[49] == q[49] && p[0] < q[0]);
}

static void row_set(uint64_t random, void *key)
{
    const uint32_t last = (uint32_t)(random % 500);
    memcpy((char *)key + 196, &last, sizeof last);
}

/* -- bytes ------------------------------------------------------------------------------------------ */

static bool nibble_precedes(const void *a, const void *b)
{
    return (*(const uint8_t *)a & 15) < (*(const uint8_t *)b & 15);
}

static unsigned brightness_of(const void *key)
{
    const uint8_t *colour = key;
    return 2u * colour[0] + 7u * colour[1] + colour[2];
}

static bool colour_precedes(const void *a, const void *b)
{
    return brightness_of(a) < brightness_of(b);
}

static bool text_precedes(const void *a, const void *b)
{
    return strncmp(a, b, 16) < 0;
}

/* Strings of one or two letters. Some fill the key; others end early, and the bytes after the null do not count. */
static void text_set(uint64_t random, void *key)
{
    char *text = key;
    const size_t length = random % 17;
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(i < 8 ? 'a' : 'a' + (int)(random >> (8 + i) & 1));
    if (length < 16)
        text[length] = '\0';
}

static bool never_precedes(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return false;
}

static void keep_random(uint64_t random, void *key)
{
    (void)random;
    (void)key;
}

const struct custom_order custom_orders[] = {
    {"particle", 8, "typedef struct {\n    float x;\n    uint y;\n} particle;\n", "particle",
     "a.x < b.x || (a.x == b.x && a.y > b.y)", particle_precedes, particle_set},
    {"text", 16,
     "typedef struct {\n"
     "    uchar at[16];\n"
     "} text;\n"
     "bool before(const text *a, const text *b)\n"
     "{\n"
     "    int i = 0;\n"
     "    while (i < 15 && a->at[i] == b->at[i] && a->at[i] != 0)\n"
     "        i++;\n"
     "    return a->at[i] < b->at[i];\n"
     "}",
     "text", "before(&a, &b)", text_precedes, text_set},
    {"nibble", 1, NULL, "uchar", "(a & 15) < (b & 15)", nibble_precedes, keep_random},
    {"colour", 3,
     "struct colour { uchar r, g, b; };\n"
     "#define BRIGHTNESS(c) (2u * c.r + 7u * c.g + c.b)",
     "struct colour", "BRIGHTNESS(a) < BRIGHTNESS(b) // the darker one", colour_precedes,
     keep_random},
    {"date", 12, "typedef struct { uint id; ushort year; uchar month, day; int s; } date;", "date",
     "a.year != b.year ? a.year < b.year : a.month != b.month ? a.month < b.month\n"
     ": a.day != b.day ? a.day < b.day : a.s < b.s",
     date_precedes, date_set},
    {"packed", 8,
     "struct __attribute__((packed)) bits { uchar kind; uint number; uchar rest[3]; };",
     "struct bits", "a.number < b.number", packed_precedes, packed_set},
    {"quad", 16, "", "int4", "a.w < b.w || (a.w == b.w && a.x < b.x)", quad_precedes, quad_set},
    {"record", 40, "struct record { long rank; char name[32]; };", "struct record",
     "a.rank > b.rank || (a.rank == b.rank && a.name[31] < b.name[31])", record_precedes,
     record_set},
    {"row", 200, "typedef struct { uint at[50]; } row;", "row",
     "a.at[49] < b.at[49] || (a.at[49] == b.at[49] && a.at[0] < b.at[0])", row_precedes, row_set},
    {"equal", 4, NULL, "uint", "0", never_precedes, keep_random},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL},
};

/* -- invalid orders ------------------------------------------------------------------------------ */

/* Several relations that are not strict weak orders, in one program to save compile time: the first word of a key
 * selects the relation. */
enum { NOT_STRICT, RANDOM, CYCLIC, WITH_NANS };
static const char INVALID_PRELUDE[] =
    "struct pair { uint relation, y; };\n"
    "bool before(const struct pair a, const struct pair b)\n"
    "{\n"
    "    switch (a.relation) {\n"
    "    case 0:\n"
    "        return a.y <= b.y;\n"
    "    case 1:\n"
    "        return (a.y * 0x9e3779b1u ^ b.y * 0x85ebca6bu) >> 13 & 1;\n"
    "    case 2:\n"
    "        return (a.y % 3 + 1) % 3 == b.y % 3;\n"
    "    default:\n"
    "        return as_float(a.y) < as_float(b.y);\n"
    "    }\n"
    "}\n";

static void pair_set(uint32_t relation, uint32_t y, void *key)
{
    const uint32_t pair[] = {relation, y};
    memcpy(key, pair, sizeof pair);
}

static void not_strict_set(uint64_t random, void *key)
{
    pair_set(NOT_STRICT, (uint32_t)(random % 1000), key);
}

static void random_set(uint64_t random, void *key)
{
    pair_set(RANDOM, (uint32_t)random, key);
}

static void cyclic_set(uint64_t random, void *key)
{
    pair_set(CYCLIC, (uint32_t)(random % 3000), key);
}

static void with_nans_set(uint64_t random, void *key)
{
    const float number = random % 5 == 0 ? NAN : (float)(random % 1000);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    pair_set(WITH_NANS, bits, key);
}

#define INVALID(name, set)                                                                         \
    {                                                                                              \
        name, 8, INVALID_PRELUDE, "struct pair", "before(a, b)", NULL, set                         \
    }

const struct custom_order custom_orders_invalid[] = {
    {"always", 8, NULL, "ulong", "1", NULL, keep_random},
    INVALID("not-strict", not_strict_set),
    INVALID("random", random_set),
    INVALID("cyclic", cyclic_set),
    INVALID("with-nans", with_nans_set),
    {NULL, 0, NULL, NULL, NULL, NULL, NULL},
};

/* -- keys and the reference sort ------------------------------------------------------------------- */

const struct custom_order *custom_order_find(const char *name)
{
    const struct custom_order *const lists[] = {custom_orders, custom_orders_invalid};
    for (size_t i = 0; i < 2; i++) {
        for (const struct custom_order *order = lists[i]; order->name; order++) {
            if (strcmp(order->name, name) == 0)
                return order;
        }
    }
    return NULL;
}

void custom_order_fill(const struct custom_order *order, uint64_t seed, void *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t random;
        char *key = (char *)keys + i * order->key_size;
        reference_value(seed << 32 ^ i, sizeof random, &random);
        reference_value(random, order->key_size, key);
        order->set(random, key);
    }
}

/* Merges the sorted runs [first, middle) and [middle, end) of `from` into `to`. */
static void merge_runs(const struct custom_order *order, const char *keys, const size_t *from,
                       size_t *to, size_t first, size_t middle, size_t end)
{
    const size_t size = order->key_size;
    size_t a = first, b = middle;
    for (size_t i = first; i < end; i++) {
        const bool second = a == middle || (b < end && order->precedes(keys + from[b] * size,
                                                                       keys + from[a] * size));
        to[i] = second ? from[b++] : from[a++];
    }
}

bool custom_order_sort(const struct custom_order *order, const void *keys, size_t count,
                       size_t *indexes)
{
    size_t *other = malloc((count + 1) * sizeof *other);
    size_t *from = indexes, *to = other;
    if (!other)
        return false;
    for (size_t i = 0; i < count; i++)
        from[i] = i;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t first = 0; first < count; first += 2 * run) {
            const size_t middle = first + run < count ? first + run : count;
            const size_t end = middle + run < count ? middle + run : count;
            merge_runs(order, keys, from, to, first, middle, end);
        }
        size_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != indexes)
        memcpy(indexes, from, count * sizeof *indexes);
    free(other);
    return true;
}
