/* What an analysis asks for, made of a short model; rates of quantities along its motion. */
#include "tests/core/invariants/setting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/invariants/laws.h"
#include "core/numeric/dense.h"

/* Documents. */

static size_t length(const char *const *list)
{
    size_t n = 0;
    while (n < SETTING_MAX && list[n])
        n++;
    return n;
}

static size_t write_symmetries(const SettingModel *model, FieldText *fields, Arena *arena)
{
    size_t n = 0;

    for (; n < SETTING_MAX && model->symmetries[n][0]; n++) {
        NamedText *components = arena_alloc(arena, SETTING_MAX, sizeof *components);
        const char *const *text = model->symmetries[n];
        fields[n] =
            (FieldText){.name = text[0], .pointer = "/symmetries", .components = components};
        for (size_t i = 1; i + 1 < 2 * SETTING_MAX && text[i]; i += 2)
            components[fields[n].n_components++] =
                (NamedText){.name = text[i], .text = text[i + 1], .pointer = "/symmetries"};
    }
    return n;
}

static ModelDocument document(const SettingModel *model, Arena *arena)
{
    CoordinateText *coordinates = arena_alloc(arena, SETTING_MAX, sizeof *coordinates);
    NamedText *constraints = arena_alloc(arena, SETTING_MAX, sizeof *constraints);
    NamedText *forces = arena_alloc(arena, SETTING_MAX, sizeof *forces);
    FieldText *symmetries = arena_alloc(arena, SETTING_MAX, sizeof *symmetries);
    ModelDocument d = {.name = "",
                       .description = "",
                       .coordinates = coordinates,
                       .n_coordinates = length(model->coordinates),
                       .lagrangian = {.text = model->lagrangian, .pointer = "/lagrangian"},
                       .constraints = constraints,
                       .n_constraints = length(model->constraints),
                       .forces = forces,
                       .symmetries = symmetries};

    for (size_t i = 0; i < d.n_coordinates; i++)
        coordinates[i] = (CoordinateText){.name = model->coordinates[i], .pointer = "/coordinates"};
    for (size_t a = 0; a < d.n_constraints; a++)
        constraints[a] = (NamedText){.text = model->constraints[a], .pointer = "/constraints"};
    for (size_t i = 0; i < 2 * SETTING_MAX && model->forces[i]; i += 2)
        forces[d.n_forces++] = (NamedText){
            .name = model->forces[i], .text = model->forces[i + 1], .pointer = "/forces"};
    d.n_symmetries = write_symmetries(model, symmetries, arena);
    return d;
}

/* Settings. */

static void fill_context(Setting *s, const double *centre)
{
    Error err = {0};

    for (size_t i = 0; i < s->model->n; i++) {
        s->centre[i] = centre[i] != 0 ? centre[i] : 0.3;
        s->width[i] = 1;
    }
    for (size_t a = 0; a < s->model->r; a++)
        s->rows[a] = a;
    s->context = (AnalysisContext){.model = s->model,
                                   .pool = expr_pool_clone(s->model->pool),
                                   .programs = s->programs,
                                   .eval = s->eval,
                                   .params = s->model->param_values,
                                   .rows = s->rows,
                                   .n_rows = s->model->r,
                                   .q0 = s->q0,
                                   .v0 = s->v0,
                                   .t_end = 1,
                                   .range = {.t_to = 1,
                                             .centre = s->centre,
                                             .width = s->width,
                                             .speed = s->width,
                                             .size = s->width},
                                   .steps = {.rtol = 1e-10, .atol = 1e-12},
                                   .arena = s->arena,
                                   .scratch = s->arena};
    ck_assert_int_eq(analysis_make_states(&s->context, 64, 1, &err), OK);
    const Trajectory *states = s->context.states;
    ck_assert_uint_ge(states->n_states, 32);
    memcpy(s->q0, states->q, s->model->n * sizeof(double));
    memcpy(s->v0, states->v, s->model->n * sizeof(double));
}

Setting *setting_new(const SettingModel *model)
{
    Setting *s = calloc(1, sizeof *s);
    Error err = {0};
    ck_assert_ptr_nonnull(s);

    s->arena = arena_new(1 << 26);
    Diagnostics *diag = arena_alloc(s->arena, 1, sizeof *diag);
    diagnostics_init(diag, s->arena);
    ModelDocument text = document(model, s->arena);
    Status status = model_build(&text, diag, &s->model, &err);
    ck_assert_msg(status == OK, "%s; %s: %s", err.message, model->lagrangian,
                  diag->count ? diag->items[0].message : "");
    ck_assert_int_eq(model_programs_new(s->model, &s->programs, &err), OK);
    ck_assert_int_eq(model_eval_new(s->programs, NULL, &s->eval, &err), OK);
    fill_context(s, model->centre);
    findings_init(&s->findings, s->arena);
    return s;
}

void setting_free(Setting *s)
{
    expr_pool_free(s->context.pool);
    model_eval_free(s->eval);
    model_programs_free(s->programs);
    model_unref(s->model);
    arena_free(s->arena);
    free(s);
}

static const Analysis *find(const char *name)
{
    static const Analysis *const ALL[] = {
        &analysis_energy,        &analysis_momenta,
        &analysis_reactions,     &analysis_reaction_annihilator,
        &analysis_consistency,   &analysis_structure,
        &analysis_measure,       &analysis_discovery,
        &analysis_moving_energy, &analysis_gauge_momenta,
    };

    for (size_t k = 0; k < sizeof ALL / sizeof *ALL; k++)
        if (strcmp(ALL[k]->name, name) == 0)
            return ALL[k];
    return NULL;
}

void setting_run(Setting *s, const char *name, const Value *options)
{
    const Analysis *analysis = find(name);
    Error err = {0};

    ck_assert_ptr_nonnull(analysis);
    Status status = analysis_run(analysis, &s->context, options, &s->findings, &err);
    ck_assert_msg(status == OK, "%s: %s", name, err.message);
    ck_assert_int_eq(findings_status(&s->findings, &err), OK);
}

const Verdict *setting_verdict(const Setting *s, const char *name)
{
    for (size_t k = 0; k < s->findings.n_verdicts; k++)
        if (strcmp(s->findings.verdicts[k].name, name) == 0)
            return &s->findings.verdicts[k];
    return NULL;
}

/* Rates. */

/* vdot from the equations themselves, solved here. */
static void accelerate(const Setting *s, double t, const double *q, const double *v, double *ret)
{
    const size_t n = s->model->n, r = s->model->r, size = n + r;
    double matrix[4 * SETTING_MAX * SETTING_MAX] = {0}, rhs[2 * SETTING_MAX];
    ModelPoint p = model_point(s->eval, t, q, v);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            matrix[i * size + j] = p.M[i * n + j];
        for (size_t a = 0; a < r; a++)
            matrix[i * size + n + a] = matrix[(n + a) * size + i] = p.A[a * n + i];
        rhs[i] = p.F[i] - p.l[i];
    }
    for (size_t a = 0; a < r; a++)
        rhs[n + a] = -p.psi[a];
    ck_assert_int_eq(dense_solve(matrix, size, rhs, 1, NULL), OK);
    memcpy(ret, rhs, n * sizeof *ret);
}

static double value_at(const Setting *s, const ExprPool *pool, Expr e, double t, const double *q,
                       const double *v)
{
    double symbols[8 * SETTING_MAX] = {0}, value;

    symbols[0] = t;
    memcpy(symbols + 1, q, s->model->n * sizeof *symbols);
    memcpy(symbols + 1 + s->model->n, v, s->model->n * sizeof *symbols);
    ck_assert_int_eq(expr_eval(pool, &e, 1, symbols, &value, NULL), OK);
    return value;
}

/* Where the motion is after a time that is too short to tell from straight but for vdot. */
static double value_after(const Setting *s, const ExprPool *pool, Expr e, size_t k, double h)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->model->n;
    double q[SETTING_MAX], v[SETTING_MAX], vdot[SETTING_MAX];

    accelerate(s, states->t[k], states->q + k * n, states->v + k * n, vdot);
    for (size_t i = 0; i < n; i++) {
        q[i] = states->q[k * n + i] + h * states->v[k * n + i] + h * h / 2 * vdot[i];
        v[i] = states->v[k * n + i] + h * vdot[i];
    }
    return value_at(s, pool, e, states->t[k] + h, q, v);
}

double setting_rate(const Setting *s, const char *quantity)
{
    static const double H = 1e-4;
    ExprPool *pool = expr_pool_clone(s->model->pool);
    ExprScope *scope = model_scope(s->model, pool, false, NULL);
    Diagnostics diag;
    double largest = 0;

    diagnostics_init(&diag, s->arena);
    Expr e = expr_parse(pool, scope, quantity, PARSE_EXPRESSION, "", &diag);
    ck_assert_msg(!expr_is_none(e), "%s", quantity);
    for (size_t k = 0; k < s->context.states->n_states; k++) {
        double after = value_after(s, pool, e, k, H), before = value_after(s, pool, e, k, -H);
        double size = 1 + fabs(after);
        largest = fmax(largest, fabs(after - before) / (2 * H * size));
    }
    expr_scope_free(scope);
    expr_pool_free(pool);
    return largest;
}
