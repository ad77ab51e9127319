/* Curves and surfaces of a scene: texts in s, or in u and v, written out sample by sample. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/drawing_reader.h"
#include "core/base/number.h"

/* Samples if the document has none: fine enough for a full circle to look round. */
enum { CURVE_SAMPLES = 65, SURFACE_SAMPLES = 17 };
/* The largest number of samples in one direction. */
enum { CURVE_SAMPLES_MOST = 501, SURFACE_SAMPLES_MOST = 51 };

static bool is_name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Calls put(self, range) for each variable; everything else is copied. Numbers such as 2e5 are one
 * word, as names are. */
static void replace_variables(const char *text, size_t n, const SampleRange *ranges, Text *out,
                              void (*put)(void *self, size_t range, Text *out), void *self)
{
    while (*text) {
        size_t length = 1;
        while (is_name_part(*text) && (is_name_part(text[length]) || text[length] == '.'))
            length++;
        size_t range = 0;
        while (range < n && !(length == 1 && *text == ranges[range].variable))
            range++;
        if (range < n)
            put(self, range, out);
        else
            text_append(out, text, length);
        text += length;
    }
}

typedef struct Sample {
    const SampleRange *ranges;
    const size_t *at;
} Sample;

/* from + (to - from)*f; exact at both ends. */
static void put_value(void *self, size_t range, Text *out)
{
    const Sample *sample = self;
    const SampleRange *r = &sample->ranges[range];
    const size_t at = sample->at[range], last = r->samples - 1;
    char share[NUMBER_TEXT_MAX], rest[NUMBER_TEXT_MAX];

    if (at == 0 || at == last) {
        text_printf(out, "(%s)", at == 0 ? r->from : r->to);
        return;
    }
    number_print((double)at / (double)last, share);
    number_print((double)(last - at) / (double)last, rest);
    text_printf(out, "((%s)*%s + (%s)*%s)", r->from, rest, r->to, share);
}

void sample_text(const char *text, const SampleRange *ranges, size_t n, const size_t *at, Text *out)
{
    Sample sample = {ranges, at};
    replace_variables(text, n, ranges, out, put_value, &sample);
}

static void put_one(void *self, size_t range, Text *out)
{
    (void)self, (void)range;
    text_putc(out, '1');
}

void sample_plain(const char *text, const SampleRange *ranges, size_t n, Text *out)
{
    replace_variables(text, n, ranges, out, put_one, NULL);
}

/* A number or a text, as a text. */
static const char *text_of(const cJSON *item, Arena *arena)
{
    char number[NUMBER_TEXT_MAX];

    if (cJSON_IsString(item))
        return arena_strdup(arena, item->valuestring);
    number_print(item->valuedouble, number);
    return arena_strdup(arena, number);
}

/* [from, to] */
static bool read_range(DrawingReader *x, JsonValue list, SampleRange *ret)
{
    const size_t mistakes = x->json->diag->total;

    if (!json_is_array(x->json, list, "a list of 2 numbers or texts"))
        return false;
    if (json_count(list) != 2)
        return json_wrong(x->json, list, NULL, "\"%s\" must be a list of 2 numbers or texts",
                          json_path(x->json, list.pointer));
    JsonValue from = json_first(x->json, list), to = json_following(x->json, list, from);
    drawing_number(x, from, false);
    drawing_number(x, to, false);
    if (x->json->diag->total > mistakes)
        return false;
    ret->from = text_of(from.item, x->json->arena);
    ret->to = text_of(to.item, x->json->arena);
    x->json->no_memory = x->json->no_memory || !ret->from || !ret->to;
    return !x->json->no_memory;
}

static bool read_samples(DrawingReader *x, JsonValue value, size_t most, size_t *ret)
{
    const char *expected =
        most == CURVE_SAMPLES_MOST ? "an integer from 2 to 501" : "an integer from 2 to 51";
    int64_t samples;

    if (!json_integer(x->json, value, expected, 2, (int64_t)most, &samples))
        return false;
    *ret = (size_t)samples;
    return true;
}

/* Element k of a list. */
static JsonValue element(DrawingReader *x, JsonValue list, size_t k)
{
    JsonValue v = json_first(x->json, list);

    for (; json_present(v) && k > 0; k--)
        v = json_following(x->json, list, v);
    return v;
}

static bool is_pair(DrawingReader *x, JsonValue list, const char *expected)
{
    return json_is_array(x->json, list, expected) &&
           (json_count(list) == 2 || json_expected(x->json, list, expected));
}

bool sample_ranges_read(DrawingReader *x, JsonValue item, SampleRange *ret, size_t n)
{
    JsonValue range = json_member(x->json, item, "range");
    JsonValue samples = json_member(x->json, item, "samples");

    if (!json_present(range))
        return false;
    /* a curve has one range and one number of samples */
    if (n == 1) {
        ret[0] = (SampleRange){.variable = 's', .samples = CURVE_SAMPLES};
        return read_range(x, range, &ret[0]) &&
               (!json_present(samples) ||
                read_samples(x, samples, CURVE_SAMPLES_MOST, &ret[0].samples));
    }
    /* a surface has lists of two */
    ret[0] = (SampleRange){.variable = 'u', .samples = SURFACE_SAMPLES};
    ret[1] = (SampleRange){.variable = 'v', .samples = SURFACE_SAMPLES};
    if (!is_pair(x, range, "the ranges of u and v, a list of two lists") ||
        (json_present(samples) && !is_pair(x, samples, "a list of two integers")))
        return false;
    bool good = true;
    for (size_t k = 0; k < n; k++) {
        good = read_range(x, element(x, range, k), &ret[k]) && good;
        if (json_present(samples))
            good = read_samples(x, element(x, samples, k), SURFACE_SAMPLES_MOST, &ret[k].samples) &&
                   good;
    }
    return good;
}

/* The point at one sample, a list of numbers and texts; NULL when out of memory. */
static cJSON *point_at(const cJSON *point, const SampleRange *ranges, size_t n, const size_t *at)
{
    cJSON *list = cJSON_CreateArray();
    bool good = list != NULL;

    for (const cJSON *part = point->child; part && good; part = part->next) {
        Text text = TEXT_INIT;
        if (cJSON_IsString(part))
            sample_text(part->valuestring, ranges, n, at, &text);
        cJSON *item = cJSON_IsString(part) ? cJSON_CreateString(text_string(&text))
                                           : cJSON_CreateNumber(part->valuedouble);
        good = text_ok(&text) && item && cJSON_AddItemToArray(list, item);
        text_done(&text);
    }
    if (good)
        return list;
    cJSON_Delete(list);
    return NULL;
}

/* The points of a curve, or of the line of a surface with the first variable at at[0]. */
static cJSON *points_along(const cJSON *point, const SampleRange *ranges, size_t n, size_t *at)
{
    cJSON *list = cJSON_CreateArray();

    for (at[n - 1] = 0; list && at[n - 1] < ranges[n - 1].samples; at[n - 1]++) {
        cJSON *sample = point_at(point, ranges, n, at);
        if (!sample || !cJSON_AddItemToArray(list, sample)) {
            cJSON_Delete(list);
            return NULL;
        }
    }
    return list;
}

static cJSON *points_of(const cJSON *point, const SampleRange *ranges, size_t n)
{
    size_t at[SAMPLE_RANGES] = {0, 0};

    if (n == 1)
        return points_along(point, ranges, n, at);
    cJSON *rows = cJSON_CreateArray();
    for (; rows && at[0] < ranges[0].samples; at[0]++) {
        cJSON *row = points_along(point, ranges, n, at);
        if (!row || !cJSON_AddItemToArray(rows, row)) {
            cJSON_Delete(rows);
            return NULL;
        }
    }
    return rows;
}

Status scene_sample(cJSON *scene, Arena *arena, Error *err)
{
    cJSON *items = cJSON_GetObjectItemCaseSensitive(scene, "items");
    Diagnostics diag;
    JsonReader json = {.arena = arena, .diag = &diag};
    DrawingReader reader = {.json = &json};

    diagnostics_init(&diag, arena);
    for (cJSON *item = items ? items->child : NULL; item; item = item->next) {
        const cJSON *shape = cJSON_GetObjectItemCaseSensitive(item, "shape");
        const cJSON *point = cJSON_GetObjectItemCaseSensitive(item, "point");
        const bool surface = cJSON_IsString(shape) && strcmp(shape->valuestring, "surface") == 0;
        const bool curve = cJSON_IsString(shape) && strcmp(shape->valuestring, "curve") == 0;
        SampleRange ranges[SAMPLE_RANGES];
        if (!surface && !curve)
            continue;
        /* the points, from the one with its ranges */
        const size_t n = surface ? 2 : 1;
        if (!cJSON_IsArray(point) || !sample_ranges_read(&reader, (JsonValue){item, ""}, ranges, n))
            return error_set(err, json.no_memory ? ERR_NO_MEMORY : ERR_INTERNAL,
                             "a curve or a surface cannot be sampled");
        cJSON *points = points_of(point, ranges, n);
        if (!points || !cJSON_AddItemToObject(item, "points", points)) {
            cJSON_Delete(points);
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        }
        /* they replace it */
        cJSON_DeleteItemFromObjectCaseSensitive(item, "point");
        cJSON_DeleteItemFromObjectCaseSensitive(item, "range");
        cJSON_DeleteItemFromObjectCaseSensitive(item, "samples");
    }
    return OK;
}
