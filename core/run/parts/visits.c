/* Corners that a step crosses twice: the drive sees the signs of their guards on quarters of a
 * step, and a window if(abs(t - 5) < 0.001, ..) or a hat max(0, 1 - abs(x - 12)/0.001) in one of
 * them would be passed. Interval arithmetic tells where a guard has which sign; a step that passes
 * a visit to the other side is taken again up to its midst, where the drive sees the other sign. */
#include "core/run/parts/visits.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/interval/sharp.h"

enum { MOST_GUARDS = 256, MOST_PARTS = 512, MOST_TRIES = 4, QUARTERS = 4 };
/* Of a polynomial that is calm (core/expr/interval/range.h), at most. */
enum { CALM_DEGREE = 20 };
/* A guard that is not larger than so many times its rounding is zero: as for events. */
static const double SILENCE = 8;
/* Rounding of a coordinate or velocity at a place of the step. */
static const double ROUNDING = 4 * DBL_EPSILON;
static const double PI = 3.14159265358979323846;

/* Each guard alone, and which have derivatives that know nothing of t and the state. */
static Status find_linear(Visits *visits, const Model *model, const Expr *guards, Arena *arena,
                          Error *err)
{
    const size_t n_state = 1 + 2 * model->n;
    Expr *state = ARENA_NEW(arena, n_state, Expr), *rates = ARENA_NEW(arena, n_state, Expr);
    bool *used = ARENA_NEW(arena, n_state, bool);
    visits->linear = ARENA_NEW(arena, visits->n, bool);
    visits->alone = ARENA_NEW(arena, visits->n, RangeEval *);
    Status status = arena_status(arena, err);

    for (size_t i = 0; status == OK && i < n_state; i++)
        state[i] = i == 0          ? model->sym.t
                   : i <= model->n ? model->sym.q[i - 1]
                                   : model->sym.v[i - 1 - model->n];
    for (size_t k = 0; status == OK && k < visits->n; k++) {
        expr_gradient(visits->pool, guards[k], state, n_state, rates);
        status = expr_pool_status(visits->pool, err);
        memset(used, 0, n_state * sizeof *used);
        if (status == OK)
            status = expr_used_symbols(visits->pool, rates, n_state, used, n_state, err);
        visits->linear[k] = status == OK;
        for (size_t i = 0; i < n_state; i++)
            visits->linear[k] = visits->linear[k] && !used[i];
        if (status == OK)
            status = range_eval_new(visits->pool, &guards[k], 1, model->sym.first_free,
                                    &visits->alone[k], err);
    }
    return status;
}

static Status find_guards(Visits *visits, const Model *model, Arena *arena, Error *err)
{
    const size_t n_roots = 1 + model->n + 2 * model->r;
    Expr *roots = ARENA_NEW(arena, n_roots, Expr), *guards = ARENA_NEW(arena, MOST_GUARDS, Expr);
    size_t n = 0;
    if (arena_failed(arena))
        return arena_status(arena, err);

    const size_t count = model_expressions(model, roots);
    visits->pool = expr_pool_clone(model->pool);
    if (!visits->pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = sharp_corners(visits->pool, roots, count, (uint32_t)(1 + 2 * model->n), guards,
                                  MOST_GUARDS, &n, err);
    visits->n = n < MOST_GUARDS ? n : MOST_GUARDS;
    if (status == OK && visits->n)
        status = find_linear(visits, model, guards, arena, err);
    if (status == OK && visits->n)
        status = range_eval_new(visits->pool, guards, visits->n, model->sym.first_free,
                                &visits->eval, err);
    return status;
}

Status visits_init(Visits *visits, const Model *model, const double *params, Arena *arena,
                   Error *err)
{
    const size_t n_state = 1 + 2 * model->n;

    *visits = (Visits){.last_t = NAN};
    Status status = find_guards(visits, model, arena, err);
    if (status != OK || visits->n == 0)
        return status;
    path_init(&visits->path, n_state, true, arena);
    visits->symbols = ARENA_NEW(arena, model->sym.first_free, Range);
    visits->whole = ARENA_NEW(arena, visits->n, Range);
    status = arena_status(arena, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < model->n_params; i++)
        visits->symbols[expr_node(model->pool, model->sym.params[i]).symbol] =
            (Range){.value = {params[i], params[i]}, .whole = true};
    visits->by_place = true;
    for (size_t i = 0; i < n_state; i++) {
        visits->path.used[i] = range_eval_uses(visits->eval, i);
        visits->by_place = visits->by_place && !(visits->path.used[i] && i > model->n);
    }
    return OK;
}

void visits_done(Visits *visits)
{
    for (size_t k = 0; k < visits->n && visits->alone; k++)
        range_eval_free(visits->alone[k]);
    range_eval_free(visits->eval);
    expr_pool_free(visits->pool);
}

/* all: with how far the path may be from the motion; else rounding alone. */
static void enclose_symbols(Visits *visits, double from, double to, bool all)
{
    for (size_t i = 0; i < visits->path.n_inputs; i++)
        if (visits->path.used[i])
            visits->symbols[i] = path_range(&visits->path, i, from + to - 1, to - from, all);
}

/* Guard k. */
static Range enclose(Visits *visits, size_t k, double from, double to, bool all)
{
    Range range;

    enclose_symbols(visits, from, to, all);
    range_eval(visits->alone[k], visits->symbols, &range);
    return range;
}

static int sign_of(Interval value)
{
    return (value.low > 0) - (value.high < 0);
}

typedef struct Part {
    double from, to;
    bool known; /* the guard has one sign, rises or falls, or is zero to rounding throughout */
    int sign;   /* from `from` on to `to`; 0: zero to rounding */
} Part;

/* Is guard k nothing but rounding between two places, of which `all` are its values? What is at
 * rest on a corner is so for long, and passes nothing. */
static bool is_silent(Visits *visits, size_t k, double from, double to, Interval all)
{
    const double theta = from + (to - from) / 2;

    if (!(fmax(-all.low, all.high) < INFINITY))
        return false;
    const Interval rounding = enclose(visits, k, theta, theta, false).value;
    return fmax(-all.low, all.high) <= SILENCE * (rounding.high - rounding.low) / 2;
}

/* Does a guard of these values keep its side throughout, or rise or fall? */
static bool is_plain(const Range *all)
{
    return sign_of(all->value) != 0 || (all->whole && sign_of(all->rate) != 0);
}

/* What guard k does between two places. */
static Part look_at(Visits *visits, size_t k, double from, double to)
{
    const double theta = from + (to - from) / 2;
    const Range all = enclose(visits, k, from, to, true);

    if (sign_of(all.value) != 0)
        return (Part){from, to, true, sign_of(all.value)};
    if (is_plain(&all))
        return (Part){to, to, true, sign_of(enclose(visits, k, to, to, true).value)};
    if (is_silent(visits, k, from, to, all.value))
        return (Part){from, to, true, 0};
    const Range middle = enclose(visits, k, theta, theta, true);
    const double reach = fmax(fabs(all.rate.low), fabs(all.rate.high)) * (to - from) / 2;
    const Interval closer = {middle.value.low - reach, middle.value.high + reach};
    const int sign = all.whole && middle.whole ? sign_of(closer) : 0;
    return (Part){from, to, sign != 0, sign};
}

/* Is a place in between at which the drive looks? */
static bool shown(double from, double to)
{
    for (int q = 1; q < QUARTERS; q++)
        if (from < (double)q / QUARTERS && (double)q / QUARTERS < to)
            return true;
    return false;
}

/* Looks for the first visit of guard k that is not shown; false when there is none. *ret_known:
 * the parts sufficed to tell. */
static bool find_visit(Visits *visits, const OdeArc *arc, size_t k, double *ret_theta,
                       bool *ret_known)
{
    StepPart items[MOST_PARTS], next;
    StepParts left;
    double from = -1, last = -1;

    int side = sign_of(enclose(visits, k, 0, 0, true).value);
    step_parts_begin(&left, items, MOST_PARTS);
    for (size_t parts = 0; parts < MOST_PARTS && step_parts_next(&left, &next); parts++) {
        const Part part = look_at(visits, k, next.from, next.to);
        if (!part.known && step_parts_have_room(&left) && !step_part_is_shortest(arc, &next)) {
            step_parts_halve(&left, &next);
        } else if (side == 0) {
            side = part.sign;
        } else if (part.sign == -side) {
            from = from < 0 ? part.from : from;
            last = part.to;
        } else if (part.sign == side && from >= 0) {
            if (!shown(from, last)) {
                *ret_theta = from + (last - from) / 2;
                return true;
            }
            from = -1;
        }
    }
    *ret_known = *ret_known && left.n == 0;
    return false;
}

/* A step that is shortened again and again did not end in the visit: it is rounding. */
static bool is_rounding(Visits *visits, const OdeArc *arc)
{
    visits->tries = arc->t == visits->last_t ? visits->tries + 1 : 1;
    visits->last_t = arc->t;
    return visits->tries > MOST_TRIES;
}

/* Is guard k, which is linear, zero to rounding at the path's nodes? Along the step it is a
 * polynomial, as the motion is, which the nodes determine. */
static bool rests_linearly(Visits *visits, size_t k)
{
    const Path *path = &visits->path;
    bool silent = true;
    Range at;

    for (size_t j = 0; j < path->terms && silent; j++) {
        for (size_t i = 0; i < path->n_inputs; i++) {
            const double value = path->values[j * path->n_inputs + i];
            const double off = ROUNDING * fabs(value);
            visits->symbols[i] = (Range){.value = {value - off, value + off}, .whole = true};
        }
        range_eval(visits->alone[k], visits->symbols, &at);
        silent = at.value.low <= 0 && at.value.high >= 0;
    }
    return silent;
}

/* The same of one that is as smooth as the motion, see range_eval_calm(): no more than a polynomial
 * of such a degree in polynomials of the path's, which one more of Chebyshev's points determine. */
static bool rests_calmly(Visits *visits, size_t k)
{
    const size_t degree = CALM_DEGREE * (visits->path.terms - 1);
    Range at;

    enclose_symbols(visits, 0, 1, true);
    range_eval(visits->alone[k], visits->symbols, &at);
    bool silent = range_eval_calm(visits->alone[k]);
    for (size_t j = 0; j <= degree && silent; j++) {
        const double theta = (1 - cos(PI * (double)j / (double)degree)) / 2;
        enclose_symbols(visits, theta, theta, false);
        range_eval(visits->alone[k], visits->symbols, &at);
        silent = at.value.low <= 0 && at.value.high >= 0;
    }
    return silent;
}

/* Is the guard zero to rounding on all of the step? Whatever t and the state do, two bodies that
 * move together have no relative velocity, and no difference of their energies. */
static bool rests(Visits *visits, size_t k)
{
    return visits->linear[k] ? rests_linearly(visits, k) : rests_calmly(visits, k);
}

/* Encloses all guards over the step; whether each only keeps its side, rises or falls. */
static bool all_plain(Visits *visits)
{
    bool plain = true;

    enclose_symbols(visits, 0, 1, true);
    range_eval(visits->eval, visits->symbols, visits->whole);
    for (size_t k = 0; k < visits->n; k++)
        plain = plain && is_plain(&visits->whole[k]);
    return plain;
}

bool visits_may_pass(Visits *visits, const FeatureLook *ends, const OdeArc *arc)
{
    if (!visits->by_place)
        return true;
    path_follow_ends(&visits->path, (visits->path.n_inputs - 1) / 2, ends->state,
                     ends->accelerations, ends->self, arc);
    return !all_plain(visits);
}

bool visits_passed(Visits *visits, PathLook *look, void *self, const OdeArc *arc, double *ret_theta)
{
    bool known = true, found = false;
    double first = 1, theta;

    path_follow(&visits->path, look, self, arc);
    if (all_plain(visits))
        return false;
    for (size_t k = 0; k < visits->n; k++) {
        bool told = true;
        if (is_plain(&visits->whole[k]))
            continue;
        const bool visit = find_visit(visits, arc, k, &theta, &told);
        if ((visit || !told) && rests(visits, k))
            continue;
        known = known && told;
        found = found || visit;
        first = visit ? fmin(first, theta) : first;
    }
    if (found && !is_rounding(visits, arc)) {
        *ret_theta = first;
        return true;
    }
    if ((found || !known) && visits->undecided++ == 0)
        visits->undecided_t = arc->t;
    return false;
}
