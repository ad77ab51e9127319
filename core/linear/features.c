/* Features narrower than a step: barriers, pulses and switches between the places at which a
 * method evaluates the rates. The error estimate does not see them.
 * 
 * Interval arithmetic finds them. Each feature is enclosed over parts of the step: first to find
 * the values that it takes, then to divide the step into parts in which no feature changes by
 * more than a quarter of their range. If a part is narrow, the step may have passed something.
 * Then the accelerations of the equations at the ends of the narrow parts are compared with
 * those of the step. A difference that changes between the ends of a narrow part was not seen by
 * the step. It matters if its effect exceeds the tolerance of the velocities. */
#include "core/linear/features.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"

enum { MOST_FEATURES = 256, MOST_LOOKS = 256 };
/* Largest number of parts and evaluations for which a cubic path is tried first, because it is
 * cheaper. Estimate. */
enum { CUBIC_PARTS = 24 };
/* Longest part of a step that may have been passed, relative to the gap between the places at
 * which the method evaluates the rates (no unit). Convention. */
static const double NARROW_FRACTION = 1.0 / 8;
/* Relative to the range of values of a feature: the margin for values outside the known range, and
 * the largest change within a part (no units). Conventions. */
static const double HIDDEN_MARGIN = 0.3, PART_CHANGE = 0.25;
/* Values smaller or larger are treated as equal to these bounds, in units of the value.
 * Conventions: their squares neither vanish nor overflow. */
static const double LEAST_VALUE = 1e-150, LARGEST_VALUE = 1e150;
/* Relative to the size of its kind (no unit): a larger movement is no rounding, even if the
 * errors of the rates would allow it. Convention. */
static const double ROUNDING_LIMIT = 1e-3;
/* Effect in tolerances of the velocities (no unit) that justifies another step. Convention. */
static const double MATTERING_TOLERANCES = 10;
/* In lengths of a narrow part (no unit): the size of the step that will see it, and the distance
 * before it at which that step begins. Conventions. */
static const double STEP_LENGTHS = 4, LEAD_LENGTHS = 16;

/* The expression to watch: for 1/norm it is the norm. */
static Expr watched(const FeatureSpec *spec, Expr e)
{
    const ExprNode node = expr_node(spec->model->sharp.pool, e);

    if (node.op != EXPR_PRODUCT || node.n != 1 || node.coefs[0] != -1)
        return e;
    for (size_t k = 0; k < spec->n_norms; k++)
        if (expr_same(node.args[0], spec->norms[k]))
            return node.args[0];
    return e;
}

Status features_init(Features *f, const FeatureSpec *spec, Arena *arena, Error *err)
{
    const Model *model = spec->model;
    const double *params = spec->params;
    const size_t n_state = 1 + 2 * model->n;

    *f = (Features){.n_coordinates = model->n,
                    .kinds = model->kinds.first,
                    .look = spec->look,
                    .rtol = spec->rtol};
    Expr *nodes = ARENA_NEW(arena, model->sharp.n, Expr);
    for (size_t k = 0; nodes && k < model->sharp.n; k++)
        nodes[f->of++] = watched(spec, model->sharp.nodes[k]);
    f->n = f->of < MOST_FEATURES ? f->of : MOST_FEATURES;
    Status status = arena_status(arena, err);
    if (status != OK || f->n == 0)
        return status;
    status = range_eval_new(model->sharp.pool, nodes, f->n, model->sym.first_free, &f->eval, err);
    if (status != OK)
        return status;
    path_init(&f->path, n_state, true, arena);
    f->symbols = ARENA_NEW(arena, model->sym.first_free, Range);
    f->ranges = ARENA_NEW(arena, f->n, Range);
    f->middle = ARENA_NEW(arena, f->n, Range);
    f->other = ARENA_NEW(arena, f->n, Range);
    f->still = ARENA_NEW(arena, f->n, bool);
    f->low = arena_doubles(arena, f->n);
    f->high = arena_doubles(arena, f->n);
    f->parts.stack = ARENA_NEW(arena, FEATURE_PARTS + 1, StepPart);
    f->parts.ends = arena_doubles(arena, FEATURE_PARTS + 1);
    f->parts.unseen = arena_doubles(arena, FEATURE_PARTS + 1);
    f->change = arena_doubles(arena, model->n);
    f->before = arena_doubles(arena, model->n);
    f->here = arena_doubles(arena, model->n);
    f->tolerances.told = arena_doubles(arena, 2 * model->n);
    f->tolerances.resting = arena_doubles(arena, 2 * model->n);
    f->tolerances.noise = arena_doubles(arena, 2 * model->n);
    status = arena_status(arena, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < model->n_params; i++)
        f->symbols[expr_node(model->pool, model->sym.params[i]).symbol] =
            (Range){.value = {params[i], params[i]}, .whole = true};
    f->by_place = true;
    for (size_t i = 1 + model->n; i < n_state; i++)
        f->by_place = f->by_place && !range_eval_uses(f->eval, i);
    /* all velocities, because the accelerations along the step belong to them */
    for (size_t i = 0; i < n_state; i++)
        f->path.used[i] = i > model->n || range_eval_uses(f->eval, i);
    return OK;
}

void features_done(Features *f)
{
    range_eval_free(f->eval);
}

/* Encloses all features over a part of the step. all: with the path's error, else rounding only. */
static void enclose_as(Features *f, double from, double to, bool all, Range *ret_ranges)
{
    const size_t n = f->by_place ? 1 + f->n_coordinates : f->path.n_inputs;

    for (size_t i = 0; i < n; i++)
        if (f->path.used[i])
            f->symbols[i] = path_range(&f->path, i, from + to - 1, to - from, all);
    range_eval(f->eval, f->symbols, ret_ranges);
    for (size_t k = 0; k < f->n; k++) {
        Interval *value = &ret_ranges[k].value;
        value->low = fmax(-LARGEST_VALUE, fmin(value->low, LARGEST_VALUE));
        value->high = fmax(-LARGEST_VALUE, fmin(value->high, LARGEST_VALUE));
    }
}

static void enclose(Features *f, double from, double to, Range *ret_ranges)
{
    enclose_as(f, from, to, true, ret_ranges);
}

/* The same with tighter bounds, by the mean value theorem. */
static void enclose_closer(Features *f, double from, double to)
{
    const double theta = from + (to - from) / 2;

    enclose(f, theta, theta, f->middle);
    for (size_t k = 0; k < f->n; k++) {
        Range *all = &f->ranges[k];
        const double reach = fmax(fabs(all->rate.low), fabs(all->rate.high)) * (to - from) / 2;
        if (!all->whole || !f->middle[k].whole || !isfinite(reach))
            continue;
        all->value.low = fmax(all->value.low, f->middle[k].value.low - reach);
        all->value.high = fmin(all->value.high, f->middle[k].value.high + reach);
    }
}

static double least_change(const Features *f, size_t k)
{
    return NEGLIGIBLE_PART * fmax(fabs(f->low[k]), fabs(f->high[k])) + LEAST_VALUE;
}

static double width_of(Interval value)
{
    return value.high - value.low;
}

static double middle_of(Interval value)
{
    return value.low + width_of(value) / 2;
}

/* Widens the ranges of values by those at a place. */
static void take_values(Features *f, double theta)
{
    enclose(f, theta, theta, f->middle);
    for (size_t k = 0; k < f->n; k++) {
        const double middle = middle_of(f->middle[k].value);
        f->low[k] = fmin(f->low[k], middle);
        f->high[k] = fmax(f->high[k], middle);
    }
}

/* Whether the features only take values near the known ones in this part. */
static bool nothing_hidden(const Features *f)
{
    for (size_t k = 0; k < f->n; k++) {
        const double more = HIDDEN_MARGIN * (f->high[k] - f->low[k]) + least_change(f, k);
        const Interval value = f->ranges[k].value;
        if (f->still[k])
            continue;
        if (value.low < f->low[k] - more || value.high > f->high[k] + more)
            return false;
    }
    return true;
}

/* Whether each feature changes little in this part, or too slowly for a narrow one. */
static bool quiet(const Features *f)
{
    for (size_t k = 0; k < f->n; k++) {
        const Range *all = &f->ranges[k];
        const double rate = fmax(fabs(all->rate.low), fabs(all->rate.high));
        const double change = fmax(PART_CHANGE * (f->high[k] - f->low[k]), least_change(f, k));
        if (f->still[k])
            continue;
        if (!(width_of(all->value) <= change) && !(all->whole && rate * f->narrow <= change))
            return false;
    }
    return true;
}

/* Whether that holds between two places of the step. */
static bool shown(Features *f, double from, double to, bool (*holds)(const Features *f))
{
    enclose(f, from, to, f->ranges);
    if (holds(f))
        return true;
    enclose_closer(f, from, to);
    return holds(f);
}

/* Finds features whose variation over the step, f->ranges, is within rounding at three places:
 * functions of components at rest, such as log(x) at x = 1, whose own size says nothing. */
static void find_still(Features *f)
{
    for (size_t k = 0; k < f->n; k++)
        f->still[k] = true;
    for (int place = 0; place <= 2; place++) {
        enclose_as(f, place / 2.0, place / 2.0, false, f->middle);
        for (size_t k = 0; k < f->n; k++) {
            const double rounding = width_of(f->middle[k].value);
            f->still[k] = f->still[k] && rounding < LARGEST_VALUE &&
                          width_of(f->ranges[k].value) <= ESTIMATE_MARGIN * rounding;
        }
    }
}

/* Ranges of the features at the ends of the step. */
static void take_ends(Features *f)
{
    for (size_t k = 0; k < f->n; k++) {
        f->low[k] = INFINITY;
        f->high[k] = -INFINITY;
    }
    take_values(f, 0);
    take_values(f, 1);
}

/* Takes the value in f->ranges nearest to zero as the scale for "no change". */
static void take_least(Features *f)
{
    for (size_t k = 0; k < f->n; k++) {
        const Interval value = f->ranges[k].value;
        f->low[k] = f->high[k] = fmax(fmax(value.low, -value.high), 0);
    }
}

/* Ranges of the features inside the step. Returns false if some are not known. */
static bool find_values(Features *f, const OdeArc *arc, size_t most)
{
    StepParts parts;
    StepPart part;

    step_parts_begin(&parts, f->parts.stack, FEATURE_PARTS + 1);
    for (size_t looks = 0; looks < most && step_parts_next(&parts, &part); looks++) {
        if (step_part_is_shortest(arc, &part) || shown(f, part.from, part.to, nothing_hidden))
            continue;
        take_values(f, step_part_middle(&part));
        step_parts_halve(&parts, &part);
    }
    return parts.n == 0;
}

/* Whether a feature is monotone there, or unbounded, as at a pole, which step control detects. */
static bool leads_on(const Range *there)
{
    const Interval value = there->value, rate = there->rate;

    return value.low <= -LARGEST_VALUE || value.high >= LARGEST_VALUE ||
           (there->whole && (rate.low >= 0 || rate.high <= 0));
}

/* Whether a feature may do more in a shortest part than lead from the value before to the next. */
static bool hides(Features *f, double from, double to)
{
    const double reach = to - from;

    enclose_closer(f, from, to);
    enclose(f, from - reach, from - reach, f->middle);
    enclose(f, to + reach, to + reach, f->other);
    for (size_t k = 0; k < f->n; k++) {
        const double a = middle_of(f->middle[k].value), b = middle_of(f->other[k].value);
        const double more = fmax(HIDDEN_MARGIN * (f->high[k] - f->low[k]), least_change(f, k));
        const Interval value = f->ranges[k].value;
        if (!f->still[k] && !leads_on(&f->ranges[k]) &&
            (value.low < fmin(a, b) - more || value.high > fmax(a, b) + more))
            return true;
    }
    return false;
}

/* Divides the step into parts ends[0 .. *ret_n] in which no feature changes much. False: there are
 * too many, or one too short to be divided hides something. *ret_narrow: some part is narrow. */
static bool divide(Features *f, const OdeArc *arc, size_t most, size_t *ret_n, bool *ret_narrow)
{
    StepParts left;
    StepPart part;
    size_t parts = 0;
    bool hidden = false;

    *ret_narrow = false;
    f->parts.ends[0] = 0;
    step_parts_begin(&left, f->parts.stack, most + 1);
    /* bisect until the features change little in each part, or the part cannot be divided */
    while (parts < most && step_parts_next(&left, &part)) {
        if (!shown(f, part.from, part.to, quiet)) {
            if (step_parts_have_room(&left) && !step_part_is_shortest(arc, &part)) {
                step_parts_halve(&left, &part);
                continue;
            }
            hidden = hidden || hides(f, part.from, part.to);
        }
        f->parts.ends[++parts] = part.to;
        *ret_narrow = *ret_narrow || part.to - part.from <= f->narrow;
    }
    *ret_n = parts;
    return left.n == 0 && !hidden;
}

/* The accelerations of the equations at a place, minus those of the step. */
static void take_defect(const Features *f, const OdeArc *arc, double theta, double *ret)
{
    const size_t n = f->n_coordinates;
    const double *vdot = f->look.accelerations(f->look.self, arc, theta);
    for (size_t i = 0; i < n; i++)
        ret[i] = vdot[i] - path_rate(&f->path, 1 + n + i, theta) / arc->h;
}

/* The size in tolerances of the velocities. */
static double size_of(const Features *f, const double *velocities)
{
    double sum = 0;
    for (size_t i = 0; i < f->n_coordinates; i++) {
        const double x = velocities[i] / f->tolerances.told[f->n_coordinates + i];
        sum += x * x;
    }
    return sqrt(sum / (double)f->n_coordinates);
}

/* Adds up the changes between the ends of narrow parts, in tolerances of the velocities.
 * unseen[j] is the sum behind part j. Returns the effect on the velocities over the step. */
static double add_up(Features *f, const OdeArc *arc, size_t parts)
{
    double sum = 0, waiting = 0, at = -1, unseen = 0;

    memset(f->change, 0, f->n_coordinates * sizeof *f->change);
    for (size_t j = 0; j < parts; j++) {
        const double a = f->parts.ends[j], b = f->parts.ends[j + 1], before = unseen;
        const bool narrow = b - a <= f->narrow;
        if (narrow) {
            if (at != a)
                take_defect(f, arc, a, f->before);
            take_defect(f, arc, b, f->here);
            for (size_t i = 0; i < f->n_coordinates; i++)
                f->change[i] += f->here[i] - f->before[i];
            memcpy(f->before, f->here, f->n_coordinates * sizeof *f->before);
            at = b;
            unseen = size_of(f, f->change);
        }
        f->parts.unseen[j] = unseen;
        /* a difference that stays until the end of the step is seen there */
        waiting += fmax(before, unseen) * (b - a) * fabs(arc->h);
        if (narrow) {
            sum += waiting;
            waiting = 0;
        }
    }
    return sum;
}

/* The first narrow part in which the unseen change begins. */
static size_t first_unseen(const Features *f, size_t parts)
{
    double most = 0;
    for (size_t j = 0; j < parts; j++)
        most = fmax(most, f->parts.unseen[j]);
    for (size_t j = 0; j < parts; j++)
        if (f->parts.ends[j + 1] - f->parts.ends[j] <= f->narrow &&
            !(f->parts.unseen[j] < NEGLIGIBLE_PART * most))
            return j;
    return 0;
}

bool features_may_pass(Features *f, const OdeArc *arc)
{
    size_t parts;
    bool narrow;

    if (!f->by_place)
        return true;
    path_follow_ends(&f->path, f->n_coordinates, f->look.state, f->look.at_end, f->look.self, arc);
    f->narrow = NARROW_FRACTION * arc->gap;
    memset(f->still, 0, f->n * sizeof *f->still);
    enclose(f, 0, 1, f->ranges);
    take_least(f);
    if (quiet(f))
        return false;
    take_ends(f);
    return !find_values(f, arc, CUBIC_PARTS) || !divide(f, arc, CUBIC_PARTS, &parts, &narrow) ||
           narrow;
}

/* Divides the step into *ret_parts, some narrow (*ret_narrow). False: not all, or too many. */
static bool look_closely(Features *f, const OdeArc *arc, size_t *ret_parts, bool *ret_narrow)
{
    *ret_parts = 0;
    *ret_narrow = false;
    take_ends(f);
    enclose(f, 0, 1, f->ranges);
    find_still(f);
    if (quiet(f))
        return true;
    const bool known = find_values(f, arc, MOST_LOOKS);
    return divide(f, arc, FEATURE_PARTS, ret_parts, ret_narrow) && known;
}

/* The largest value of a coordinate or velocity of the same kind on the step. */
static double size_of_kind(const Features *f, size_t i)
{
    const size_t n = f->n_coordinates, first = 1 + i - i % n;
    double size = 0;
    for (size_t j = 0; j < n; j++)
        if (f->kinds[j] == f->kinds[i % n])
            size = fmax(size, path_size(&f->path, first + j));
    return size;
}

/* Whether a velocity does not move its coordinate. If all velocities of a kind are rounding,
 * they have no other size. */
static bool is_still(const Features *f, const OdeArc *arc, size_t i)
{
    const size_t n = f->n_coordinates;
    return i >= n &&
           path_size(&f->path, 1 + i) * fabs(arc->h) <= ACCURACY_COMPUTED * size_of_kind(f, i - n);
}

/* Components that are rounding noise, or within the error of the method, count as at rest:
 * functions of them have no features. Returns false if the motion does not determine this. */
static bool leave_out_noise(Features *f, const OdeArc *arc)
{
    const size_t n = f->n_coordinates;
    bool told = true;

    f->look.tolerances(f->look.self, arc, f->tolerances.told, f->tolerances.resting,
                       f->tolerances.noise);
    for (size_t i = 0; i < 2 * n; i++) {
        const double way = f->path.used[1 + i] ? path_way(&f->path, 1 + i) : INFINITY;
        if (!(way <= f->tolerances.resting[i] + f->tolerances.noise[i]))
            continue;
        told = told && (way <= f->tolerances.resting[i] ||
                        way <= ROUNDING_LIMIT * size_of_kind(f, i) || is_still(f, arc, i));
        path_rest(&f->path, 1 + i);
    }
    for (size_t i = n; i < 2 * n; i++)
        f->tolerances.told[i] = fmax(f->tolerances.told[i], f->rtol * path_size(&f->path, 1 + i));
    return told;
}

/* Divides a step: *ret_parts, whether some are narrow, and (returned) whether all are known. */
static bool find_narrow(Features *f, const OdeArc *arc, size_t *ret_parts, bool *ret_narrow)
{
    f->narrow = NARROW_FRACTION * arc->gap;
    path_follow(&f->path, f->look.state, f->look.self, arc);
    const bool known = look_closely(f, arc, ret_parts, ret_narrow);

    if (known && !*ret_narrow)
        return known;
    const bool told = leave_out_noise(f, arc);
    return look_closely(f, arc, ret_parts, ret_narrow) && told;
}

size_t features_divide(Features *f, const OdeArc *arc, const double **ret_ends, bool *ret_known)
{
    size_t parts;
    bool narrow;

    *ret_known = find_narrow(f, arc, &parts, &narrow);
    if (!narrow || parts == 0) {
        parts = 1;
        f->parts.ends[0] = 0;
    }
    f->parts.ends[parts] = 1;
    *ret_ends = f->parts.ends;
    return parts;
}

bool features_passed(Features *f, const OdeArc *arc, double *ret_from, double *ret_length)
{
    size_t parts;
    bool narrow;

    /* divide the step; count it if the division is not complete */
    const bool known = find_narrow(f, arc, &parts, &narrow);
    if (known && !narrow)
        return false;
    if (!known && f->undecided++ == 0)
        f->undecided_t = arc->t;
    if (!narrow)
        return false;
    /* compare the accelerations at narrow parts */
    memset(f->parts.unseen, 0, (FEATURE_PARTS + 1) * sizeof *f->parts.unseen);
    if (f->look.accelerations && add_up(f, arc, parts) <= MATTERING_TOLERANCES)
        return false;
    /* the next step begins before the first narrow part and is a few of its lengths long */
    const size_t j = first_unseen(f, parts);
    const double length = f->parts.ends[j + 1] - f->parts.ends[j];
    f->found++;
    *ret_length = STEP_LENGTHS * length;
    *ret_from = fmax(0, f->parts.ends[j] - LEAD_LENGTHS * length);
    return true;
}
