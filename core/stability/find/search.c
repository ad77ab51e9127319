/* Generators that carry motions into motions, and searches at rest or along all of them. */
#include "core/stability/find/search.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/dimensions.h"
#include "core/model/kinds.h"

/* Largest speed that counts as rest, relative to that of the given state (no unit). Convention. */
static const double REST_SPEED_RATIO = 1e-3;
/* Most restarts of a search that leads across corners. Convention. */
enum { MOST_RESTARTS = 8 };

/* first: of the components in the model's state. */
static void read_state(const Model *model, const Value *part, const char *what, size_t first,
                       double *ret, Diagnostics *diag)
{
    if (!part)
        return;
    if (part->kind != VALUE_RECORD) {
        diagnostics_add(diag, part->pointer, -1, NULL, "\"%s\" is an object of numbers by name",
                        what);
        return;
    }
    /* each member is a number of a known coordinate, in the model's units */
    for (const Value *value = part->first; value; value = value->next) {
        size_t i = 0;
        while (i < model->n && strcmp(model->names.coordinates[i], value->name) != 0)
            i++;
        if (i == model->n) {
            diagnostics_add(diag, value->pointer, -1, NULL, "unknown coordinate \"%.80s\"",
                            value->name);
        } else if (value->kind != VALUE_NUMBER || !isfinite(value->number)) {
            diagnostics_add(diag, value->pointer, -1, NULL, "%.80s must be a number", value->name);
        } else {
            ret[i] = units_to_si(model, first + i, value->number);
            const char *misfit = unit_misfit(value->number, ret[i]);
            if (misfit)
                diagnostics_add(diag, value->pointer, -1, NULL, "%s", misfit);
        }
    }
}

void state_option_read(const Model *model, const Value *near, double *q, double *v,
                       Diagnostics *diag)
{
    if (near->kind != VALUE_RECORD) {
        diagnostics_add(diag, near->pointer, -1, "for example {\"q\": {\"x\": 1}}",
                        "a state is an object with \"q\" and \"v\"");
        return;
    }
    for (const Value *part = near->first; part; part = part->next)
        if (strcmp(part->name, "q") != 0 && strcmp(part->name, "v") != 0)
            diagnostics_add(diag, part->pointer, -1, "put coordinates under \"q\"",
                            "a state has \"q\" and \"v\", no \"%.80s\"", part->name);
    read_state(model, value_member(near, "q"), "q", 0, q, diag);
    read_state(model, value_member(near, "v"), "v", model->n, v, diag);
}

/* The deviation of a lift from the constraints' tangent space at a state, relative to the terms
 * of each constraint. A column of work[dim][dim] holds the contribution of each component. */
static Status leaving_constraints(EquilibriumSearch *x, size_t k, const double *lift, double *work,
                                  double *ret, Error *err)
{
    const Trajectory *states = x->states;
    const size_t n = x->local.n, dim = 2 * n, n_roots = dim - x->local.d;
    double *roots = work + dim * dim;

    memset(work, 0, dim * dim * sizeof *work);
    for (size_t i = 0; i < dim; i++)
        work[i * dim + i] = lift[i];
    Status status = tangent_space_along(
        x->local.space, (TangentState){states->t[k], states->q + k * n, states->v + k * n}, work,
        dim, roots, err);
    *ret = 0;
    /* the sum of the contributions relative to their sizes */
    for (size_t a = 0; status == OK && a < n_roots; a++) {
        double sum = 0, terms = 0;
        for (size_t i = 0; i < dim; i++) {
            sum += roots[a * dim + i];
            terms += fabs(roots[a * dim + i]);
        }
        *ret = terms > 0 ? fmax(*ret, fabs(sum) / terms) : *ret;
    }
    return status;
}

/* The largest component of a tangent of states, in the units of random ones. */
static double tangent_size(const StateRange *range, const double *x, size_t n)
{
    double size = 0;

    for (size_t i = 0; i < n; i++)
        size = fmax(size, fmax(fabs(x[i]) / range->size[i], fabs(x[n + i]) / range->speed[i]));
    return size;
}

/* How far a generator is from carrying motions into motions at a state: its lift X = (u, u_q v) is
 * tangent to the constraints, and commutes with the equations of motion. Relative to the terms, and
 * to the product of the sizes of lift and rates, because the terms may be rounding. */
static Status asymmetry(EquilibriumSearch *x, Drift *drift, size_t k, double *work, double *ret,
                        Error *err)
{
    const Trajectory *states = x->states;
    const StateRange *range = &x->context->range;
    const size_t n = x->local.n;
    const double t = states->t[k], *q = states->q + k * n, *v = states->v + k * n, c = 1;
    double *lift = work, *state = lift + 2 * n, *rates = state + 2 * n, *along = rates + 2 * n;
    double *commuted = along + 2 * n, *roots = commuted + 2 * n, leaves;
    const DirectionRows forward[] = {{rates, 2 * n}, {NULL, 1}};
    const double *w, *u = drift_velocity(drift, (DriftState){q, v, &c}, &w);

    memcpy(lift, u, n * sizeof *lift);
    memcpy(lift + n, w, n * sizeof *lift);
    memcpy(state, q, n * sizeof *state);
    memcpy(state + n, v, n * sizeof *state);
    branches_choose(&x->branches, state);
    /* the bracket of the lift with the rates: D(rates) X - D(X) rates */
    linearised_state_rates(x->local.linearised, t, state, rates);
    linearised_along(x->local.linearised, t, state, lift, 1, along);
    drift_along(drift, (DriftState){q, v, &c}, forward, 2, 1, commuted);
    double size = tangent_size(range, lift, n) * tangent_size(range, rates, n);
    size = fmax(size, fmax(tangent_size(range, along, n), tangent_size(range, commuted, n)));
    for (size_t i = 0; i < 2 * n; i++)
        along[i] -= commuted[i];
    const double off = tangent_size(range, along, n);
    Status status = leaving_constraints(x, k, lift, roots, &leaves, err);
    *ret = fmax(size > 0 ? off / size : 0, leaves);
    return status;
}

static Status is_symmetry(EquilibriumSearch *x, size_t field, bool *ret, Error *err)
{
    const size_t n = x->local.n, n_states = x->states->n_states;
    const ArenaMark mark = arena_mark(&x->memory);
    double *work = arena_doubles(&x->memory, 10 * n + 2 * n * (4 * n - x->local.d)), worst = 0;
    Drift drift = {0};
    Status status = arena_status(&x->memory, err);

    if (status == OK)
        status = drift_init(&drift, x->context->model, x->context->params, &field, 1, 1, err);

    for (size_t k = 0; status == OK && k < n_states; k++) {
        double here = 0;
        status = asymmetry(x, &drift, k, work, &here, err);
        /* a state at which nothing can be computed neither confirms nor refutes */
        worst = isnan(here) ? worst : fmax(worst, here);
    }
    *ret = n_states > 0 && worst <= ACCURACY_COMPARED;
    drift_done(&drift);
    arena_release(&x->memory, mark);
    return status;
}

/* Random states, at which symmetries are tried: if there is none in the range of the motion, around
 * the start, at distances of the size of its coordinates. */
static Status find_states(EquilibriumSearch *x, Error *err)
{
    AnalysisContext near = *x->context;

    x->states = x->context->states;
    if (x->context->model->given.n_symmetries == 0 || x->states->n_states)
        return OK;
    near.states = NULL;
    near.range.centre = x->context->q0;
    near.range.width = x->context->range.size;
    Status status = analysis_draw_states(&near, err);
    x->states = near.states;
    return status;
}

static bool is_translation(const Model *model, const ModelField *field)
{
    bool constant = true;

    for (size_t i = 0; i < model->n; i++)
        constant = constant && expr_is_const(model->pool, field->components[i], NULL);
    return constant;
}

static Status choose_fields(EquilibriumSearch *x, Error *err)
{
    const Model *model = x->context->model;
    Status status = OK;

    for (size_t k = 0; status == OK && k < model->given.n_symmetries; k++) {
        const ModelField *field = &model->given.symmetries[k];
        bool ok = false;
        if (expr_may_use(model->pool, field->components, model->n, &model->sym.t, 1) ||
            (x->translations && !is_translation(model, field)))
            continue;
        status = is_symmetry(x, k, &ok, err);
        if (status == OK && ok)
            x->fields[x->s++] = k;
    }
    return status;
}

void equilibrium_search_done(EquilibriumSearch *x)
{
    balance_done(&x->balance);
    drift_done(&x->drift);
    local_done(&x->local);
    arena_done(&x->memory);
}

Status equilibrium_search_init(EquilibriumSearch *x, const AnalysisContext *context,
                               const AnalysedRun *run, Error *err)
{
    const Model *model = context->model;

    *x = (EquilibriumSearch){
        .context = context, .translations = x->translations, .local.at_place = true};
    x->fields = arena_sizes(&x->memory, model->given.n_symmetries);
    Status status = arena_status(&x->memory, err);
    if (status == OK)
        status = local_init(&x->local, context, run, 2 * model->n, err);
    if (status == OK)
        status = branches_init(&x->branches, &x->local, context, &x->memory, err);
    /* the symmetries, by random states, and the residuals along them */
    if (status == OK)
        status = find_states(x, err);
    if (status == OK)
        status = choose_fields(x, err);
    if (status == OK)
        status = balance_init(&x->balance, context, x->fields, x->s, err);
    if (status == OK && x->s)
        status = drift_init(&x->drift, model, context->params, x->fields, x->s, 2 * model->n, err);
    return status;
}

Status equilibrium_search_near(EquilibriumSearch *x, const double *near, bool at_rest,
                               Equilibrium *ret, bool *ret_found, Error *err)
{
    const size_t n = x->local.n;
    Status status =
        equilibrium_init(ret, x->context, &x->local, at_rest ? NULL : &x->drift, &x->balance, err);

    *ret_found = false;
    if (status == OK) {
        memcpy(ret->q, near, n * sizeof *near);
        memcpy(ret->v, near + n, n * sizeof *near);
        (void)branches_choose(&x->branches, near);
    }
    /* again in the branches of the result while these change; q and v are one state */
    bool across = true;
    for (int turn = 0; status == OK && across && turn <= MOST_RESTARTS; turn++) {
        status = equilibrium_find(ret, ret_found, err);
        across = status == OK && branches_choose(&x->branches, ret->q);
    }
    *ret_found = *ret_found && !across;
    /* equations that are not finite mean that nothing was found */
    if (status == ERR_NUMERIC) {
        *ret_found = false;
        ret->residual = INFINITY;
        return OK;
    }
    return status;
}

bool equilibrium_search_success(const Equilibrium *equilibrium, bool found, Arena *arena,
                                const char **ret_reason)
{
    if (found && equilibrium->lasting)
        return true;
    if (found)
        *ret_reason = "The conditions hold at the start only: forces or constraints depend on "
                      "time.";
    else if (!isfinite(equilibrium->residual))
        *ret_reason = "The equations of motion are not finite there.";
    else
        *ret_reason = arena_printf(arena,
                                   "None was found near the given state: the conditions were left "
                                   "with %.3g of their size.",
                                   equilibrium->residual);
    return false;
}

Status equilibrium_search_rests(EquilibriumSearch *x, const double *near, const Equilibrium *found,
                                bool *ret, Error *err)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->local.n;
    const ArenaMark mark = arena_mark(&x->memory);
    double *unit = arena_doubles(&x->memory, n), before = 0, after = 0;
    Status status = arena_status(&x->memory, err);

    if (status == OK) {
        /* speeds before and after, in units of M: lengths and angles compare */
        const ModelPoint point = model_point(context->eval, context->t0, near, near + n);
        kinds_velocity_units(context->model, point.M, unit);
        for (size_t i = 0; i < n; i++) {
            before = fmax(before, fabs(near[n + i]) / unit[i]);
            after = fmax(after, fabs(found->v[i]) / unit[i]);
        }
    }
    arena_release(&x->memory, mark);
    *ret = after <= REST_SPEED_RATIO * before;
    return status;
}

Status equilibrium_search_either(EquilibriumSearch *x, const double *near, Equilibrium *ret,
                                 bool *ret_found, Error *err)
{
    bool rests = false;
    Status status = equilibrium_search_near(x, near, false, ret, ret_found, err);

    if (status == OK && *ret_found)
        status = equilibrium_search_rests(x, near, ret, &rests, err);
    if (status != OK || !rests)
        return status;
    equilibrium_done(ret);
    return equilibrium_search_near(x, near, true, ret, ret_found, err);
}

void equilibrium_report(const EquilibriumSearch *x, const Equilibrium *found, Arena *arena,
                        Value *record)
{
    const Model *model = x->context->model;

    local_report_state(arena, record, model, found->q, found->v);
    if (found->s == 0)
        return;
    Value *along = value_add(arena, record, "along", VALUE_RECORD);
    for (size_t a = 0; a < found->s; a++)
        value_add_number(arena, along, model->given.symmetries[x->fields[a]].name, found->c[a]);
}
