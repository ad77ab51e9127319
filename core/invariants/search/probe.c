/* Wider ranges, other parameters, and only the calmer ones of the states found there. */
#include "core/invariants/search/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/invariants/generator.h"
#include "core/numeric/vectors.h"

/* Bytes of a probe. Convention. */
enum { PROBE_BYTES = 1 << 28 };

/* Half width of the range over the sizes of coordinates: powers, sines and cosines differ enough
 * there. No unit; convention. */
static const double RANGE_WIDTH = 2;

/* Wildness: the largest |vdot_i| in units of a usual value for i, a mean that a few large values
 * do not dominate. */
static void measure(const Trajectory *s, size_t n, double *ret)
{
    for (size_t i = 0; i < n; i++) {
        double usual = 0;
        for (size_t k = 0; k < s->n_states; k++)
            usual += sqrt(fabs(s->vdot[k * n + i])) / (double)s->n_states;
        for (size_t k = 0; k < s->n_states && usual > 0; k++)
            ret[k] = fmax(ret[k], fabs(s->vdot[k * n + i]) / (usual * usual));
    }
}

/* The calmest `wanted` states, in the order they came in. */
static Status keep_calm(Probe *p, size_t wanted, Error *err)
{
    const Trajectory *s = p->context.states;
    const size_t n = p->context.model->n, r = p->context.model->r;
    if (s->n_states <= wanted)
        return OK;

    double *wild = arena_doubles(p->arena, 2 * s->n_states), *sorted = wild + s->n_states;
    Trajectory *kept = ARENA_NEW(p->arena, 1, Trajectory);
    double *rows = arena_doubles(p->arena, wanted * (1 + 3 * n + r));
    if (arena_failed(p->arena))
        return arena_status(p->arena, err);
    measure(s, n, wild);
    memcpy(sorted, wild, s->n_states * sizeof *sorted);
    qsort(sorted, s->n_states, sizeof *sorted, compare_doubles);
    /* copy the calmest; of those that are as wild as the last of them, the first */
    const double limit = sorted[wanted - 1];
    size_t ties = wanted;
    for (size_t k = 0; k < wanted; k++)
        ties -= sorted[k] < limit;
    double *t = rows, *q = t + wanted, *v = q + wanted * n, *vdot = v + wanted * n,
           *lambda = vdot + wanted * n;
    size_t i = 0;
    for (size_t k = 0; k < s->n_states && i < wanted; k++) {
        if (wild[k] > limit || (wild[k] == limit && ties == 0))
            continue;
        ties -= wild[k] == limit;
        t[i] = s->t[k];
        memcpy(q + i * n, s->q + k * n, n * sizeof *q);
        memcpy(v + i * n, s->v + k * n, n * sizeof *v);
        memcpy(vdot + i * n, s->vdot + k * n, n * sizeof *vdot);
        if (r)
            memcpy(lambda + i * r, s->lambda + k * r, r * sizeof *lambda);
        i++;
    }
    *kept =
        (Trajectory){.n_states = wanted, .t = t, .q = q, .v = v, .vdot = vdot, .lambda = lambda};
    p->context.states = kept;
    return OK;
}

static Status make_states(Probe *p, double wider, size_t wanted, uint64_t seed, Error *err)
{
    AnalysisContext *c = &p->context;
    const size_t n = c->model->n, tries = wanted + wanted / 8 + 4;
    double *width = arena_doubles(p->arena, n);
    const StateRange narrow = c->range;
    if (!width)
        return arena_status(p->arena, err);

    /* a range that is wide and long enough */
    for (size_t i = 0; i < n; i++)
        width[i] = wider * fmax(narrow.width[i], RANGE_WIDTH * narrow.size[i]);
    c->range.width = width;
    c->range.t_to = narrow.t_from + copysign(analysis_time(c), narrow.t_to - narrow.t_from);
    /* the narrow one if states are hard to find */
    Status status = analysis_make_states(c, tries, seed, err);
    if (status == OK && c->states->n_states < wanted) {
        c->range = narrow;
        status = analysis_make_states(c, tries, seed, err);
    }
    return status == OK ? keep_calm(p, wanted, err) : status;
}

Status probe_init(Probe *p, const AnalysisContext *context, const double *params, size_t states,
                  double wider, uint64_t seed, Error *err)
{
    const size_t n_params = context->model->n_params;
    Status status = OK;

    /* its own memory, and its own parameters if they are other ones */
    *p = (Probe){.context = *context, .arena = arena_new(PROBE_BYTES)};
    p->params = arena_doubles(p->arena, n_params);
    if (!p->params)
        return arena_status(p->arena, err);
    p->context.arena = p->context.scratch = p->arena;
    if (params) {
        memcpy(p->params, params, n_params * sizeof *p->params);
        status = model_eval_new(context->programs, p->params, &p->eval, err);
        if (status == OK) {
            model_eval_set_metric(p->eval, model_eval_metric(context->eval));
            p->context.params = p->params;
            p->context.eval = p->eval;
        }
    }
    return status == OK ? make_states(p, wider, states, seed, err) : status;
}

void probe_done(Probe *p)
{
    model_eval_free(p->eval);
    arena_free(p->arena);
    *p = (Probe){0};
}
