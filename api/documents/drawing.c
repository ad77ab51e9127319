/* Texts of a drawing are sorted by what the rows tell about them: constants are written out, texts
 * that move become columns, and the others take their items out of the scene. */
#include "api/documents/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/documents/drawing_reader.h"
#include "api/documents/observed_rows.h"
#include "api/json/canonical.h"
#include "api/json/writer.h"

/* The largest difference of M^T M from the identity, and of det M from 1, by which a matrix still
 * passes as a rotation: below it a drawing shows no distortion. */
static const double ROTATION_TOLERANCE = 1e-6;

/* Name of text k among the observables. No document has this byte, so no column has this name. */
#define TEXT_NAME "\377%zu"

/* The texts while they are sorted; all in the arena. */
typedef struct Sorting {
    DrawingReader reader;
    NamedText *texts;    /* n: each text once, as an expression */
    bool *conditions;    /* n */
    RowKnowledge *knows; /* n */
    size_t *columns;     /* n: number of the column, from 1; 0: none */
    double *values;      /* n: in the first row; NULL: there is no row */
    size_t n;
    size_t *of;     /* reader.found.n: the place in `texts` */
    bool *left_out; /* by item */
    Arena *arena;
    Drawing *drawing;
} Sorting;

Status drawing_check(const Compiled *compiled, const JobSpec *spec, const DrawingTexts *drawing,
                     Diagnostics *diag, Error *err)
{
    static const JobSpec alone;

    if (drawing->n == 0)
        return OK;
    return drawing_texts_check(compiled, spec ? spec : &alone, drawing->texts, drawing->conditions,
                               drawing->n, diag, err);
}

static cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The member of the job, else that of the model; NULL: neither has it. */
static const cJSON *given(const DrawingOf *of, const char *name)
{
    const cJSON *of_job = member(of->job, name);

    return of_job ? of_job : member(of->model, name);
}

static Status take_documents(const DrawingOf *of, Arena *arena, Drawing *drawing, Error *err)
{
    const cJSON *scene = given(of, "scene");

    drawing->drawn_by = !scene ? "default rules" : member(of->job, "scene") ? "job" : "model";
    drawing->scene = scene ? cJSON_Duplicate(scene, true) : default_scene(of->compiled);
    const cJSON *figures = given(of, "figures");
    drawing->figures = figures ? cJSON_Duplicate(figures, true) : cJSON_CreateArray();
    if (!drawing->scene || !drawing->figures)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return scene_sample(drawing->scene, arena, err);
}

/* Reads the texts again, now with their places in the tree. */
static Status read_texts(Sorting *x, Error *err)
{
    Diagnostics diag;
    JsonReader json = {.arena = x->arena, .diag = &diag, .accepted = true};

    diagnostics_init(&diag, x->arena);
    x->reader = (DrawingReader){.json = &json, .sampled = true};
    drawing_reader_read(&x->reader, (JsonValue){x->drawing->scene, "/scene"},
                        (JsonValue){x->drawing->figures, "/figures"});
    x->reader.json = NULL;
    const Status status = json_read_end(&json, 0, err);
    return status == ERR_INVALID
               ? error_set(err, ERR_INTERNAL, "the scene cannot be read: %s", diag.items[0].message)
               : status;
}

/* Equal texts share a place. */
static Status gather_texts(Sorting *x, Error *err)
{
    const size_t n = x->reader.found.n;
    uint64_t *hashes = ARENA_NEW(x->arena, n, uint64_t); /* so that few texts are compared */

    x->texts = ARENA_NEW(x->arena, n, NamedText);
    x->conditions = ARENA_NEW(x->arena, n, bool);
    x->knows = ARENA_NEW(x->arena, n, RowKnowledge);
    x->columns = arena_sizes(x->arena, n);
    x->of = arena_sizes(x->arena, n);
    const int n_items = cJSON_GetArraySize(member(x->drawing->scene, "items"));
    x->left_out = ARENA_NEW(x->arena, (size_t)n_items, bool);
    for (size_t i = 0; i < n && !arena_failed(x->arena); i++) {
        const NamedText *found = &x->reader.found.texts[i];
        const bool condition = x->reader.found.conditions[i];
        const char *text =
            condition ? arena_join(x->arena, "if(", found->text, ", 1, 0)") : found->text;
        const uint64_t hash = text ? hash_quick(text, strlen(text)) : 0;
        size_t k = 0;
        while (text && k < x->n && (hashes[k] != hash || strcmp(x->texts[k].text, text) != 0))
            k++;
        x->of[i] = k;
        if (k < x->n)
            continue;
        x->conditions[k] = condition;
        hashes[k] = hash;
        x->texts[x->n++] = (NamedText){
            .name = arena_printf(x->arena, TEXT_NAME, k), .text = text, .pointer = found->pointer};
    }
    return arena_status(x->arena, err);
}

/* What rows tell about each text, and its value in the first row. */
static Status sort_texts(Sorting *x, const DrawingOf *of, Error *err)
{
    RowObserver *observer = NULL;
    Diagnostics diag;

    if (x->n == 0)
        return OK;
    diagnostics_init(&diag, x->arena);
    Status status =
        row_observer_of_drawing(of->compiled, of->spec, x->texts, x->n, &diag, &observer, err);
    if (status == ERR_INVALID)
        status = error_set(err, ERR_INTERNAL, "the scene cannot be read: %s",
                           diag.count ? diag.items[0].message : "");
    if (status == OK)
        status = observed_rows_check(observer, of->columns, of->n_columns, err);
    if (status == OK)
        status = row_observer_knows(observer, x->texts, x->n, x->arena, x->knows, err);
    if (status == OK && of->row) {
        x->values = arena_doubles(x->arena, x->n);
        status = arena_status(x->arena, err);
        if (status == OK)
            row_observer_eval(observer, of->row, x->values);
    }
    row_observer_free(observer);
    return status;
}

static Status name_columns(Sorting *x, Error *err)
{
    Drawing *drawing = x->drawing;

    drawing->columns = ARENA_NEW(x->arena, x->n, DrawingColumn);
    for (size_t k = 0; drawing->columns && k < x->n; k++) {
        const RowKnowledge *knows = &x->knows[k];
        if (knows->is_constant || knows->gap)
            continue;
        const size_t number = ++drawing->n_columns;
        DrawingColumn *column = &drawing->columns[number - 1];
        x->columns[k] = number;
        column->name = arena_printf(x->arena, "s%zu", number);
        column->text = x->texts[k].text;
        if (knows->has_rate && !x->conditions[k])
            column->rate = arena_join(x->arena, "dot(", column->name, ")");
    }
    return arena_status(x->arena, err);
}

/* Warnings */

static void warn_of(Sorting *x, const char *warning)
{
    if (warning)
        x->drawing->warnings[x->drawing->n_warnings++] = warning;
}

/* The reason why a text has no value; NULL: it has one. */
static const char *reason_of(const Sorting *x, size_t k)
{
    const RowKnowledge *knows = &x->knows[k];

    if (knows->gap)
        return knows->gap;
    return knows->is_constant && !isfinite(knows->value) ? "its value is not finite" : NULL;
}

/* Takes the text's item out, or else gives it the value 0. */
static void leave_out(Sorting *x, size_t i, const char *reason)
{
    const char *pointer = x->reader.found.texts[i].pointer;
    size_t item;

    if (sscanf(pointer, "/scene/items/%zu", &item) != 1) {
        warn_of(x, arena_printf(x->arena, "%s is 0: %s", pointer, reason));
        return;
    }
    if (!x->left_out[item])
        warn_of(x, arena_printf(x->arena, "/scene/items/%zu is left out because of %s: %s", item,
                                pointer, reason));
    x->left_out[item] = true;
}

/* |M^T M - 1| and |det M - 1|, the largest entry. */
static double rotation_error(const double m[3][3])
{
    const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    double worst = fabs(det - 1.0);

    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            double product = 0.0;
            for (size_t k = 0; k < 3; k++)
                product += m[k][i] * m[k][j];
            worst = fmax(worst, fabs(product - (i == j ? 1.0 : 0.0)));
        }
    return worst;
}

/* The value of a number or text in the first row. */
static double value_of(const Sorting *x, const cJSON *item)
{
    for (size_t i = 0; cJSON_IsString(item) && i < x->reader.found.n; i++)
        if (x->reader.places[i] == item)
            return x->values[x->of[i]];
    return item->valuedouble;
}

/* Warns of matrices that are no rotations in the first row. */
static void check_matrices(Sorting *x)
{
    for (size_t k = 0; x->values && k < x->reader.n_matrices; k++) {
        double m[3][3];
        size_t i = 0;
        for (const cJSON *row = x->reader.matrices[k].item->child; row; row = row->next, i++) {
            size_t j = 0;
            for (const cJSON *entry = row->child; entry; entry = entry->next, j++)
                m[i][j] = value_of(x, entry);
        }
        const double error = rotation_error((const double(*)[3])m);
        if (!(error <= ROTATION_TOLERANCE))
            warn_of(x,
                    arena_printf(x->arena, "%s is no rotation in the first row: it is off by %.3g",
                                 x->reader.matrices[k].pointer, error));
    }
}

/* The scene written out */

/* Makes the text in the tree a number or a reference to its column. */
static bool replace_text(const Sorting *x, size_t i)
{
    cJSON *item = (cJSON *)(uintptr_t)x->reader.places[i];
    const size_t k = x->of[i];

    cJSON_free(item->valuestring);
    item->valuestring = NULL;
    if (x->columns[k]) {
        item->type = cJSON_Object;
        return cJSON_AddStringToObject(item, "column",
                                       x->drawing->columns[x->columns[k] - 1].name) != NULL;
    }
    item->type = cJSON_Number;
    cJSON_SetNumberHelper(item, reason_of(x, k) ? 0.0 : x->knows[k].value);
    return true;
}

static Status fold(Sorting *x, Error *err)
{
    cJSON *items = member(x->drawing->scene, "items");
    bool good = true;

    for (size_t i = 0; i < x->reader.found.n; i++) {
        const char *reason = reason_of(x, x->of[i]);
        if (reason)
            leave_out(x, i, reason);
    }
    check_matrices(x);
    for (size_t i = 0; i < x->reader.found.n && good; i++)
        good = replace_text(x, i);
    for (int k = cJSON_GetArraySize(items) - 1; k >= 0; k--)
        if (x->left_out[k])
            cJSON_DeleteItemFromArray(items, k);
    if (!good)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return arena_status(x->arena, err);
}

Status drawing_new(const DrawingOf *of, Arena *arena, Drawing *ret, Error *err)
{
    Drawing drawing = {0};
    Sorting x = {.arena = arena, .drawing = &drawing};

    Status status = take_documents(of, arena, &drawing, err);
    if (status == OK)
        status = read_texts(&x, err);
    if (status == OK)
        status = gather_texts(&x, err);
    if (status == OK)
        status = sort_texts(&x, of, err);
    if (status == OK)
        status = name_columns(&x, err);
    if (status == OK) {
        drawing.warnings = ARENA_NEW(arena, x.reader.found.n + x.reader.n_matrices, const char *);
        status = arena_status(arena, err);
    }
    if (status == OK)
        status = fold(&x, err);
    if (status == OK)
        *ret = drawing;
    else
        drawing_done(&drawing);
    return status;
}

void drawing_done(Drawing *drawing)
{
    cJSON_Delete(drawing->scene);
    cJSON_Delete(drawing->figures);
}

Status drawing_write(const Drawing *drawing, Text *out, Error *err)
{
    const cJSON *const trees[] = {drawing->scene, drawing->figures};
    static const char *const NAMES[] = {"scene", "figures"};
    Text texts[] = {TEXT_INIT, TEXT_INIT};
    Status status = OK;
    JsonWriter writer;

    /* the scene and the figures as they stand */
    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_member_string(&writer, "drawn_by", drawing->drawn_by);
    for (size_t k = 0; k < 2 && status == OK; k++) {
        status = json_in_order(trees[k], &texts[k], err);
        json_member_raw(&writer, NAMES[k], text_string(&texts[k]));
        text_done(&texts[k]);
    }
    /* the columns that they name */
    json_member_array(&writer, "columns");
    for (size_t k = 0; k < drawing->n_columns; k++) {
        json_open_object(&writer);
        json_member_string(&writer, "name", drawing->columns[k].name);
        json_member_string(&writer, "text", drawing->columns[k].text);
        json_member_string(&writer, "rate", drawing->columns[k].rate);
        json_close_object(&writer);
    }
    json_close_array(&writer);
    json_member_strings(&writer, "warnings", drawing->warnings, drawing->n_warnings);
    json_close_object(&writer);
    return status;
}

Status drawing_observer(const Drawing *drawing, const DrawingOf *of, Arena *arena,
                        RowObserver **ret_observer, const char *const **ret_names, size_t *ret_n,
                        Error *err)
{
    const size_t most = 2 * drawing->n_columns;
    NamedText *texts = ARENA_NEW(arena, most, NamedText);
    const char **names = ARENA_NEW(arena, most, const char *);
    size_t n = drawing->n_columns;
    Diagnostics diag;

    if (!texts || !names)
        return arena_status(arena, err);
    /* the columns, and behind them the rates */
    for (size_t k = 0; k < drawing->n_columns; k++) {
        const DrawingColumn *column = &drawing->columns[k];
        texts[k].text = column->text;
        names[k] = column->name;
        if (column->rate) {
            texts[n].text = arena_join(arena, "dot(", column->text, ")");
            names[n++] = column->rate;
        }
    }
    for (size_t k = 0; k < n; k++) {
        texts[k].name = arena_printf(arena, TEXT_NAME, k);
        texts[k].pointer = "/scene";
    }
    diagnostics_init(&diag, arena);
    Status status = arena_status(arena, err);
    if (status == OK)
        status =
            row_observer_of_drawing(of->compiled, of->spec, texts, n, &diag, ret_observer, err);
    if (status == ERR_INVALID)
        status = error_set(err, ERR_INTERNAL, "the scene cannot be evaluated: %s",
                           diag.count ? diag.items[0].message : "");
    *ret_names = names;
    *ret_n = n;
    return status;
}
