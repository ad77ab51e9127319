/* No multipliers at all: an exact proof that no section is strongly consistent.
 *
 * If a motion of Lagrange-d'Alembert is vakonomic, its multipliers satisfy
 *
 *     A^T (mudot - lambda) + mu_a C_a = 0
 *
 * all along. On the dependent coordinates this gives mudot = lambda - S mu, on the others it leaves
 * linear equations a mu + b = 0, first with b = 0, and with these their rates
 *
 *     (Gamma(a) - a S) mu + Gamma(b) + a lambda = 0
 *
 * again and again. A state at which these equations contradict each other lies on no vakonomic
 * motion. */
#include <string.h>

#include "core/invariants/consistency/study.h"
#include "core/invariants/proof.h"
#include "core/invariants/search/augmented.h"
#include "core/model/rates.h"

/* States at which the equations are tested; how often they are differentiated; and the most
 * equations, which bounds the size of the expressions. Conventions. */
enum { MAX_TRIED_STATES = 3, MAX_RATES = 3, MAX_EQUATIONS = 60 };

typedef struct Contradiction {
    const SectionProblem *problem;
    size_t n, r, m;      /* m: coordinates that are not dependent */
    size_t rows, most;   /* of entries */
    Expr *S;             /* r x r: [b][a] */
    Expr *entries;       /* [most][r + 1]: a, b */
    Expr *unknowns;      /* n + r: vdot, lambda of the constraints in use */
    Expr *accelerations; /* the same as functions of t, q, v */
    double *values;      /* [n_states][most][r + 1] */
    Arena scratch;       /* owns the arrays */
} Contradiction;

static Status contradiction_init(Contradiction *x, const SectionProblem *c, Error *err)
{
    const size_t n = c->n, r = c->r, m = n - r, states = c->context->states->n_states;
    const size_t most = (MAX_RATES + 1) * m < MAX_EQUATIONS ? (MAX_RATES + 1) * m : MAX_EQUATIONS;

    *x = (Contradiction){.problem = c, .n = n, .r = r, .m = m, .most = most};
    x->S = ARENA_NEW(&x->scratch, r * r, Expr);
    x->entries = ARENA_NEW(&x->scratch, most * (r + 1), Expr);
    x->unknowns = ARENA_NEW(&x->scratch, 2 * (n + r), Expr);
    x->accelerations = x->unknowns + n + r;
    x->values = arena_doubles(&x->scratch, states * most * (r + 1));
    return arena_status(&x->scratch, err);
}

/* A^T S = C on the dependent coordinates. */
static Status solve_dependent(Contradiction *x, Error *err)
{
    const SectionProblem *c = x->problem;
    const size_t n = x->n, r = x->r, *dependent = c->context->dependent;
    Expr *system = ARENA_NEW(&x->scratch, r * r + 2 * r, Expr);
    Expr *right = system + r * r, *column = right + r;
    if (!system)
        return arena_status(&x->scratch, err);

    /* factorize the dependent columns once */
    for (size_t i = 0; i < r; i++)
        for (size_t b = 0; b < r; b++)
            system[i * r + b] = c->A[b * n + dependent[i]];
    const Expr factored = expr_factor(c->pool, r, system);
    for (size_t a = 0; a < r; a++) {
        for (size_t i = 0; i < r; i++)
            right[i] = c->curl[a * n + dependent[i]];
        expr_solve(c->pool, factored, r, right, column);
        for (size_t b = 0; b < r; b++)
            x->S[b * r + a] = column[b];
    }
    return expr_pool_status(c->pool, err);
}

/* a = C - A^T S on the other coordinates, b = 0. */
static void fill_conditions(Contradiction *x)
{
    const SectionProblem *c = x->problem;
    const size_t n = x->n, r = x->r;

    for (size_t i = 0; i < n; i++) {
        if (sizes_contain(c->context->dependent, r, i))
            continue;
        Expr *row = x->entries + x->rows++ * (r + 1);
        for (size_t a = 0; a < r; a++) {
            row[a] = c->curl[a * n + i];
            for (size_t b = 0; b < r; b++)
                row[a] =
                    expr_sub(c->pool, row[a], expr_mul(c->pool, c->A[b * n + i], x->S[b * r + a]));
        }
        row[r] = expr_const(c->pool, 0);
    }
}

static Status solve_motion(Contradiction *x, Error *err)
{
    const SectionProblem *c = x->problem;
    const size_t size = x->n + x->r;
    Expr *right = ARENA_NEW(&x->scratch, size, Expr);
    MotionEquations equations;
    Status status = motion_equations_init(&equations, c->context, &x->scratch, err);
    if (status == OK)
        status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    /* the last stage is linear: its Jacobian, and its residual at zero */
    const ExactStage *stage = &equations.stages[2];
    for (size_t k = 0; k < size; k++)
        right[k] = expr_neg(c->pool, stage->equations[k]);
    memcpy(x->unknowns, stage->unknowns, size * sizeof *right);
    expr_solve(c->pool, expr_factor(c->pool, size, stage->jacobian), size, right, x->accelerations);
    return expr_pool_status(c->pool, err);
}

/* Adds the rates of the last m rows. */
static Status add_rates(Contradiction *x, Error *err)
{
    const SectionProblem *c = x->problem;
    const size_t r = x->r, width = r + 1, count = x->m * width;
    Expr *last = x->entries + (x->rows - x->m) * width, *next = x->entries + x->rows * width;
    Expr *known = ARENA_NEW(&x->scratch, count, Expr);
    if (!known)
        return arena_status(&x->scratch, err);

    /* substitute the accelerations, so that the rows depend on t, q, v alone */
    expr_substitute(c->pool, last, count, x->unknowns, x->accelerations, x->n + r, known);
    rates_total(c->pool, c->context->model, known, count, next);
    /* rows of (Gamma(a) - a S) mu + Gamma(b) + a lambda = 0 */
    for (size_t i = 0; i < x->m; i++) {
        const Expr *a = last + i * width;
        Expr *rate = next + i * width;
        for (size_t k = 0; k < r; k++) {
            const Expr lambda = c->context->model->sym.lambda[c->context->rows[k]];
            rate[r] = expr_add(c->pool, rate[r], expr_mul(c->pool, a[k], lambda));
            for (size_t b = 0; b < r; b++)
                rate[k] = expr_sub(c->pool, rate[k], expr_mul(c->pool, a[b], x->S[b * r + k]));
        }
    }
    x->rows += x->m;
    return expr_pool_status(c->pool, err);
}

static Status find(Contradiction *x, Verdict *verdict, Error *err)
{
    const SectionProblem *c = x->problem;
    const Trajectory *states = c->context->states;
    const size_t count = x->rows * (x->r + 1);
    Augmented rows = {
        .context = c->context, .rows = x->rows, .columns = x->r, .entries = x->entries};
    Status status = analysis_evaluate(c->context, x->entries, count, states, x->values, err);

    for (size_t k = 0; status == OK && k < states->n_states && k < MAX_TRIED_STATES &&
                       verdict->predicted != PREDICTED_NO;
         k++) {
        rows.values = x->values + k * count;
        status = augmented_refute(&rows, verdict, err);
    }
    return status;
}

static Status contradict(Contradiction *x, Verdict *verdict, Error *err)
{
    Status status = solve_dependent(x, err);

    if (status == OK)
        status = solve_motion(x, err);
    if (status == OK && x->m <= x->most)
        fill_conditions(x);
    while (status == OK && x->rows > 0 && x->rows + x->m <= x->most &&
           verdict->predicted != PREDICTED_NO) {
        status = add_rates(x, err);
        if (status == OK)
            status = find(x, verdict, err);
    }
    return status;
}

Status study_contradict(Study *s, Error *err)
{
    AnalysisContext context = s->context; /* with its own pool, which may become full */
    SectionProblem own = s->problem;
    Contradiction x;
    Error failure = {0};

    s->contradiction = (Verdict){.predicted = PREDICTED_UNDECIDED};
    if (!context.dependent || own.n == own.r)
        return OK;
    context.pool = expr_pool_clone(s->context.pool);
    if (!context.pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    own.context = &context;
    own.pool = context.pool;
    /* a limit leaves the question open */
    Status status = contradiction_init(&x, &own, &failure);
    if (status == OK)
        status = contradict(&x, &s->contradiction, &failure);
    arena_done(&x.scratch);
    expr_pool_free(own.pool);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
