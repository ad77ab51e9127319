/* Predictions by the weakest assumptions that decide, and observations on the motion. */
#include "core/invariants/laws.h"

#include <math.h>
#include <string.h>

#include "core/base/stop_token.h"
#include "core/invariants/observation.h"
#include "core/invariants/recall.h"

typedef enum Ground {
    GROUND_SYMBOLS, /* for all values of the parameters */
    GROUND_VALUES,  /* at states near the origin */
    GROUND_MOTION,  /* at states around the motion */
    GROUNDS,
} Ground;

/* States near the origin: a single one can refute. Convention; the seed may be any. */
enum { STATES = 8, SEED = 21 };

/* The key of a prediction under these assumptions, beside the compiled model. */
static Status make_key(const Laws *laws, const AnalysisContext *context, size_t law, Ground ground,
                       Hash *ret, Error *err)
{
    const size_t n = context->model->n, n_params = context->model->n_params;
    const StateRange *range = &context->range;
    const double box[] = {range->t_from, range->t_to};
    const size_t head[] = {law, (size_t)ground, context->n_rows};
    /* the stronger the assumptions, the more the key contains: names, values, the range of the
     * motion */
    const struct {
        const void *data;
        size_t bytes;
    } parts[] = {
        {laws->name, strlen(laws->name) + 1},
        {head, sizeof head},
        {context->rows, context->n_rows * sizeof *context->rows},
        {context->params, ground >= GROUND_VALUES ? n_params * sizeof *context->params : 0},
        {box, ground >= GROUND_MOTION ? sizeof box : 0},
        {range->centre, ground >= GROUND_MOTION ? n * sizeof *range->centre : 0},
        {range->width, ground >= GROUND_MOTION ? n * sizeof *range->width : 0},
        {range->speed, ground >= GROUND_MOTION ? n * sizeof *range->speed : 0},
    };
    enum { N_PARTS = sizeof parts / sizeof *parts };
    size_t bytes = 0;
    for (size_t i = 0; i < N_PARTS; i++)
        bytes += parts[i].bytes;

    /* concatenate them; each length follows from the parts before it */
    const ArenaMark mark = arena_mark(context->scratch);
    char *key = ARENA_NEW(context->scratch, bytes, char), *end = key;
    Status status = arena_status(context->scratch, err);
    for (size_t i = 0; status == OK && i < N_PARTS; i++) {
        if (parts[i].bytes)
            memcpy(end, parts[i].data, parts[i].bytes);
        end += parts[i].bytes;
    }
    if (status == OK)
        *ret = hash_bytes(key, bytes);
    arena_release(context->scratch, mark);
    return status;
}

/* Reduces the context to the facts that a prediction under these assumptions may use. The states of
 * GROUND_VALUES are the same for all laws: *drawn, once they are. */
static Status stand_on(Ground ground, const Trajectory **drawn, AnalysisContext *own, Error *err)
{
    static const Trajectory NONE = {0};
    const size_t n = own->model->n;
    Arena *arena = own->arena;
    double *centre = arena_doubles(own->scratch, n), *one = arena_doubles(own->scratch, n);
    Status status = arena_status(own->scratch, err);

    /* around the motion everything stays */
    if (ground == GROUND_MOTION || status != OK)
        return status == OK ? analysis_draw_states(own, err) : status;
    /* near the origin: unit ranges, no motion, and with symbols no states */
    for (size_t i = 0; i < n; i++)
        one[i] = 1;
    own->trajectory = NULL;
    own->range = (StateRange){.t_to = 1, .centre = centre, .width = one, .speed = one, .size = one};
    own->inquiry.any_values = ground == GROUND_SYMBOLS;
    own->states = own->inquiry.any_values ? &NONE : *drawn;
    if (own->states)
        return OK;
    own->arena = own->scratch;
    status = analysis_make_states(own, STATES, SEED, err);
    own->arena = arena;
    *drawn = status == OK ? own->states : NULL;
    return status;
}

static Status predict_anew(const Laws *laws, const AnalysisContext *context, size_t law,
                           Ground ground, const Trajectory **drawn, Recalled *ret, Error *err)
{
    AnalysisContext own = *context;
    Value *record = value_new_record(context->arena);
    Status status = stand_on(ground, drawn, &own, err);

    *ret = (Recalled){.record = record};
    own.inquiry.open = &ret->open;
    if (status == OK)
        status = analysis_clone_pool(&own, err);
    if (status == OK)
        status = laws->predict(&own, law, &ret->verdict, record, err);
    expr_pool_free(own.pool);
    return status == OK ? arena_status(context->arena, err) : status;
}

bool laws_go_on(const AnalysisContext *context)
{
    return context->inquiry.any_values && context->inquiry.open && *context->inquiry.open;
}

static Status predict(const Laws *laws, const AnalysisContext *context, size_t law,
                      const Trajectory **drawn, Recalled *ret, Error *err)
{
    Status status = OK;

    *ret = (Recalled){.open = true};
    for (Ground ground = 0; status == OK && ret->open && ground < GROUNDS; ground++) {
        Hash key;
        status = make_key(laws, context, law, ground, &key, err);
        if (status != OK || recall_find(context->recall, &key, context->arena, ret))
            continue;
        status = stop_token_settle(predict_anew(laws, context, law, ground, drawn, ret, err), err);
        if (status == OK)
            recall_keep(context->recall, &key, ret);
    }
    return status;
}

/* The program of all quantities as they are observed: stored with the model, or compiled.
 * *ret_own: it is not stored and the caller's to free. */
static Status find_program(const Laws *laws, const AnalysisContext *context, const Program **ret,
                           Program **ret_own, Error *err)
{
    const Expr *quantities = NULL;
    size_t n = 0;

    *ret_own = NULL;
    *ret = recall_program(context->recall, laws);
    if (*ret)
        return OK;
    /* else compile it, and store it if possible */
    AnalysisContext own = *context;
    Status status = analysis_clone_pool(&own, err);
    if (status == OK)
        status = laws->quantities(&own, &quantities, &n, err);
    if (status == OK)
        status = observation_compile(&own, quantities, n, ret_own, err);
    if (status == OK && recall_keep_program(context->recall, laws, *ret_own, ret))
        *ret_own = NULL;
    expr_pool_free(own.pool);
    return status;
}

static Status laws_run(const Laws *laws, const AnalysisContext *context, Findings *findings,
                       Error *err)
{
    const Program *program = NULL;
    const Trajectory *drawn = NULL;
    Program *own = NULL;
    Status status = find_program(laws, context, &program, &own, err);
    const size_t n = status == OK ? observation_quantities(program) : 0;
    Observation *seen = ARENA_NEW(context->scratch, n, Observation);
    Value *list = laws->listed && status == OK
                      ? value_add(findings->arena, findings->record, laws->name, VALUE_LIST)
                      : NULL;

    if (status == OK)
        status = arena_status(context->scratch, err);
    if (status == OK)
        status = observation_run(context, program, seen, err);
    /* predict each and add its verdict */
    for (size_t k = 0; status == OK && k < n; k++) {
        Recalled prediction;
        status = predict(laws, context, k, &drawn, &prediction, err);
        if (status != OK)
            break;
        observation_report(&seen[k], &prediction.verdict);
        *findings_add(findings) = prediction.verdict;
        record_publish(findings->arena, list, NULL, value_copy(findings->arena, prediction.record));
    }
    program_free(own);
    return status;
}

Status analysis_run(const Analysis *analysis, const AnalysisContext *context, const Value *options,
                    Findings *findings, Error *err)
{
    Arena scratch = {0};
    AnalysisContext own = *context;
    Status status;

    own.scratch = &scratch;
    if (analysis->laws) {
        status = laws_run(analysis->laws, &own, findings, err);
    } else {
        status = analysis_clone_pool(&own, err);
        if (status == OK)
            status = analysis->run(&own, options, findings, err);
        expr_pool_free(own.pool);
    }
    arena_done(&scratch);
    return status;
}
