/* Reads tests/reference/NAME.json and its model, models/NAME.json. */
#include "tests/core/model/references.h"

#include <assert.h>
#include <check.h>
#include <cjson/cJSON.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Assertions here and below are plain ones: n_references() is called before a test runs. */
static cJSON *read_json(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert(file && "tests run in the root of the tree");
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    cJSON *json = cJSON_ParseWithLength(text, length);
    assert(json);
    return json;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool is_reference(const cJSON *json)
{
    return !member(json, "formulation") &&
           member(member(json, "facts"), "acceleration_at_start") != NULL;
}

/* Reference number k, NULL where there is none; *ret_n: how many there are. */
static cJSON *reference_file(int k, int *ret_n)
{
    glob_t files;
    cJSON *found = NULL;

    *ret_n = 0;
    const int status = glob("tests/reference/*.json", 0, NULL, &files);
    assert(status == 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        cJSON *json = read_json(files.gl_pathv[i]);
        if (is_reference(json) && (*ret_n)++ == k)
            found = json;
        else
            cJSON_Delete(json);
    }
    globfree(&files);
    return found;
}

int n_references(void)
{
    int n;

    cJSON_Delete(reference_file(-1, &n));
    return n;
}

/* A list or an object of texts, or of objects with a name and an `inner` text. */
static NamedText *texts(const cJSON *list, const char *inner, Arena *arena, size_t *ret_n)
{
    NamedText *result = ARENA_NEW(arena, (size_t)cJSON_GetArraySize(list), NamedText);
    const cJSON *item;
    size_t n = 0;

    cJSON_ArrayForEach(item, list)
    {
        NamedText *text = &result[n++];
        *text = (NamedText){.name = item->string, .text = item->valuestring, .pointer = ""};
        if (cJSON_IsObject(item)) {
            text->name = cJSON_GetStringValue(member(item, "name"));
            text->text = cJSON_GetStringValue(member(item, inner));
        }
    }
    *ret_n = n;
    return result;
}

static CoordinateText *coordinates(const cJSON *list, Arena *arena, size_t *ret_n)
{
    CoordinateText *result = ARENA_NEW(arena, (size_t)cJSON_GetArraySize(list), CoordinateText);
    const cJSON *item;
    size_t n = 0;

    cJSON_ArrayForEach(item, list)
    {
        const cJSON *name = cJSON_IsString(item) ? item : member(item, "name");
        result[n++] = (CoordinateText){.name = cJSON_GetStringValue(name), .pointer = ""};
    }
    *ret_n = n;
    return result;
}

static NamedValue *values(const cJSON *object, Arena *arena, size_t *ret_n)
{
    NamedValue *result = ARENA_NEW(arena, (size_t)cJSON_GetArraySize(object), NamedValue);
    const cJSON *item;
    size_t n = 0;

    cJSON_ArrayForEach(item, object)
    {
        /* the catalog's are in units of the SI */
        const cJSON *number = cJSON_IsObject(item) ? cJSON_GetObjectItem(item, "value") : item;
        const double value = cJSON_GetNumberValue(number);
        result[n++] = (NamedValue){.name = item->string, .value = value, .pointer = ""};
    }
    *ret_n = n;
    return result;
}

/* What the equations of motion are made of; symmetries, frames and charts are left out. */
static void build(Bench *bench, const cJSON *model)
{
    Arena arena = {0};
    ModelDocument d = {.name = "reference", .description = ""};

    d.coordinates = coordinates(member(model, "coordinates"), &arena, &d.n_coordinates);
    d.parameters = values(member(model, "parameters"), &arena, &d.n_parameters);
    d.definitions = texts(member(model, "definitions"), NULL, &arena, &d.n_definitions);
    d.lagrangian = (NamedText){.text = cJSON_GetStringValue(member(model, "lagrangian")),
                               .pointer = "/model/lagrangian"};
    d.constraints = texts(member(model, "constraints"), "equation", &arena, &d.n_constraints);
    d.forces = texts(member(model, "forces"), NULL, &arena, &d.n_forces);
    bench_build(bench, &d);
    arena_done(&arena);
}

/* NaN where a number is missing, so that no comparison holds. */
static void read_vector(const cJSON *by_coordinate, const Model *model, double *ret)
{
    for (size_t i = 0; i < model->n; i++)
        ret[i] = cJSON_GetNumberValue(member(by_coordinate, model->names.coordinates[i]));
}

static ConstraintKind kind_of(const cJSON *class)
{
    const char *name = cJSON_GetStringValue(member(class, "kind"));
    ConstraintKind kind = CONSTRAINT_HOLONOMIC;

    ck_assert_ptr_nonnull(name);
    while (kind < CONSTRAINT_NONLINEAR && strcmp(constraint_kind_name(kind), name) != 0)
        kind++;
    ck_assert_str_eq(constraint_kind_name(kind), name);
    return kind;
}

static void read_facts(Reference *ret, const cJSON *facts, const Model *model)
{
    read_vector(member(facts, "momenta_at_start"), model, ret->p);
    read_vector(member(facts, "acceleration_at_start"), model, ret->vdot);
    for (size_t a = 0; a < model->r; a++) {
        const cJSON *class = cJSON_GetArrayItem(member(facts, "classification"), (int)a);
        const cJSON *lambda = cJSON_GetArrayItem(member(facts, "multipliers_at_start"), (int)a);
        ret->kinds[a] = kind_of(class);
        ret->time_dependent[a] = cJSON_IsTrue(member(class, "time_dependent"));
        ret->lambda[a] = cJSON_GetNumberValue(lambda);
    }
}

void reference_init(Reference *ret, Bench *bench, int k)
{
    int n;
    cJSON *reference = reference_file(k, &n);
    const cJSON *initial = member(reference, "initial");
    char path[128];

    *ret = (Reference){.t = cJSON_GetNumberValue(member(initial, "t"))};
    snprintf(ret->id, sizeof ret->id, "%s", cJSON_GetStringValue(member(reference, "id")));
    snprintf(path, sizeof path, "models/%s.json",
             cJSON_GetStringValue(member(reference, "catalog")));
    cJSON *system = read_json(path);
    build(bench, member(member(system, "job"), "model"));
    const Model *model = bench->model;
    ck_assert_uint_le(model->n, REFERENCE_MAX);
    ck_assert_uint_le(model->r, REFERENCE_MAX);
    read_vector(member(initial, "q"), model, ret->q);
    read_vector(member(initial, "v"), model, ret->v);
    read_facts(ret, member(reference, "facts"), model);
    cJSON_Delete(system);
    cJSON_Delete(reference);
}
