#include "core/invariants/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/dense.h"

enum { STATES = 64, ENOUGH = 32, TRIES = 8 * STATES };

static const double HOLDS = 1e-11, FAILS = 1e-7;

/* What was met at the random states. */
typedef struct Trial {
    size_t states, failures;
    double largest;                  /* |rate| / scale */
    double worst_forces, worst_time; /* contributions at the worst state */
    double *worst_reactions;         /* r */
} Trial;

/* Scratch of one trial. */
typedef struct Scratch {
    double *q, *v;     /* n */
    double *kkt, *rhs; /* (n + rows)^2, n + rows */
    double *in, *out;  /* of power_terms */
    double *work;
    double *block; /* owns all of the above */
} Scratch;

static bool scratch_init(Scratch *s, const EnergyQuestion *question)
{
    const size_t n = question->model->n, r = question->model->r, size = n + question->n_rows;
    const size_t n_in = 1 + 2 * n + r, n_out = 2 + r;
    const size_t n_work = program_work_doubles(question->power_terms, 1);

    s->block = alloc_array(2 * n + size * size + size + n_in + n_out + n_work, sizeof *s->block);
    if (!s->block)
        return false;
    s->q = s->block;
    s->v = s->q + n;
    s->kkt = s->v + n;
    s->rhs = s->kkt + size * size;
    s->in = s->rhs + size;
    s->out = s->in + n_in;
    s->work = s->out + n_out;
    program_bind(question->power_terms, question->params, s->work, 1);
    return true;
}

/* The multipliers at a state, from the whole linear system: an oracle independent of the
 * equations that are integrated. Zero for the rows not in use. */
static bool multipliers(const EnergyQuestion *question, const ModelPoint *p, Scratch *s,
                        double *ret_lambda)
{
    const size_t n = question->model->n, m = question->n_rows, size = n + m;

    memset(s->kkt, 0, size * size * sizeof *s->kkt);
    for (size_t i = 0; i < n; i++) {
        memcpy(s->kkt + i * size, p->M + i * n, n * sizeof *s->kkt);
        s->rhs[i] = p->F[i] - p->l[i];
        for (size_t k = 0; k < m; k++) {
            double a = p->A[question->rows[k] * n + i];
            s->kkt[i * size + n + k] = -a;
            s->kkt[(n + k) * size + i] = a;
        }
    }
    for (size_t k = 0; k < m; k++)
        s->rhs[n + k] = -p->psi[question->rows[k]];
    if (dense_solve(s->kkt, size, s->rhs, 1, NULL) != OK)
        return false;
    memset(ret_lambda, 0, question->model->r * sizeof *ret_lambda);
    for (size_t k = 0; k < m; k++)
        ret_lambda[question->rows[k]] = s->rhs[n + k];
    return true;
}

/* Twice the kinetic energy, in absolute terms: against it a power that is only rounding is small
 * even where every contribution to the power is rounding. */
static double kinetic_scale(const EnergyQuestion *question, const ModelPoint *p, const double *v)
{
    const size_t n = question->model->n;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += fabs(v[i] * p->M[i * n + j] * v[j]);
    return sum;
}

static void try_state(const EnergyQuestion *question, Random *random, Scratch *s, Trial *trial)
{
    const size_t n = question->model->n, r = question->model->r;
    double *lambda = s->in + 1 + 2 * n;

    if (!admissible_state(question->eval, question->model, question->rows, question->n_rows,
                          &question->range, random, s->in, s->q, s->v))
        return;
    ModelPoint point = model_point(question->eval, s->in[0], s->q, s->v);
    if (!multipliers(question, &point, s, lambda))
        return;
    memcpy(s->in + 1, s->q, n * sizeof *s->q);
    memcpy(s->in + 1 + n, s->v, n * sizeof *s->v);
    program_eval(question->power_terms, s->in, s->out, s->work, 1);

    double rate = s->out[0] - s->out[1];
    double scale = fabs(s->out[0]) + fabs(s->out[1]) + kinetic_scale(question, &point, s->v);
    for (size_t a = 0; a < r; a++) {
        rate += s->out[2 + a];
        scale += fabs(s->out[2 + a]);
    }
    double relative = rate == 0 ? 0 : fabs(rate) / scale;
    if (!isfinite(relative))
        return;
    trial->states++;
    trial->failures += relative > FAILS;
    if (relative > trial->largest) {
        trial->largest = relative;
        trial->worst_forces = s->out[0];
        trial->worst_time = s->out[1];
        memcpy(trial->worst_reactions, s->out + 2, r * sizeof *s->out);
    }
}

static bool identity(const Model *model)
{
    if (!expr_is_zero(model->pool, model->L_t))
        return false;
    for (size_t i = 0; i < model->n; i++)
        if (!expr_is_zero(model->pool, model->F[i]))
            return false;
    for (size_t a = 0; a < model->r; a++)
        if (!model->constraints[a].homogeneous)
            return false;
    return true;
}

static const char *identity_reason(const Model *model)
{
    if (model->r == 0)
        return "L does not depend on time and no force acts.";
    return "L does not depend on time, no force acts, and every constraint is homogeneous in the "
           "velocities, so that its reaction does no work.";
}

/* The names of the constraints whose reactions may do work. */
static const char *working_constraints(const Model *model, Arena *arena)
{
    const char *names = NULL;

    for (size_t a = 0; a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        if (c->homogeneous)
            continue;
        names =
            names ? arena_printf(arena, "%s, %s", names, c->name) : arena_strdup(arena, c->name);
        if (!names)
            return "";
    }
    return names;
}

static const char *yes_reason(const EnergyQuestion *question, const Trial *trial, Arena *arena)
{
    const Model *model = question->model;
    const char *names = working_constraints(model, arena);
    bool forces = false;

    for (size_t i = 0; i < model->n; i++)
        forces = forces || !expr_is_zero(model->pool, model->F[i]);
    if (names && !forces && expr_is_zero(model->pool, model->L_t))
        return arena_printf(arena,
                            "Although not homogeneous in the velocities, the constraints %s do no "
                            "work: at %zu random admissible states the affine part was annihilated "
                            "by the reaction force.",
                            names, trial->states);
    return arena_printf(arena,
                        "At %zu random admissible states the powers of forces, reactions and "
                        "explicit time dependence added up to zero.",
                        trial->states);
}

static const char *no_reason(const EnergyQuestion *question, const Trial *trial, Arena *arena)
{
    const Model *model = question->model;
    const char *text = arena_strdup(arena, "At a random admissible state");
    const char *joint = "";

    if (text && trial->worst_forces != 0) {
        text = arena_printf(arena, "%s the forces do work (power %.3g)", text, trial->worst_forces);
        joint = " and";
    }
    if (text && trial->worst_time != 0) {
        text = arena_printf(arena, "%s%s L depends on time explicitly (-L_t = %.3g)", text, joint,
                            -trial->worst_time);
        joint = " and";
    }
    for (size_t a = 0; text && a < model->r; a++) {
        if (trial->worst_reactions[a] == 0)
            continue;
        text =
            arena_printf(arena, "%s%s the reaction of the %s constraint %s does work (power %.3g)",
                         text, joint, constraint_kind_name(model->constraints[a].kind),
                         model->constraints[a].name, trial->worst_reactions[a]);
        joint = " and";
    }
    return text ? arena_printf(arena, "%s.", text) : NULL;
}

static void conclude(const EnergyQuestion *question, const Trial *trial, Arena *arena,
                     Verdict *verdict)
{
    verdict->states = trial->states;
    verdict->largest = trial->largest;
    verdict->evidence = EVIDENCE_RANDOM_STATES;
    if (trial->failures >= 2) {
        verdict->predicted = PREDICTED_NO;
        verdict->evidence = EVIDENCE_COUNTEREXAMPLE;
        verdict->reason = no_reason(question, trial, arena);
    } else if (trial->states >= ENOUGH && trial->largest < HOLDS) {
        verdict->predicted = PREDICTED_YES;
        verdict->reason = yes_reason(question, trial, arena);
    } else {
        verdict->predicted = PREDICTED_UNDECIDED;
        verdict->reason = arena_printf(
            arena,
            "The rate of the energy, relative to its terms, was at most %.3g at %zu random "
            "admissible states: too few or too close to decide.",
            trial->largest, trial->states);
    }
}

Status energy_predict(const EnergyQuestion *question, Arena *arena, Verdict *ret_verdict,
                      Error *err)
{
    const Model *model = question->model;
    Trial trial = {0};
    Scratch scratch = {0};
    Random random;
    Status status = OK;

    ret_verdict->name = ret_verdict->kind = "energy";
    if (identity(model)) {
        ret_verdict->predicted = PREDICTED_YES;
        ret_verdict->evidence = EVIDENCE_IDENTITY;
        ret_verdict->states = 0;
        ret_verdict->largest = 0;
        ret_verdict->reason = identity_reason(model);
        return OK;
    }
    trial.worst_reactions = alloc_array(model->r, sizeof *trial.worst_reactions);
    if (!trial.worst_reactions || !scratch_init(&scratch, question)) {
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
        goto out;
    }
    random_init(&random, 20);
    for (size_t i = 0; i < TRIES && trial.states < STATES; i++)
        try_state(question, &random, &scratch, &trial);
    conclude(question, &trial, arena, ret_verdict);
    if (!ret_verdict->reason)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
out:
    free(trial.worst_reactions);
    free(scratch.block);
    return status;
}
