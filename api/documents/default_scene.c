/* A scene for models that have none, by the names of their coordinates. */
#include <string.h>

#include "api/documents/drawing.h"
#include "core/motion/formulation.h"

/* A place in space whose parts are names of the model. */
typedef struct Place {
    const char *parts[3]; /* x, y, z; NULL: 0 */
    bool of_coordinates;  /* else of definitions */
} Place;

static const char *const LETTERS[] = {"x", "y", "z"};
static const char *const DEFINED[] = {"X", "Y", "Z"};

/* The coordinate with this letter and suffix: "x1" for "x" and "1". */
static const char *coordinate(const Model *m, const char *letter, const char *suffix)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->names.coordinates[i][0] == *letter &&
            strcmp(m->names.coordinates[i] + 1, suffix) == 0)
            return m->names.coordinates[i];
    return NULL;
}

/* The place to which coordinate i belongs, unless an earlier coordinate belongs to it as well. A
 * suffix of letters is part of a word, such as "xi"; "l" and "r" stand for left and right. */
static bool place_of(const Model *m, size_t i, Place *ret)
{
    static const char SUFFIXES[] = "0123456789_lr";
    const char *name = m->names.coordinates[i], *suffix = name + 1;
    Place place = {.of_coordinates = true};

    if (*name < 'x' || *name > 'z' || suffix[strspn(suffix, SUFFIXES)] != '\0')
        return false;
    for (size_t k = 0; k < 3; k++)
        place.parts[k] = coordinate(m, LETTERS[k], suffix);
    for (size_t k = 0; k < 3 && LETTERS[k][0] != *name; k++)
        if (place.parts[k])
            return false;
    *ret = place;
    return true;
}

/* The place in terms of definitions X, Y, Z. */
static bool place_defined(const Model *m, Place *ret)
{
    Place place = {0};

    for (size_t k = 0; k < 3; k++)
        place.parts[k] = model_defines(m, DEFINED[k]) ? DEFINED[k] : NULL;
    *ret = place;
    return place.parts[0] && place.parts[1];
}

/* An angle has a period, or a unit of angles. */
static bool is_angle(const Model *m, size_t i)
{
    const Unit *unit = m->units.known ? &m->units.state[i] : NULL;

    return m->kinds.periods[i] > 0 ||
           (unit && unit->n_powers == 1 &&
            (strcmp(unit->powers[0].name, "rad") == 0 || strcmp(unit->powers[0].name, "deg") == 0));
}

/* Building; whatever fails here is found at the end. */

typedef struct Builder {
    cJSON *items;
    size_t space;
    bool failed;
} Builder;

static cJSON *add_item(Builder *x, const char *shape)
{
    cJSON *item = cJSON_CreateObject();

    if (item && cJSON_AddItemToArray(x->items, item)) {
        x->failed = x->failed || !cJSON_AddStringToObject(item, "shape", shape);
        return item;
    }
    cJSON_Delete(item);
    x->failed = true;
    return NULL;
}

/* Takes over the value. */
static void add_member(Builder *x, cJSON *item, const char *name, cJSON *value)
{
    if (!item || !value || !cJSON_AddItemToObject(item, name, value)) {
        cJSON_Delete(value);
        x->failed = true;
    }
}

/* A list of texts "BEFORE part BEHIND"; a part that is NULL is 0. */
static cJSON *vector_of(Builder *x, const char *before, const char *const *parts,
                        const char *behind)
{
    cJSON *list = cJSON_CreateArray();

    for (size_t k = 0; k < x->space; k++) {
        Text text = TEXT_INIT;
        if (parts[k])
            text_printf(&text, "%s%s%s", before, parts[k], behind);
        cJSON *part = parts[k] ? cJSON_CreateString(text_string(&text)) : cJSON_CreateNumber(0.0);
        if (!text_ok(&text) || !list || !part || !cJSON_AddItemToArray(list, part)) {
            cJSON_Delete(part);
            x->failed = true;
        }
        text_done(&text);
    }
    return list;
}

static void add_arrow(Builder *x, const Place *place, const char *role, const char *before)
{
    cJSON *arrow = add_item(x, "arrow");

    add_member(x, arrow, "role", cJSON_CreateString(role));
    add_member(x, arrow, "at", vector_of(x, "", place->parts, ""));
    add_member(x, arrow, "vector", vector_of(x, before, place->parts, ")"));
}

/* A point with its trail, its velocity, and the reaction on it. */
static void add_place(Builder *x, const Place *place, bool reactions)
{
    cJSON *point = add_item(x, "point");

    add_member(x, point, "at", vector_of(x, "", place->parts, ""));
    add_member(x, point, "trail", cJSON_CreateTrue());
    add_arrow(x, place, "velocity", "dot(");
    if (reactions && place->of_coordinates)
        add_arrow(x, place, "reaction", "reaction(");
}

/* Rods of length 1, each from the end of the one before, by its angle from straight down. */
static void add_rods(Builder *x, const Model *m)
{
    Text ends[2] = {TEXT_INIT, TEXT_INIT};
    const char *end[3] = {NULL, NULL, NULL};

    for (size_t i = 0; i < m->n; i++) {
        if (!is_angle(m, i))
            continue;
        cJSON *rod = add_item(x, "rod");
        add_member(x, rod, "from", vector_of(x, "", end, ""));
        text_printf(&ends[0], "%ssin(%s)", ends[0].length ? " + " : "", m->names.coordinates[i]);
        text_printf(&ends[1], "%scos(%s)", ends[1].length ? " - " : "-", m->names.coordinates[i]);
        for (size_t k = 0; k < 2; k++)
            end[k] = text_string(&ends[k]);
        add_member(x, rod, "to", vector_of(x, "", end, ""));
        x->failed = x->failed || !text_ok(&ends[0]) || !text_ok(&ends[1]);
    }
    text_done(&ends[0]);
    text_done(&ends[1]);
}

/* A gauge for each coordinate, and the point of the first two in a plane. */
static void add_gauges(Builder *x, const Model *m)
{
    enum { MOST = 20 }; /* gauges that a page has room for */
    const char *plane[3] = {m->names.coordinates[0], m->n > 1 ? m->names.coordinates[1] : NULL,
                            NULL};
    cJSON *point = add_item(x, "point");

    add_member(x, point, "at", vector_of(x, "", plane, ""));
    add_member(x, point, "trail", cJSON_CreateTrue());
    for (size_t i = 0; i < m->n && i < MOST; i++) {
        cJSON *gauge = add_item(x, "gauge");
        add_member(x, gauge, "label", cJSON_CreateString(m->names.coordinates[i]));
        add_member(x, gauge, "value", cJSON_CreateString(m->names.coordinates[i]));
    }
}

static bool has_angle(const Model *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (is_angle(m, i))
            return true;
    return false;
}

cJSON *default_scene(const Compiled *compiled)
{
    enum { MOST_PLACES = 50 }; /* points with their arrows: within SCENE_MAX_ITEMS */
    const Model *m = compiled_model(compiled);
    const bool kept = formulation_find(compiled_formulation(compiled))->keeps_multipliers;
    const bool reactions = m->r > 0 && !kept; /* else rows do not tell them */
    cJSON *scene = cJSON_CreateObject();
    Builder x = {.space = 2, .items = cJSON_CreateArray()};
    Place places[MOST_PLACES];
    size_t n = 0;

    /* the places, and whether one of them leaves the plane */
    if (place_defined(m, &places[0]))
        n = 1;
    for (size_t i = 0, found = n; i < m->n && found == 0 && n < MOST_PLACES; i++)
        n += place_of(m, i, &places[n]);
    for (size_t k = 0; k < n; k++)
        x.space = places[k].parts[2] ? 3 : x.space;
    x.failed = !x.items || !cJSON_AddNumberToObject(scene, "space", (double)x.space);
    /* points, else rods, else gauges */
    if (n > 0) {
        for (size_t k = 0; k < n; k++)
            add_place(&x, &places[k], reactions);
    } else if (has_angle(m)) {
        add_rods(&x, m);
    } else {
        add_gauges(&x, m);
    }
    add_member(&x, scene, "items", x.items);
    if (!x.failed)
        return scene;
    cJSON_Delete(scene);
    return NULL;
}
