/* Sub-interval checks: corners that a step crosses twice. The drive sees the signs of their guards
 * on quarters of a step. It would miss a window if(abs(t - 5) < 0.001, ..) or a hat max(0, 1 -
 * abs(x - 12)/0.001) inside a quarter. Interval arithmetic finds the sign of a guard on parts of
 * the step. A step that passes to the other side and back is taken again up to the middle between
 * the two crossings, so that the drive sees the other sign. */
#include "core/run/parts/corner_checks.h"

#include <math.h>

#include "core/expr/interval/sharp.h"
#include "core/integrate/limits.h"

enum { MOST_GUARDS = 256, MOST_PARTS = 512, MOST_TRIES = 4, QUARTERS = 4 };
/* Of a polynomial that is calm (core/expr/interval/range.h), at most. */
enum { CALM_DEGREE = 20 };
static const double PI = 3.14159265358979323846;

static Status find_guards(CornerChecks *corner_checks, const Model *model, Arena *arena, Error *err)
{
    const size_t n_roots = 1 + model->n + 2 * model->r;
    Expr *roots = ARENA_NEW(arena, n_roots, Expr), *guards = ARENA_NEW(arena, MOST_GUARDS, Expr);
    size_t n = 0;
    if (arena_failed(arena))
        return arena_status(arena, err);

    /* the corners of all expressions of the model, in a pool of their own */
    const size_t count = model_expressions(model, roots);
    corner_checks->pool = expr_pool_clone(model->pool);
    if (!corner_checks->pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = sharp_corners(corner_checks->pool, roots, count, (uint32_t)(1 + 2 * model->n),
                                  guards, MOST_GUARDS, &n, err);
    corner_checks->n = n < MOST_GUARDS ? n : MOST_GUARDS;
    if (status != OK || corner_checks->n == 0)
        return status;
    status = range_eval_new(corner_checks->pool, guards, corner_checks->n, model->sym.first_free,
                            &corner_checks->eval, err);
    corner_checks->alone = ARENA_NEW(arena, corner_checks->n, RangeEval *);
    if (status == OK)
        status = arena_status(arena, err);
    for (size_t k = 0; status == OK && k < corner_checks->n; k++)
        status = range_eval_new(corner_checks->pool, &guards[k], 1, model->sym.first_free,
                                &corner_checks->alone[k], err);
    return status;
}

Status corner_checks_init(CornerChecks *corner_checks, const Model *model, const double *params,
                          Arena *arena, Error *err)
{
    const size_t n_state = 1 + 2 * model->n;

    *corner_checks = (CornerChecks){.last_t = NAN};
    Status status = find_guards(corner_checks, model, arena, err);
    if (status != OK || corner_checks->n == 0)
        return status;
    path_init(&corner_checks->path, n_state, true, arena);
    corner_checks->symbols = ARENA_NEW(arena, model->sym.first_free, Range);
    corner_checks->whole = ARENA_NEW(arena, corner_checks->n, Range);
    status = arena_status(arena, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < model->n_params; i++)
        corner_checks->symbols[expr_node(model->pool, model->sym.params[i]).symbol] =
            (Range){.value = {params[i], params[i]}, .whole = true};
    /* inputs are t, q, then v: does any guard read a velocity? */
    corner_checks->by_place = true;
    for (size_t i = 0; i < n_state; i++) {
        corner_checks->path.used[i] = range_eval_uses(corner_checks->eval, i);
        corner_checks->by_place =
            corner_checks->by_place && !(corner_checks->path.used[i] && i > model->n);
    }
    return OK;
}

void corner_checks_done(CornerChecks *corner_checks)
{
    for (size_t k = 0; k < corner_checks->n && corner_checks->alone; k++)
        range_eval_free(corner_checks->alone[k]);
    range_eval_free(corner_checks->eval);
    expr_pool_free(corner_checks->pool);
}

/* all: with how far the path may be from the motion; else rounding alone. */
static void enclose_symbols(CornerChecks *corner_checks, double from, double to, bool all)
{
    for (size_t i = 0; i < corner_checks->path.n_inputs; i++)
        if (corner_checks->path.used[i])
            corner_checks->symbols[i] =
                path_range(&corner_checks->path, i, from + to - 1, to - from, all);
}

static Range enclose(CornerChecks *corner_checks, size_t k, double from, double to, bool all)
{
    Range range;

    enclose_symbols(corner_checks, from, to, all);
    range_eval(corner_checks->alone[k], corner_checks->symbols, &range);
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

/* Is guard k nothing but rounding between two places, with the values `all`? A motion that rests on
 * a corner stays there for long, and passes nothing. */
static bool is_silent(CornerChecks *corner_checks, size_t k, double from, double to, Interval all)
{
    const double theta = from + (to - from) / 2;

    if (!(fmax(-all.low, all.high) < INFINITY))
        return false;
    const Interval rounding = enclose(corner_checks, k, theta, theta, false).value;
    return fmax(-all.low, all.high) <= SILENT_NOISE_RATIO * (rounding.high - rounding.low) / 2;
}

/* Does a guard of these values keep its side throughout, or rise or fall? */
static bool is_plain(const Range *all)
{
    return sign_of(all->value) != 0 || (all->whole && sign_of(all->rate) != 0);
}

/* The sign of guard k between two places. */
static Part look_at(CornerChecks *corner_checks, size_t k, double from, double to)
{
    const double theta = from + (to - from) / 2;
    const Range all = enclose(corner_checks, k, from, to, true);

    if (sign_of(all.value) != 0)
        return (Part){from, to, true, sign_of(all.value)};
    if (is_plain(&all))
        return (Part){to, to, true, sign_of(enclose(corner_checks, k, to, to, true).value)};
    if (is_silent(corner_checks, k, from, to, all.value))
        return (Part){from, to, true, 0};
    const Range middle = enclose(corner_checks, k, theta, theta, true);
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

/* Looks for the first sub-interval of guard k that the quarters do not show; false when there is
 * none. *ret_known: the parts sufficed to decide. */
static bool find_visit(CornerChecks *corner_checks, const OdeArc *arc, size_t k, double *ret_theta,
                       bool *ret_known)
{
    StepPart items[MOST_PARTS], next;
    StepParts left;
    double from = -1, last = -1;

    /* parts from left to right, halved until each has one sign */
    int side = sign_of(enclose(corner_checks, k, 0, 0, true).value);
    step_parts_begin(&left, items, MOST_PARTS);
    for (size_t parts = 0; parts < MOST_PARTS && step_parts_next(&left, &next); parts++) {
        const Part part = look_at(corner_checks, k, next.from, next.to);
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

/* A step that is shortened again and again did not end in the sub-interval: it is rounding. */
static bool is_rounding(CornerChecks *corner_checks, const OdeArc *arc)
{
    corner_checks->tries = arc->t == corner_checks->last_t ? corner_checks->tries + 1 : 1;
    corner_checks->last_t = arc->t;
    return corner_checks->tries > MOST_TRIES;
}

/* Is guard k zero to rounding on all of the step? Two bodies that move together have no relative
 * velocity for any t and state, and no difference of their energies. The guard has to be as smooth
 * as the motion, see range_eval_calm(): no more than a polynomial of such a degree in polynomials
 * of the path's, which one more of Chebyshev's points determine. */
static bool rests(CornerChecks *corner_checks, size_t k)
{
    const size_t degree = CALM_DEGREE * (corner_checks->path.terms - 1);
    Range at;

    enclose_symbols(corner_checks, 0, 1, true);
    range_eval(corner_checks->alone[k], corner_checks->symbols, &at);
    bool silent = range_eval_calm(corner_checks->alone[k]);
    for (size_t j = 0; j <= degree && silent; j++) {
        const double theta = (1 - cos(PI * (double)j / (double)degree)) / 2;
        at = enclose(corner_checks, k, theta, theta, false);
        silent = at.value.low <= 0 && at.value.high >= 0;
    }
    return silent;
}

/* Encloses all guards over the step; whether each only keeps its side, rises or falls. */
static bool all_plain(CornerChecks *corner_checks)
{
    bool plain = true;

    enclose_symbols(corner_checks, 0, 1, true);
    range_eval(corner_checks->eval, corner_checks->symbols, corner_checks->whole);
    for (size_t k = 0; k < corner_checks->n; k++)
        plain = plain && is_plain(&corner_checks->whole[k]);
    return plain;
}

bool corner_checks_may_pass(CornerChecks *corner_checks, const FeatureLook *look,
                            const OdeArc *ends)
{
    if (!corner_checks->by_place)
        return true;
    path_follow_ends(&corner_checks->path, (corner_checks->path.n_inputs - 1) / 2, look->state,
                     look->at_end, look->self, ends);
    return !all_plain(corner_checks);
}

bool corner_checks_passed(CornerChecks *corner_checks, PathLook *look, void *self,
                          const OdeArc *arc, double *ret_theta)
{
    bool known = true, found = false;
    double first = 1, theta;

    /* most steps: each guard keeps its side, rises or falls */
    path_follow(&corner_checks->path, look, self, arc);
    if (all_plain(corner_checks))
        return false;
    for (size_t k = 0; k < corner_checks->n; k++) {
        bool told = true;
        if (is_plain(&corner_checks->whole[k]))
            continue;
        const bool visit = find_visit(corner_checks, arc, k, &theta, &told);
        if ((visit || !told) && rests(corner_checks, k))
            continue;
        known = known && told;
        found = found || visit;
        first = visit ? fmin(first, theta) : first;
    }
    if (found && !is_rounding(corner_checks, arc)) {
        *ret_theta = first;
        return true;
    }
    if ((found || !known) && corner_checks->undecided++ == 0)
        corner_checks->undecided_t = arc->t;
    return false;
}
