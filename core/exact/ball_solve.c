/* Solutions of equations, proved to be in balls.
 *
 * If there are more unknowns than equations, elimination with complete pivoting chooses as many
 * unknowns as equations; the others keep their values. A linear system is solved in balls. A
 * nonlinear one is solved by Newton's method at the midpoints. Then the interval Newton operator
 * N = y - J(Y)^-1 g(y) on a small box Y around y proves that there is a solution in N, if N is
 * inside Y (R. E. Moore, R. Krawczyk). */
#include <math.h>

#include "core/exact/ball.h"
#include "core/exact/guard.h"

enum { NEWTON_STEPS = 24, WIDER = 3 };

/* A stage's equations restricted to the unknowns that are solved for. */
typedef struct Square {
    Balls *b;
    const StepStage *stage;
    uint32_t level;
    size_t m, n;
    size_t *columns; /* m of n */
    arb_mat_t J, g, x;
    Arena memory;
} Square;

/* The Jacobian's midpoints, each row scaled to size one; false if a row is zero or not finite. */
static bool scaled_middle(const Square *q, double *a)
{
    for (size_t i = 0; i < q->m; i++) {
        mag_t largest, one;
        fmpz_t shift;
        mag_init(largest);
        mag_init(one);
        fmpz_init(shift);
        /* the size of the row, as a power of two */
        for (size_t j = 0; j < q->n; j++) {
            arb_get_mag(one, q->b->value + q->stage->jacobian[i * q->n + j]);
            mag_max(largest, largest, one);
        }
        const bool sized = !mag_is_special(largest);
        fmpz_neg(shift, MAG_EXPREF(largest));
        for (size_t j = 0; sized && j < q->n; j++) {
            arf_t middle;
            arf_init(middle);
            arf_mul_2exp_fmpz(middle, arb_midref(q->b->value + q->stage->jacobian[i * q->n + j]),
                              shift);
            a[i * q->n + j] = arf_get_d(middle, ARF_RND_NEAR);
            arf_clear(middle);
        }
        mag_clear(largest);
        mag_clear(one);
        fmpz_clear(shift);
        if (!sized)
            return false;
    }
    return true;
}

/* The largest entry of rows k .. in columns without a pivot; 0 if all vanish. */
static double largest_entry(const Square *q, const double *a, const bool *used, size_t k,
                            size_t *ret_row, size_t *ret_column)
{
    double largest = 0;

    for (size_t i = k; i < q->m; i++)
        for (size_t j = 0; j < q->n; j++)
            if (!used[j] && fabs(a[i * q->n + j]) > largest) {
                largest = fabs(a[i * q->n + j]);
                *ret_row = i;
                *ret_column = j;
            }
    return largest;
}

static bool choose_columns(const Square *q, double *a, bool *used)
{
    const size_t n = q->n;

    for (size_t k = 0; k < q->m; k++) {
        size_t row = k, column = 0;
        if (!(largest_entry(q, a, used, k, &row, &column) > 0))
            return false;
        used[column] = true;
        q->columns[k] = column;
        /* move the pivot's row to k and eliminate below */
        for (size_t j = 0; j < n; j++) {
            const double keep = a[k * n + j];
            a[k * n + j] = a[row * n + j];
            a[row * n + j] = keep;
        }
        for (size_t i = k + 1; i < q->m; i++) {
            const double factor = a[i * n + column] / a[k * n + column];
            for (size_t j = 0; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

/* Chooses columns; takes all of them if there are as many as equations. */
static bool find_columns(Square *q)
{
    for (size_t k = 0; k < q->m; k++)
        q->columns[k] = k;
    if (q->m == q->n)
        return true;
    if (q->m > q->n)
        return false;
    double *a = arena_doubles(&q->memory, q->m * q->n);
    bool *used = ARENA_NEW(&q->memory, q->n, bool);
    return a && used && scaled_middle(q, a) && choose_columns(q, a, used);
}

static arb_ptr unknown(const Square *q, size_t column)
{
    const uint32_t slot = q->stage->unknowns[column];
    return slot == SLOT_NONE ? NULL : q->b->value + slot;
}

static void load(const Square *q)
{
    for (size_t i = 0; i < q->m; i++) {
        arb_set(arb_mat_entry(q->g, (slong)i, 0), q->b->value + q->stage->equations[i]);
        for (size_t k = 0; k < q->m; k++)
            arb_set(arb_mat_entry(q->J, (slong)i, (slong)k),
                    q->b->value + q->stage->jacobian[i * q->n + q->columns[k]]);
    }
}

static bool solve_linear(Square *q)
{
    const bool from_zero = q->stage->stage->from_zero;

    if (!from_zero)
        balls_evaluate(q->b, q->level);
    load(q);
    /* written at zero unknowns: move the equations to the unknowns' values */
    for (size_t j = 0; from_zero && j < q->n; j++)
        for (size_t i = 0; unknown(q, j) && i < q->m; i++)
            arb_addmul(arb_mat_entry(q->g, (slong)i, 0),
                       q->b->value + q->stage->jacobian[i * q->n + j], unknown(q, j), q->b->bits);
    if (!balls_linear(q->b, q->x, q->J, q->g))
        return false;
    for (size_t k = 0; k < q->m; k++)
        if (unknown(q, q->columns[k]))
            arb_sub(unknown(q, q->columns[k]), unknown(q, q->columns[k]),
                    arb_mat_entry(q->x, (slong)k, 0), q->b->bits);
    return true;
}

/* The largest magnitude in a column. */
static void largest_of(const arb_mat_t column, mag_t ret)
{
    mag_t one;

    mag_init(one);
    mag_zero(ret);
    for (slong k = 0; k < arb_mat_nrows(column); k++) {
        arb_get_mag(one, arb_mat_entry(column, k, 0));
        mag_max(ret, ret, one);
    }
    mag_clear(one);
}

/* One step of Newton's method at the midpoints; false if the system is singular. */
static bool newton_step(Square *q)
{
    balls_evaluate(q->b, q->level);
    load(q);
    if (!balls_linear(q->b, q->x, q->J, q->g))
        return false;
    for (size_t k = 0; k < q->m; k++) {
        arb_ptr y = unknown(q, q->columns[k]);
        arb_sub(y, y, arb_mat_entry(q->x, (slong)k, 0), q->b->bits);
        arb_get_mid_arb(y, y);
        if (!arb_is_finite(y))
            return false;
    }
    return true;
}

/* Repeats Newton steps until they no longer shrink. */
static bool newton(Square *q)
{
    mag_t last, now;
    bool goes = true, shrinks = true;

    mag_init(last);
    mag_init(now);
    mag_inf(last);
    for (size_t k = 0; goes && shrinks && k < NEWTON_STEPS; k++) {
        goes = newton_step(q);
        largest_of(q->x, now);
        shrinks = k < 4 || mag_cmp(now, last) < 0;
        shrinks = shrinks && !mag_is_zero(now);
        mag_set(last, now);
    }
    mag_clear(last);
    mag_clear(now);
    return goes;
}

/* Whether the operator maps the box y +- size into itself. Then the unknowns become its result.
 * size becomes the result's distance from y. */
static bool prove(Square *q, mag_t size, arb_srcptr y)
{
    /* the equations at y */
    for (size_t k = 0; k < q->m; k++)
        arb_set(unknown(q, q->columns[k]), y + k);
    balls_evaluate(q->b, q->level);
    for (size_t i = 0; i < q->m; i++)
        arb_set(arb_mat_entry(q->g, (slong)i, 0), q->b->value + q->stage->equations[i]);
    /* the Jacobian on the box */
    for (size_t k = 0; k < q->m; k++)
        arb_add_error_mag(unknown(q, q->columns[k]), size);
    balls_evaluate(q->b, q->level);
    for (size_t i = 0; i < q->m; i++)
        for (size_t k = 0; k < q->m; k++)
            arb_set(arb_mat_entry(q->J, (slong)i, (slong)k),
                    q->b->value + q->stage->jacobian[i * q->n + q->columns[k]]);
    /* the operator's result, if it is inside the box */
    mag_t moved;
    mag_init(moved);
    mag_inf(moved);
    if (balls_linear(q->b, q->x, q->J, q->g))
        largest_of(q->x, moved);
    const bool inside = mag_cmp(moved, size) < 0;
    for (size_t k = 0; inside && k < q->m; k++)
        arb_sub(unknown(q, q->columns[k]), y + k, arb_mat_entry(q->x, (slong)k, 0), q->b->bits);
    mag_set(size, moved);
    mag_clear(moved);
    return inside;
}

/* Tries a box of this size, then wider ones, in case numbers of the equations are balls, too. */
static bool prove_near(Square *q, mag_t size, arb_srcptr y)
{
    bool proved = prove(q, size, y);

    for (size_t k = 0; k < WIDER && !proved && mag_is_finite(size); k++) {
        mag_mul_2exp_si(size, size, 2);
        proved = prove(q, size, y);
    }
    return proved;
}

/* Tries a box that is small relative to the largest unknown, then one of a small absolute size. */
static bool prove_somewhere(Square *q, arb_srcptr y)
{
    mag_t size, one;

    mag_init(size);
    mag_init(one);
    for (size_t k = 0; k < q->m; k++) {
        arb_get_mag(one, y + k);
        mag_max(size, size, one);
    }
    mag_mul_2exp_si(size, size, -q->b->bits / 2);
    bool proved = prove_near(q, size, y);
    mag_set_ui_2exp_si(size, 1, -q->b->bits / 2);
    proved = proved || prove_near(q, size, y);
    mag_clear(size);
    mag_clear(one);
    return proved;
}

static bool solve_other(Square *q)
{
    for (size_t k = 0; k < q->m; k++)
        if (!unknown(q, q->columns[k]))
            return false;
    if (!newton(q))
        return false;
    arb_ptr y = _arb_vec_init((slong)q->m);
    for (size_t k = 0; k < q->m; k++)
        arb_set(y + k, unknown(q, q->columns[k]));
    const bool proved = prove_somewhere(q, y);
    _arb_vec_clear(y, (slong)q->m);
    return proved;
}

/* Encloses the unknowns of a stage at a solution of its equations near their present values; false
 * if none is proved. Steps of lower levels have their values. */
static bool solve_stage(Balls *b, size_t stage)
{
    const StepStage *own = &b->steps->stages[stage];
    if (!own->used)
        return true;
    Square q = {.b = b,
                .stage = own,
                .level = (uint32_t)stage + 1,
                .m = own->stage->n_equations,
                .n = own->stage->n_unknowns};
    q.columns = arena_sizes(&q.memory, q.m);
    if (!q.columns)
        return false;
    arb_mat_init(q.J, (slong)q.m, (slong)q.m);
    arb_mat_init(q.g, (slong)q.m, 1);
    arb_mat_init(q.x, (slong)q.m, 1);
    /* the Jacobian of a nonlinear stage is taken at the start of the unknowns */
    if (!own->stage->linear)
        balls_evaluate(b, q.level);
    const bool solved =
        find_columns(&q) && (own->stage->linear ? solve_linear(&q) : solve_other(&q));
    arb_mat_clear(q.J);
    arb_mat_clear(q.g);
    arb_mat_clear(q.x);
    arena_done(&q.memory);
    return solved;
}

/* Symbols without a value get that of symbols[n], unknowns too; others are indeterminate. */
static void set_symbols(const Balls *b, const double *symbols, size_t n)
{
    for (size_t i = 0; i < b->steps->n; i++) {
        const Step *step = &b->steps->step[i];
        if (step->op != EXPR_SYMBOL)
            continue;
        if (step->known)
            arb_set(b->value + i, b->numbers + step->number);
        else if (b->steps->symbols[i] < n)
            arb_set_d(b->value + i, symbols[b->steps->symbols[i]]);
        else
            arb_indeterminate(b->value + i);
    }
}

Status balls_place(Balls *b, const ExactProblem *problem, const double *symbols, bool *ret_placed,
                   Error *err)
{
    Status status = OK;

    set_symbols(b, symbols, problem->n_symbols);
    *ret_placed = true;
    for (uint32_t level = 0; status == OK && *ret_placed && level <= b->steps->n_stages; level++) {
        *ret_placed = level == 0 || solve_stage(b, level - 1);
        if (*ret_placed)
            balls_evaluate(b, level);
        status = problem->poll ? problem->poll(problem->self, err) : OK;
    }
    return status;
}

static Status ask_in(const BallQuestion *q, const Steps *steps, slong bits, bool *ret_answered,
                     Error *err)
{
    Balls balls;
    bool placed;

    balls_init(&balls, steps, bits);
    Status status = balls_place(&balls, q->problem, q->problem->symbols, &placed, err);
    if (status == OK)
        status = q->answer(q->self, &balls, placed, ret_answered, err);
    balls_done(&balls);
    return status;
}

static Status ask(void *self, Error *err)
{
    const BallQuestion *q = self;
    Steps steps = {0};
    Status status = steps_init(&steps, q->problem, false, err);
    bool over = steps.why != NULL, answered = false;

    if (over && q->why)
        *q->why = steps.why;
    for (slong bits = q->bits; status == OK && !over; bits *= 4) {
        const slong own = bits < q->most_bits ? bits : q->most_bits;
        status = ask_in(q, &steps, own, &answered, err);
        over = answered || own == q->most_bits;
    }
    steps_done(&steps);
    return status;
}

Status balls_ask(const BallQuestion *question, Error *err)
{
    BallQuestion own = *question;
    return guard_call(ask, &own, err);
}
