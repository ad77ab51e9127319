/* Reading whole documents, models and jobs: references to models are resolved, and both get their
 * canonical names. */
#include "api/documents/documents.h"

#include <string.h>

#include "api/documents/catalog.h"
#include "api/documents/read.h"
#include "api/documents/values.h"
#include "api/json/canonical.h"
#include "core/base/clock.h"
#include "core/simulate.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The size of most jobs' canonical text. */
enum { CANONICAL_BYTES = 1000 };

enum { LABEL_KEY_MAX = 63, LABEL_VALUE_MAX = 1000 };

static Status input_no_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory while reading a document");
}

static Status canonical_text(const cJSON *tree, Arena *arena, const char **ret_text,
                             size_t *ret_size, Error *err)
{
    Text text = TEXT_INIT;
    Status status = json_canonical(tree, &text, err);
    if (status == OK) {
        char *copy = arena_strndup(arena, text_string(&text), text.length);
        if (copy) {
            *ret_text = copy;
            *ret_size = text.length;
        } else {
            status = input_no_memory(err);
        }
    }
    text_done(&text);
    return status;
}

static void hash_text(const char *text, size_t size, char ret_hash[HASH_TEXT_MAX])
{
    Hash hash = hash_bytes(text, size);
    hash_format(&hash, ret_hash);
}

/* Names the model by the hash of its canonical text. */
static Status name_model(const char *text, size_t size, Arena *arena, ModelInput *input, Error *err)
{
    input->name = input->document.name;
    input->canonical = arena_strndup(arena, text, size);
    input->canonical_size = size;
    if (!input->canonical)
        return input_no_memory(err);
    hash_text(text, size, input->id);
    return OK;
}

/* The hash of the tree's canonical text. */
static Status hash_tree(const cJSON *tree, char ret_hash[HASH_TEXT_MAX], Error *err)
{
    Text text = TEXT_INIT;
    text_reserve(&text, CANONICAL_BYTES);
    const Status status = json_canonical(tree, &text, err);
    if (status == OK)
        hash_text(text_string(&text), text.length, ret_hash);
    text_done(&text);
    return status;
}

static void forget_members(cJSON *object, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cJSON_Delete(cJSON_DetachItemFromObjectCaseSensitive(object, names[i]));
}

/* Names the compiled form: what is drawn does not change it. Takes the drawing out of the tree. */
static Status name_key(cJSON *model, ModelInput *input, Error *err)
{
    static const char *const DRAWING[] = {"scene", "figures"};
    bool drawn = false;

    for (size_t k = 0; k < LENGTH(DRAWING); k++)
        drawn = drawn || cJSON_GetObjectItemCaseSensitive(model, DRAWING[k]);
    forget_members(model, DRAWING, LENGTH(DRAWING));
    memcpy(input->key, input->id, sizeof input->key);
    return drawn ? hash_tree(model, input->key, err) : OK;
}

/* Adds the mistakes inside the model's expressions, so that a client sees all mistakes at once. */
static void add_model_mistakes(const ModelDocument *document, Diagnostics *diag)
{
    Model *model = NULL;
    Error ignored = {0};

    if (model_build(document, diag, &model, &ignored) == OK)
        model_unref(model);
}

Status model_input_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                        ModelInput *ret_input, bool *ret_is_json, Error *err)
{
    JsonReader reader = {.arena = arena, .diag = diag};
    ModelInput input = {0};
    size_t before = diag->total;
    cJSON *tree;

    /* read */
    Status status = json_parse(bytes, size, diag, &tree, ret_is_json, err);
    if (status != OK)
        return status;
    const JsonValue model = {tree, ""};
    const bool sound = read_model(&reader, model, &input.document);
    read_drawing(&reader, model, &input.drawing);
    if (sound && diag->total > before)
        add_model_mistakes(&input.document, diag);
    status = json_read_end(&reader, before, err);
    /* name */
    Text text = TEXT_INIT;
    if (status == OK)
        status = json_canonical(tree, &text, err);
    if (status == OK)
        status = name_model(text_string(&text), text.length, arena, &input, err);
    if (status == OK)
        status = name_key(tree, &input, err);
    if (status == OK)
        *ret_input = input;
    text_done(&text);
    cJSON_Delete(tree);
    return status;
}

/* Finds the model inside a catalog entry. */
static Status input_catalog_model(JsonReader *reader, JsonValue name, cJSON **ret_model, Error *err)
{
    const char *given = "";
    if (!json_string(reader, name, "the name of a catalog system", &given))
        return OK;
    const CatalogEntry *entry = catalog_find(given);
    /* unknown: suggest a name */
    if (!entry) {
        size_t n;
        const CatalogEntry *entries = catalog_entries(&n);
        const char **names = json_alloc(reader, n, sizeof *names);
        for (size_t i = 0; names && i < n; i++)
            names[i] = entries[i].name;
        const char *near = names ? nearest_name(given, strlen(given), names, n) : NULL;
        json_wrong(reader, name,
                   near ? arena_printf(reader->arena, "did you mean \"%s\"?", near)
                        : "GET /v1/catalog and `dalembert catalog` list the systems",
                   "the catalog has no system \"%.80s\"", given);
        return OK;
    }
    /* its model */
    cJSON *tree;
    Status status = json_parse(entry->text, entry->size, reader->diag, &tree, NULL, err);
    if (status != OK)
        return error_set(err, ERR_INTERNAL, "the catalog entry %s is no JSON", entry->name);
    cJSON *job = cJSON_DetachItemFromObjectCaseSensitive(tree, "job");
    *ret_model = job ? cJSON_DetachItemFromObjectCaseSensitive(job, "model") : NULL;
    cJSON_Delete(job);
    cJSON_Delete(tree);
    return *ret_model ? OK
                      : error_set(err, ERR_INTERNAL, "no model in catalog entry %s", entry->name);
}

static Status parse_stored(JsonReader *reader, const char *id, const char *text, size_t size,
                           cJSON **ret_model, Error *err)
{
    Diagnostics scratch;
    diagnostics_init(&scratch, reader->arena);
    Status status = json_parse(text, size, &scratch, ret_model, NULL, err);
    return status == ERR_INVALID
               ? error_set(err, ERR_INTERNAL, "the stored model %s cannot be read", id)
               : status;
}

static Status input_stored_model(JsonReader *reader, JsonValue id, const ModelSource *source,
                                 cJSON **ret_model, Error *err)
{
    const char *given = "", *text;
    size_t size;

    if (!json_string(reader, id, "the id of a stored model", &given))
        return OK;
    if (!source || !source->stored) {
        json_wrong(reader, id, "write the model into the job", "there are no stored models here");
        return OK;
    }
    /* its id must be known */
    Status status = source->stored(source->self, given, reader->arena, &text, &size, err);
    if (status == ERR_NOT_FOUND) {
        json_wrong(reader, id, "GET /v1/models lists the stored models",
                   "no model has the id \"%.80s\"", given);
        return OK;
    }
    return status == OK ? parse_stored(reader, given, text, size, ret_model, err) : status;
}

/* The model that a reference meant when its job was accepted; NULL if it was not kept. */
static Status input_kept_model(JsonReader *reader, const ModelSource *source, cJSON **ret_model,
                               Error *err)
{
    const char *text;
    size_t size;
    if (!source || !source->accepted)
        return OK;
    Status status =
        source->stored(source->self, source->accepted, reader->arena, &text, &size, err);
    if (status == ERR_NOT_FOUND)
        return OK;
    return status == OK ? parse_stored(reader, source->accepted, text, size, ret_model, err)
                        : status;
}

/* Does `model` refer to a model elsewhere? */
bool model_is_reference(const cJSON *model)
{
    return cJSON_IsObject(model) &&
           (cJSON_GetObjectItemCaseSensitive(model, "catalog") ||
            cJSON_GetObjectItemCaseSensitive(model, "id")) &&
           !cJSON_GetObjectItemCaseSensitive(model, "lagrangian") &&
           !cJSON_GetObjectItemCaseSensitive(model, "coordinates");
}

static bool is_reference(JsonValue model)
{
    return model_is_reference(model.item);
}

/* Resolves the reference of a new job; NULL after a mistake. */
static Status look_up_model(JsonReader *reader, JsonValue model, const ModelSource *source,
                            cJSON **ret_model, Error *err)
{
    static const char *const CATALOG[] = {"catalog"}, *const ID[] = {"id"};

    JsonValue name = json_member(reader, model, "catalog");
    if (json_present(name)) {
        json_object_of(reader, model, "a reference to the catalog", CATALOG, LENGTH(CATALOG));
        return input_catalog_model(reader, name, ret_model, err);
    }
    json_object_of(reader, model, "a reference to a stored model", ID, LENGTH(ID));
    return input_stored_model(reader, json_member(reader, model, "id"), source, ret_model, err);
}

/* Takes over `item`, also on failure. cJSON's own function by name copies the name without a check
 * for out of memory. */
static bool replace_member(cJSON *object, const char *name, cJSON *item)
{
    cJSON *old = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!old) {
        cJSON_Delete(item);
        return false;
    }
    char *own = item->string;
    item->string = old->string;
    old->string = own;
    cJSON_ReplaceItemViaPointer(object, old, item); /* both exist: it cannot fail */
    return true;
}

/* Puts the model that a reference means into the job's tree. */
static Status resolve_model(JsonReader *reader, cJSON *job, const ModelSource *source, Error *err)
{
    JsonValue model = json_member(reader, (JsonValue){job, ""}, "model");
    cJSON *resolved = NULL;

    /* the kept model first: the catalog and the stored models may have changed since a job was
     * accepted */
    Status status = input_kept_model(reader, source, &resolved, err);
    if (status == OK && !resolved)
        status = look_up_model(reader, model, source, &resolved, err);
    if (status == OK && resolved && !replace_member(job, "model", resolved))
        status = error_set(err, ERR_INTERNAL, "a job without a model");
    return status;
}

/* The paths are checked when the model is known: core/prepare/sensitivities.h. */
static void read_sensitivities(JsonReader *reader, JsonValue list, JobSpec *spec)
{
    if (!json_present(list) || !json_is_array(reader, list, "a list of paths") ||
        !json_at_most(reader, list, JOB_MAX_SENSITIVITIES))
        return;
    NamedText *paths = json_alloc(reader, json_count(list), sizeof *paths);
    spec->sensitivities = paths;
    for (JsonValue v = json_first(reader, list); paths && json_present(v);
         v = json_following(reader, list, v)) {
        NamedText *path = &paths[spec->n_sensitivities];
        path->pointer = v.pointer;
        if (json_string(reader, v, "a path such as \"parameters.l\"", &path->text))
            spec->n_sensitivities++;
    }
}

/* The names are checked when the analyses are known: core/analyses/analyses.h. */
static void read_analyses(JsonReader *reader, JsonValue list, JobSpec *spec)
{
    size_t n = json_count(list);

    if (!json_present(list) || !json_is_array(reader, list, "a list of analyses") ||
        !json_at_most(reader, list, JOB_MAX_ANALYSES))
        return;
    AnalysisSpec *analyses = arena_alloc(reader->arena, n, sizeof *analyses);
    if (!analyses) {
        reader->no_memory = true;
        return;
    }
    spec->analyses = analyses;
    /* a name, or an object with a name and options */
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v)) {
        AnalysisSpec *analysis = &analyses[spec->n_analyses];
        JsonValue name = cJSON_IsObject(v.item) ? read_required(reader, v, "name") : v;
        if (!json_present(name) ||
            !json_string(reader, name, "the name of an analysis", &analysis->name))
            continue;
        analysis->pointer = name.pointer;
        analysis->options = cJSON_IsObject(v.item) ? value_from_json(reader, v, "name") : NULL;
        spec->n_analyses++;
    }
}

static Status read_labels(JsonReader *reader, JsonValue labels, JobInput *input, Error *err)
{
    size_t size;

    input->labels = "{}";
    if (!json_present(labels) || !json_is_object(reader, labels, "an object of texts by name") ||
        !json_at_most(reader, labels, JOB_MAX_LABELS))
        return OK;
    /* each name and text */
    for (JsonValue v = json_first(reader, labels); json_present(v);
         v = json_following(reader, labels, v)) {
        size_t length = strlen(v.item->string);
        if (length == 0 || length > LABEL_KEY_MAX)
            json_wrong(reader, v, NULL, "a label's name has 1 to %d bytes, this one %zu",
                       LABEL_KEY_MAX, length);
        if (!cJSON_IsString(v.item))
            json_expected(reader, v, "text");
        else if (strlen(v.item->valuestring) > LABEL_VALUE_MAX)
            json_wrong(reader, v, NULL, "a label has at most %d bytes", LABEL_VALUE_MAX);
    }
    return canonical_text(labels.item, reader->arena, &input->labels, &size, err);
}

/* An instant before 1970 is replaced by 1 ms after, because 0 means none. */
static void read_not_after(JsonReader *reader, JsonValue value, JobInput *input)
{
    static const char EXPECTED[] =
        "an instant with its offset (RFC 3339), such as \"2026-01-31T12:00:00Z\"";
    const char *text;
    int64_t ms;

    if (!json_present(value) || !json_string(reader, value, EXPECTED, &text))
        return;
    if (clock_parse(text, &ms))
        input->not_after_ms = ms > 0 ? ms : 1;
    else
        json_expected(reader, value, EXPECTED);
}

/* Reads the members that do not affect the motion. */
static void read_service(JsonReader *reader, JsonValue job, JobInput *input)
{
    JsonValue timeout = json_member(reader, job, "timeout");
    JsonValue priority = json_member(reader, job, "priority");
    JsonValue cache = json_member(reader, job, "cache");
    int64_t value;

    input->cache = true;
    read_not_after(reader, json_member(reader, job, "not_after"), input);
    /* the limits and the place in the queue */
    if (json_present(timeout) &&
        json_number(reader, timeout, "a positive number of seconds", &input->timeout) &&
        !(input->timeout > 0))
        json_expected(reader, timeout, "a positive number of seconds");
    if (json_present(priority) &&
        json_integer(reader, priority, "an integer from -1000 to 1000", -1000, 1000, &value))
        input->priority = (int)value;
    if (json_present(cache))
        json_bool(reader, cache, &input->cache);
    read_notify(reader, json_member(reader, job, "notify"), &input->notify);
}

/* Reads the start and the end of the motion. A boundary problem gives both at once. */
static void read_start(JsonReader *reader, JsonValue job, JobSpec *spec)
{
    JsonValue boundary = json_member(reader, job, "boundary");
    JsonValue initial = json_member(reader, job, "initial");

    /* an initial state and times */
    if (!json_present(boundary)) {
        if (!json_present(initial))
            json_wrong(reader, job, NULL,
                       "the member \"initial\" is missing; write \"initial\": {} to start at zero "
                       "and at rest");
        read_initial(reader, initial, spec);
        read_time(reader, read_required(reader, job, "time"), spec);
        return;
    }
    /* or a boundary problem */
    if (json_present(initial))
        json_wrong(reader, initial, "leave one of them out",
                   "a boundary problem has no initial state: \"initial\" and \"boundary\" exclude "
                   "each other");
    read_boundary(reader, boundary, spec);
    read_time(reader, json_member(reader, job, "time"), spec);
}

static void read_spec(JsonReader *reader, JsonValue job, JobSpec *spec, Warnings *warnings)
{
    job_spec_init(spec);
    read_named_values(reader, json_member(reader, job, "parameters"), false, MODEL_MAX_PARAMETERS,
                      &spec->parameters, &spec->n_parameters);
    read_formulations(reader, job, spec);
    read_start(reader, job, spec);
    read_integrator(reader, json_member(reader, job, "integrator"), spec, warnings);
    read_observe(reader, json_member(reader, job, "observe"), JOB_MAX_OBSERVABLES, spec);
    read_events(reader, json_member(reader, job, "events"), spec);
    JsonValue accuracy = json_member(reader, job, "accuracy");
    if (json_present(accuracy))
        json_bool(reader, accuracy, &spec->accuracy);
}

static void keep_warnings(JsonReader *reader, const Warnings *warnings, JobInput *input)
{
    const char **items = json_alloc(reader, warnings->n, sizeof *items);
    for (size_t i = 0; items && i < warnings->n; i++)
        items[i] = warnings->items[i];
    input->warnings = items;
    input->n_warnings = items ? warnings->n : 0;
}

/* Is it the whole answer of GET /v1/catalog/{name}, or a file of models/? */
static bool is_catalog_entry(const cJSON *tree)
{
    return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(tree, "job")) &&
           !cJSON_GetObjectItemCaseSensitive(tree, "model");
}

/* Does the job refer to members of another job? That job is not here, so its other members are not
 * checked. */
static bool is_of_another_job(JsonReader *reader, JsonValue job)
{
    JsonValue of = json_member(reader, json_member(reader, job, "ensemble"), "members_of");
    if (json_present(of))
        json_wrong(reader, of, "post the document to the service that has the job",
                   "members of another job are only known to the service that has that job");
    return json_present(of);
}

/* Reads everything but the model and the labels. accepted: the job was accepted before. */
static void read_wishes(JsonReader *reader, JsonValue job, bool accepted, JobInput *input)
{
    Warnings warnings = {0};

    read_spec(reader, job, &input->spec, &warnings);
    input->spec.accepted = accepted;
    read_analyses(reader, json_member(reader, job, "analyses"), &input->spec);
    read_sensitivities(reader, json_member(reader, job, "sensitivities"), &input->spec);
    input->design = read_ensemble(reader, job, &input->spec, &input->ensemble);
    read_service(reader, job, input);
    keep_warnings(reader, &warnings, input);
}

/* *ret_sound: the model's texts can be examined further, in spite of other mistakes. */
static Status read_job(JsonReader *reader, cJSON *tree, const ModelSource *source, JobInput *input,
                       bool *ret_sound, Error *err)
{
    static const char *const MEMBERS[] = {
        "model",   "parameters", "formulation", "initial", "time",     "integrator",
        "observe", "events",     "analyses",    "compare", "accuracy", "sensitivities",
        "vary",    "ensemble",   "boundary",    "timeout", "priority", "labels",
        "cache",   "not_after",  "notify",      "scene",   "figures"};
    JsonValue job = {tree, ""};
    Status status = OK;

    if (is_catalog_entry(tree)) {
        json_wrong(reader, json_member(reader, job, "job"), "post only the value of \"job\"",
                   "this is a catalog entry that contains a job");
        return OK;
    }
    /* a job, but none that refers to members of another job */
    json_object_of(reader, job, "a job (an object)", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(tree) || is_of_another_job(reader, job))
        return OK;
    /* its model: stored, in the catalog, or in the document */
    input->model.elsewhere = is_reference(json_member(reader, job, "model"));
    if (input->model.elsewhere)
        status = resolve_model(reader, tree, source, err);
    JsonValue model = read_required(reader, job, "model");
    if (json_present(model) && !is_reference(model) && !input->model.known)
        *ret_sound = read_model(reader, model, &input->model.document);
    /* the drawings; that of a model elsewhere was read when the model was stored */
    if (*ret_sound && !input->model.elsewhere)
        read_drawing(reader, model, &input->model.drawing);
    read_drawing(reader, job, &input->drawing);
    /* everything else; later rules do not refuse a job that was accepted before */
    const bool accepted = source && source->accepted;
    reader->accepted = accepted;
    input->model.document.accepted = input->model.elsewhere || accepted;
    read_wishes(reader, job, accepted, input);
    return status == OK ? read_labels(reader, json_member(reader, job, "labels"), input, err)
                        : status;
}

/* Replaces a member with significant order by a list of its names and values. */
static Status keep_order(cJSON *object, const char *name, Error *err)
{
    cJSON *ordered = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsObject(ordered))
        return OK;
    cJSON *list = cJSON_CreateArray();
    bool good = list != NULL;
    /* the name and the value alternate */
    while (good && ordered->child) {
        good = cJSON_AddItemToArray(list, cJSON_CreateString(ordered->child->string));
        if (good)
            cJSON_AddItemToArray(list, cJSON_DetachItemViaPointer(ordered, ordered->child));
    }
    if (!good) {
        cJSON_Delete(list);
        return input_no_memory(err);
    }
    return replace_member(object, name, list) ? OK
                                              : error_set(err, ERR_INTERNAL, "a member is missing");
}

/* The canonical text sorts members by name. But the order of observables and reductions is that of
 * the columns, and the order of varied paths is that of the members. */
static Status keep_orders(cJSON *tree, Error *err)
{
    cJSON *ensemble = cJSON_GetObjectItemCaseSensitive(tree, "ensemble");
    cJSON *design = cJSON_GetObjectItemCaseSensitive(ensemble, "design");
    /* the members with significant order */
    const struct {
        cJSON *object;
        const char *name;
    } ORDERED[] = {{tree, "observe"},
                   {tree, "vary"},
                   {ensemble, "reduce"},
                   {design, "ranges"},
                   {design, "columns"}};

    for (size_t i = 0; i < LENGTH(ORDERED); i++) {
        const Status status = keep_order(ORDERED[i].object, ORDERED[i].name, err);
        if (status != OK)
            return status;
    }
    return OK;
}

/* Puts a known model back into the tree as its canonical text. */
static Status restore_model(cJSON *tree, const ModelInput *model, Error *err)
{
    if (!model->known)
        return OK;
    cJSON *raw = cJSON_CreateRaw(model->canonical);
    return raw && replace_member(tree, "model", raw) ? OK : input_no_memory(err);
}

/* Hashes everything that the result depends on: the model without its drawing, name and
 * description. The tree is used up. */
static Status name_matter(cJSON *tree, JobInput *input, Error *err)
{
    static const char *const WORDS[] = {"name", "description"};
    cJSON *model = cJSON_GetObjectItemCaseSensitive(tree, "model");
    Status status = OK;

    if (!input->model.known) {
        status = name_key(model, &input->model, err);
        forget_members(model, WORDS, LENGTH(WORDS));
        if (status == OK)
            status = hash_tree(model, input->model.matter, err);
    }
    cJSON *matter = cJSON_CreateString(input->model.matter);
    if (status == OK && (!matter || !replace_member(tree, "model", matter)))
        return input_no_memory(err);
    if (status != OK)
        cJSON_Delete(matter);
    return status == OK ? hash_tree(tree, input->reuse_key, err) : status;
}

/* The hashes of the model and of the request: the job with its model written out, without the
 * members that only concern the service or what is drawn. The canonical text of the model is a part
 * of the job's. */
static Status name_request(cJSON *tree, Arena *arena, JobInput *input, Error *err)
{
    static const char *const SERVICE[] = {"labels",    "priority", "timeout", "cache",
                                          "not_after", "notify",   "scene",   "figures"};
    Text text = TEXT_INIT;

    /* the tree to be hashed */
    forget_members(tree, SERVICE, LENGTH(SERVICE));
    Status status = restore_model(tree, &input->model, err);
    CanonicalPart model = {cJSON_GetObjectItemCaseSensitive(tree, "model"), 0, 0};
    if (status == OK)
        status = keep_orders(tree, err);
    text_reserve(&text, CANONICAL_BYTES);
    if (status == OK)
        status = json_canonical_with(tree, &model, &text, err);
    /* hash the whole and the model */
    if (status == OK) {
        hash_text(text_string(&text), text.length, input->request_hash);
        if (!input->model.known)
            status = name_model(text_string(&text) + model.start, model.length, arena,
                                &input->model, err);
    }
    if (status == OK)
        status = name_matter(tree, input, err);
    text_done(&text);
    return status;
}

/* The tree of a valid text with an empty object in place of the span. */
static cJSON *tree_without(const char *bytes, size_t size, JsonSpan span, const JsonFacts *facts,
                           Arena *arena)
{
    const size_t behind = span.start + span.size, n = size - span.size + 2;
    char *text = arena_alloc(arena, n, 1);

    if (!text)
        return NULL;
    memcpy(text, bytes, span.start);
    memcpy(text + span.start, "{}", 2);
    memcpy(text + span.start + 2, bytes + behind, size - behind);
    return json_tree(text, n, facts);
}

/* Fills text and known of the model, and the remembered data. If rest_only is set or the model is
 * known, the tree has an empty object as its model. */
static Status parse_job(const char *bytes, size_t size, const ModelSource *source, bool rest_only,
                        Arena *arena, Diagnostics *diag, ModelInput *model, cJSON **ret_tree,
                        bool *ret_is_json, Error *err)
{
    JsonFacts facts;
    JsonSpan span;
    Status status = json_check(bytes, size, diag, &facts, ret_is_json, err);
    if (status != OK)
        return status;

    /* is the model's text remembered? */
    if (json_member_span(bytes, size, "model", &span) && bytes[span.start] == '{') {
        if (source && source->known)
            model->known = source->known(source->self, bytes + span.start, span.size, arena, model);
        model->text = bytes + span.start;
        model->text_size = span.size;
    }
    /* the tree, with or without the model */
    const bool without = model->text && (model->known || rest_only);
    cJSON *tree =
        without ? tree_without(bytes, size, span, &facts, arena) : json_tree(bytes, size, &facts);
    if (!tree)
        return input_no_memory(err);
    *ret_tree = tree;
    return OK;
}

Status job_input_read(const char *bytes, size_t size, const ModelSource *source, Arena *arena,
                      Diagnostics *diag, JobInput *ret_input, bool *ret_is_json, Error *err)
{
    JsonReader reader = {.arena = arena, .diag = diag};
    JobInput input = {0};
    size_t before = diag->total;
    bool sound = false;
    cJSON *tree;

    Status status =
        parse_job(bytes, size, source, false, arena, diag, &input.model, &tree, ret_is_json, err);
    if (status != OK)
        return status;
    /* read all of it, so that all mistakes are found */
    status = read_job(&reader, tree, source, &input, &sound, err);
    if (status == OK && diag->total > before && sound)
        add_model_mistakes(&input.model.document, diag);
    if (status == OK)
        status = json_read_end(&reader, before, err);
    /* hashes */
    if (status == OK)
        status = name_request(tree, arena, &input, err);
    if (status == OK && input.model.elsewhere)
        input.model.text = NULL;
    if (status == OK)
        *ret_input = input;
    cJSON_Delete(tree);
    return status;
}

Status job_input_reread(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                        JobInput *ret_input, Error *err)
{
    JsonReader reader = {.arena = arena, .diag = diag, .accepted = true};
    ModelInput ignored = {0};
    JobInput input = {0};
    size_t before = diag->total;
    cJSON *tree;

    Status status = parse_job(bytes, size, NULL, true, arena, diag, &ignored, &tree, NULL, err);
    if (status != OK)
        return status;
    read_wishes(&reader, (JsonValue){tree, ""}, true, &input);
    status = json_read_end(&reader, before, err);
    if (status == OK)
        *ret_input = input;
    cJSON_Delete(tree);
    return status;
}
