/* For each guard and each of t, q, v a logarithmic grid and bisection find the values at which the
 * guard changes sign. States are drawn at random distances from these, from 1e-9 of them on. */
#include "core/invariants/proof.h"

#include <math.h>
#include <string.h>

#include "core/expr/interval/sharp.h"
#include "core/invariants/generator.h"
#include "core/program/function.h"

/* The grid of a symbol around the state of a motion: points of a decade, its first and last
 * decade of the symbol's size, and halvings, which resolve a double. Conventions. */
enum { PER_DECADE = 4, FIRST_DECADE = -3, LAST_DECADE = 16, HALVINGS = 60 };
/* States that are drawn at a time. Convention. */
enum { STATES = 2 };
/* The closest distance to a root relative to it, as a power of ten; and the half width of the
 * range drawn there relative to the distance, below 1 so that it does not contain the root.
 * Conventions. */
static const double CLOSEST_EXPONENT = -9, RANGE_FRACTION = 0.25;

static double guard_at(Function *f, size_t guard, size_t symbol, double value, double *values)
{
    const double before = f->in[symbol];

    f->in[symbol] = value;
    function_eval_at(f, f->in, values);
    f->in[symbol] = before;
    return values[guard];
}

static bool differ(double a, double b)
{
    return isfinite(a) && isfinite(b) && (a > 0) != (b > 0);
}

/* The root between two values at which the guard differs in sign. */
static void add_root(Beyond *b, Function *f, size_t guard, size_t symbol, double from, double to,
                     double *values)
{
    double *roots = b->roots + symbol * BEYOND_ROOTS;
    const double side = guard_at(f, guard, symbol, from, values);

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = from + (to - from) / 2;
        if (differ(side, guard_at(f, guard, symbol, middle, values)))
            to = middle;
        else
            from = middle;
    }
    /* another guard may have the same root */
    for (size_t k = 0; k < b->counts[symbol]; k++)
        if (roots[k] == to)
            return;
    if (b->counts[symbol] < BEYOND_ROOTS) {
        roots[b->counts[symbol]++] = to;
        b->any = true;
    }
}

static Status look_along(Beyond *b, Function *f, size_t n_guards, size_t symbol, double *values,
                         Error *err)
{
    const double base = b->base[symbol];

    /* for each guard and direction, the sign changes from one point of the grid to the next */
    for (size_t g = 0; g < n_guards; g++) {
        for (int side = -1; side <= 1; side += 2) {
            double before = base, value = guard_at(f, g, symbol, base, values);
            for (int k = PER_DECADE * FIRST_DECADE; k <= PER_DECADE * LAST_DECADE; k++) {
                const double next =
                    base + side * b->sizes[symbol] * pow(10, (double)k / PER_DECADE);
                const double there = guard_at(f, g, symbol, next, values);
                if (differ(value, there))
                    add_root(b, f, g, symbol, before, next, values);
                before = next;
                value = there;
            }
        }
    }
    return analysis_poll(b->context, err);
}

static void take_base(Beyond *b)
{
    const AnalysisContext *context = b->context;
    const StateRange *range = &context->range;
    const size_t n = context->model->n;

    b->base[0] = range->t_from;
    b->sizes[0] = analysis_time(context);
    for (size_t i = 0; i < n; i++) {
        b->base[1 + i] = range->centre[i];
        b->sizes[1 + i] = range->size[i];
        b->base[1 + n + i] = context->v0[i];
        b->sizes[1 + n + i] = range->speed[i];
    }
}

Status beyond_init(Beyond *b, const AnalysisContext *context, const Expr *terms, size_t n_terms,
                   Arena *arena, Error *err)
{
    const size_t n = 1 + 2 * context->model->n;
    ExprPool *pool = context->pool;
    Expr *guards = ARENA_NEW(arena, MAX_CORNER_GUARDS, Expr);
    double *values = arena_doubles(arena, MAX_CORNER_GUARDS);
    Program *program = NULL;
    Function f = {0};
    size_t n_guards = 0;

    *b = (Beyond){.context = context,
                  .n = n,
                  .base = arena_doubles(arena, n),
                  .sizes = arena_doubles(arena, n),
                  .roots = arena_doubles(arena, n * BEYOND_ROOTS),
                  .counts = ARENA_NEW(arena, n, size_t)};
    Status status = arena_status(arena, err);
    if (status == OK)
        status = sharp_corners(pool, terms, n_terms, (uint32_t)n, guards, MAX_CORNER_GUARDS,
                               &n_guards, err);
    if (status != OK || n_guards == 0)
        return status;
    n_guards = n_guards < MAX_CORNER_GUARDS ? n_guards : MAX_CORNER_GUARDS;
    take_base(b);
    status = analysis_compile(context->model, pool,
                              &(AnalysisOutputs){.exprs = guards, .n = n_guards}, &program, err);
    if (status == OK)
        status = function_bind(&f, program, context->params, 1, err);
    if (status == OK) {
        memset(f.in, 0, analysis_n_inputs(context->model) * sizeof *f.in);
        memcpy(f.in, b->base, n * sizeof *b->base);
    }
    /* along each symbol by itself, however far away its corners are */
    for (size_t k = 0; status == OK && k < n; k++)
        status = look_along(b, &f, n_guards, k, values, err);
    function_done(&f);
    program_free(program);
    return status;
}

/* A value close to a root of the symbol, and the half width there; false: unchanged. */
static bool draw_value(const Beyond *b, size_t symbol, Random *random, double *ret_value,
                       double *ret_width)
{
    const uint64_t pick = random_bits(random) % (b->counts[symbol] + 1);
    const double close = random_uniform(random, CLOSEST_EXPONENT, 0);
    const double side = random_uniform(random, -1, 1) < 0 ? -1 : 1;

    if (pick == b->counts[symbol])
        return false;
    const double root = b->roots[symbol * BEYOND_ROOTS + pick];
    *ret_width = (root == 0 ? b->sizes[symbol] : fabs(root)) * pow(10, close);
    *ret_value = root + side * *ret_width;
    *ret_width *= RANGE_FRACTION;
    return true;
}

Status beyond_draw(const Beyond *b, uint64_t seed, Arena *arena, const Trajectory **ret, Error *err)
{
    const size_t n = b->context->model->n;
    const StateRange *range = &b->context->range;
    double *centre = arena_doubles(arena, n), *width = arena_doubles(arena, n),
           *speed = arena_doubles(arena, n), value, half;
    AnalysisContext far = *b->context;
    Random random;
    Status status = arena_status(arena, err);
    if (status != OK)
        return status;

    random_init(&random, seed);
    far.arena = arena;
    /* each symbol close to one of its roots, or unchanged */
    if (draw_value(b, 0, &random, &value, &half)) {
        far.range.t_from = value - half;
        far.range.t_to = value + half;
    }
    for (size_t i = 0; i < n; i++) {
        centre[i] = range->centre[i];
        width[i] = range->width[i];
        (void)draw_value(b, 1 + i, &random, &centre[i], &width[i]);
        speed[i] = range->speed[i];
        if (draw_value(b, 1 + n + i, &random, &value, &half))
            speed[i] = fmax(speed[i], 2 * fabs(value)); /* a deviation: on both sides of the root */
    }
    far.range.centre = centre;
    far.range.width = width;
    far.range.speed = speed;
    status = analysis_make_states(&far, STATES, seed, err);
    *ret = far.states;
    return status;
}
