/* Momenta p.Y of symmetries, written as texts for reductions of the job. */
#include "core/ensemble/drifts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/motion/formulation.h"

/* Characters of a momentum's text; a longer one gets no reduction. Convention. */
enum { LONGEST_TEXT = 20000 };

/* NULL: too long, or out of memory. */
static const char *write_momentum(const Model *model, ExprPool *pool, PrintNames names,
                                  const Expr *Y, Arena *arena)
{
    const Expr momentum = expr_dot(pool, model->n, model->p, Y);
    Text text = TEXT_INIT;
    const char *result = NULL;

    if (expr_pool_status(pool, NULL) == OK &&
        expr_print(pool, momentum, PRINT_TEXT, names, LONGEST_TEXT, &text, NULL) == OK &&
        text_ok(&text))
        result = arena_strdup(arena, text_string(&text));
    text_done(&text);
    return result;
}

static void add_momenta(const Model *model, ExprPool *pool, PrintNames names, Arena *arena,
                        ReduceSpec *reduce, size_t *n)
{
    static const char POINTER[] = "/ensemble/reduce";

    for (size_t k = 0; k < model->given.n_symmetries; k++) {
        const ModelField *field = &model->given.symmetries[k];
        const char *text = write_momentum(model, pool, names, field->components, arena);
        const char *name = arena_join(arena, "drift.", field->name, "");
        if (text && name && strcmp(name, "drift.energy") != 0)
            reduce[(*n)++] = (ReduceSpec){.name = name,
                                          .take = REDUCE_DRIFT,
                                          .of = {name, text, POINTER, NULL},
                                          .pointer = POINTER};
    }
}

Status drifts_add(const Compiled *compiled, const JobSpec *job, Arena *arena, JobSpec *ret_job,
                  Error *err)
{
    const Model *model = compiled_model(compiled);
    const Formulation *formulation = formulation_find(compiled_formulation(compiled));
    ReduceSpec *reduce = ARENA_NEW(arena, job->n_reduce + model->given.n_symmetries, ReduceSpec);
    size_t n_names;

    if (!reduce)
        return arena_status(arena, err);
    *ret_job = *job;
    /* without symmetries, and with multipliers in the state, the job stays as it is */
    if (model->given.n_symmetries == 0 || formulation->keeps_multipliers)
        return OK;
    /* print the momenta and append them to the job's own reductions */
    char **names = model_print_names(model, PRINT_TEXT, &n_names);
    ExprPool *pool = expr_pool_clone(model->pool);
    if (names && pool) {
        const PrintNames print = {.names = (const char *const *)names, .n = n_names};
        if (job->n_reduce)
            memcpy(reduce, job->reduce, job->n_reduce * sizeof *reduce);
        ret_job->reduce = reduce;
        add_momenta(model, pool, print, arena, reduce, &ret_job->n_reduce);
    }
    Status status =
        names && pool ? arena_status(arena, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    expr_pool_free(pool);
    free(names);
    return status;
}
