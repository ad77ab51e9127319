/* The options of a formulation at a state; dependent coordinates by complete pivoting on the rows
 * of A. */
#include "core/motion/choice.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/kinds.h"
#include "core/model/watch_limits.h"
#include "core/numeric/vectors.h"

static const char DEPENDENT_CONSTRAINTS[] = "the constraints are dependent at this state";

typedef struct Pivot {
    size_t row, column;
    double size;
} Pivot;

/* Ratio beyond which an entry counts as larger. Entries that differ by rounding are equal, and the
 * first of them is taken. A convention. */
static const double LARGER_ENTRY_RATIO = 1 + 1e-9;

/* The largest entry of a[rows x n] outside rows and columns that are done. */
static Pivot largest_entry(const double *a, size_t rows, size_t n, const bool *row_done,
                           const bool *column_done)
{
    Pivot best = {0, 0, 0};

    for (size_t k = 0; k < rows; k++)
        for (size_t i = 0; i < n; i++)
            if (!row_done[k] && !column_done[i] &&
                fabs(a[k * n + i]) > LARGER_ENTRY_RATIO * best.size)
                best = (Pivot){k, i, fabs(a[k * n + i])};
    return best;
}

static void eliminate(double *a, size_t rows, size_t n, const bool *row_done, Pivot pivot)
{
    for (size_t k = 0; k < rows; k++) {
        if (row_done[k] || k == pivot.row)
            continue;
        double factor = a[k * n + pivot.column] / a[pivot.row * n + pivot.column];
        for (size_t i = 0; i < n; i++)
            a[k * n + i] -= factor * a[pivot.row * n + i];
    }
}

/* Conditions on the choice, by coordinate. */
typedef struct Wish {
    bool *excluded;
    unsigned *rank; /* coordinates of higher rank are taken first */
} Wish;

/* The highest rank below `limit` that a column has. */
static bool next_rank(const unsigned *rank, size_t n, uint64_t limit, uint64_t *ret_rank)
{
    bool found = false;

    for (size_t i = 0; i < n; i++) {
        if (rank[i] < limit && (!found || rank[i] > *ret_rank)) {
            *ret_rank = rank[i];
            found = true;
        }
    }
    return found;
}

/* Complete pivoting with the remaining entries above `least`; returns the number of columns. */
static size_t take_columns(double *a, size_t rows, size_t n, bool *row_done, bool *chosen,
                           bool *column_done, double least)
{
    size_t count = 0;

    for (size_t k = 0; k < rows; k++) {
        Pivot pivot = largest_entry(a, rows, n, row_done, column_done);
        if (!(pivot.size > least))
            break;
        eliminate(a, rows, n, row_done, pivot);
        row_done[pivot.row] = column_done[pivot.column] = chosen[pivot.column] = true;
        count++;
    }
    return count;
}

/* Chooses columns by complete pivoting on the normalized rows of A in use: of each rank, the
 * velocities that the constraints determine best. False if there are too few. */
static bool choose_columns(double *a, size_t rows, size_t n, const Wish *wish, bool *row_done,
                           bool *chosen)
{
    bool *column_done = chosen + n;
    size_t count = 0;
    uint64_t rank = 0, limit = UINT64_MAX;

    for (size_t k = 0; k < rows; k++) {
        double norm = vector_largest(a + k * n, n);
        for (size_t i = 0; i < n && norm > 0; i++)
            a[k * n + i] /= norm;
    }
    while (count < rows && next_rank(wish->rank, n, limit, &rank)) {
        for (size_t i = 0; i < n; i++)
            column_done[i] = chosen[i] || wish->excluded[i] || wish->rank[i] < rank;
        /* a preferred column must not be ill-conditioned */
        count += take_columns(a, rows, n, row_done, chosen, column_done, rank > 0 ? 1e-3 : 1e-10);
        limit = rank;
    }
    /* columns with poor pivots at their rank may still be needed */
    for (size_t i = 0; i < n; i++)
        column_done[i] = chosen[i] || wish->excluded[i];
    count += take_columns(a, rows, n, row_done, chosen, column_done, 1e-10);
    return count == rows;
}

/* The unit in which the row moves coordinate i as much as other kinds in theirs; 0: none. */
static double lent_unit(const Model *model, const double *row, const double *units, size_t i)
{
    double reach = 0;

    for (size_t j = 0; j < model->n && row[i] != 0; j++)
        if (model->kinds.first[j] != model->kinds.first[i])
            reach = fmax(reach, fabs(row[j]) * units[j]);
    return reach > 0 ? reach / fabs(row[i]) : 0;
}

/* If the inertia of a kind is small relative to that of coordinates tied to it by a row, it does
 * not determine the unit of the kind. The row does then. */
static void lend_units(const Model *model, const double *rows, size_t n_rows, double *units)
{
    const size_t n = model->n;
    bool changed = true;

    for (size_t pass = 0; pass < n && changed; pass++) {
        changed = false;
        for (size_t k = 0; k < n_rows; k++)
            for (size_t i = 0; i < n; i++) {
                const double lent = lent_unit(model, rows + k * n, units, i);
                const bool takes =
                    lent > 0 && lent * lent < RECOVERED_PIVOT_RATIO * units[i] * units[i];
                changed = changed || takes;
                for (size_t j = 0; takes && j < n; j++)
                    units[j] = model->kinds.first[j] == model->kinds.first[i] ? lent : units[j];
            }
    }
}

/* ret_dependent[n_rows], ascending: the velocities that the rows in use determine best at the
 * state, in units in which lengths and angles can be compared. *ret_found: there were enough. */
static Status pivot_columns(const MotionQuestion *question, const MotionOptions *options,
                            const Wish *wish, size_t *ret_dependent, bool *ret_found, Error *err)
{
    const size_t n = question->model->n, rank = options->n_rows;
    Arena scratch = {0};
    double *a = arena_doubles(&scratch, rank * n), *units = arena_doubles(&scratch, n);
    bool *flags = ARENA_NEW(&scratch, 2 * n, bool), *row_done = ARENA_NEW(&scratch, rank, bool);
    const Status status = arena_status(&scratch, err);
    size_t count = 0;

    if (status == OK) {
        /* rows in use, with each column in the unit of its velocity */
        ModelPoint point = model_point(question->eval, question->t, question->q, question->v);
        kinds_velocity_units(question->model, point.M, units);
        for (size_t k = 0; k < rank; k++)
            memcpy(a + k * n, point.A + options->rows[k] * n, n * sizeof *a);
        lend_units(question->model, a, rank, units);
        for (size_t k = 0; k < rank; k++)
            for (size_t i = 0; i < n; i++)
                a[k * n + i] *= units[i];
        *ret_found = choose_columns(a, rank, n, wish, row_done, flags);
        for (size_t i = 0; i < n && *ret_found; i++)
            if (flags[i])
                ret_dependent[count++] = i;
    }
    arena_done(&scratch);
    return status;
}

/* A wish without preferences; `own_base`: it excludes a given base. */
static Wish new_wish(Arena *arena, const Model *model, bool own_base)
{
    Wish wish = {.excluded = ARENA_NEW(arena, model->n, bool),
                 .rank = ARENA_NEW(arena, model->n, unsigned)};

    for (size_t k = 0; own_base && k < model->given.n_base && !arena_failed(arena); k++)
        wish.excluded[model->given.base[k]] = true;
    return wish;
}

/* Chooses ret_dependent[n_rows], ascending, as the formulation prefers. */
static Status choose_preferred(const Formulation *formulation, const MotionQuestion *at,
                               const MotionOptions *options, bool own_base, size_t *ret_dependent,
                               bool *ret_found, Error *err)
{
    Arena scratch = {0};
    Wish wish = new_wish(&scratch, at->model, own_base);
    Status status = arena_status(&scratch, err);

    *ret_found = false;
    if (status == OK && formulation->prefer)
        status = formulation->prefer(at->model, options->n_rows, wish.rank, err);
    if (status == OK)
        status = pivot_columns(at, options, &wish, ret_dependent, ret_found, err);
    arena_done(&scratch);
    return status;
}

/* The same; objections go to diag. */
static Status choose_dependent(const Formulation *formulation, const MotionQuestion *question,
                               const MotionOptions *options, size_t *ret_dependent,
                               Diagnostics *diag, Error *err)
{
    bool found;
    Status status =
        choose_preferred(formulation, question, options, true, ret_dependent, &found, err);
    if (found || status != OK)
        return status;
    /* no choice fits: say what to change */
    if (question->model->given.n_base)
        diagnostics_add(diag, "/model/base", -1,
                        "leave \"base\" out, or choose other base coordinates",
                        "at the initial state the constraints do not determine the velocities of "
                        "the coordinates outside the base");
    else
        diagnostics_add(diag, "/formulation", -1, "the formulation lagrange-dalembert needs none",
                        "at the initial state the constraints determine too few velocities for "
                        "dependent ones");
    return error_set(err, ERR_INVALID, "the base does not fit the constraints");
}

/* 3 for a number, 2 for a parameter, 1 for a function of parameters alone, otherwise 0. */
static unsigned simplicity(const Model *model, Expr coefficient, bool *used, Arena *scratch)
{
    const uint32_t first_param = model->n_params
                                     ? expr_node(model->pool, model->sym.params[0]).symbol
                                     : model->sym.first_free;
    const ExprNode node = expr_node(model->pool, coefficient);

    if (expr_is_zero(model->pool, coefficient))
        return 0;
    if (node.op == EXPR_CONST)
        return 3;
    /* expressions of t, q or v have rank 0 */
    memset(used, 0, first_param * sizeof *used);
    if (expr_used_symbols(model->pool, &coefficient, 1, used, first_param, NULL) != OK) {
        arena_fail(scratch);
        return 0;
    }
    for (size_t i = 0; i < first_param; i++)
        if (used[i])
            return 0;
    return node.op == EXPR_SYMBOL || (node.op == EXPR_SUM && node.n == 1) ? 2 : 1;
}

Status motion_choose_dependent(const MotionQuestion *at, size_t *ret_dependent, Error *err)
{
    const Model *model = at->model;
    const size_t n = model->n;
    Arena scratch = {0};
    bool found = false, *used = ARENA_NEW(&scratch, model->sym.first_free, bool);
    Wish wish = new_wish(&scratch, model, true);
    Status status = arena_status(&scratch, err);

    for (size_t k = 0; status == OK && k < at->options->n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            Expr entry = model->A[at->options->rows[k] * n + i];
            const unsigned rank = simplicity(model, entry, used, &scratch);
            wish.rank[i] = rank > wish.rank[i] ? rank : wish.rank[i];
        }
    if (status == OK)
        status = arena_status(&scratch, err);
    if (status == OK)
        status = pivot_columns(at, at->options, &wish, ret_dependent, &found, err);
    if (status == OK && !found) { /* the base does not fit */
        memset(wish.excluded, 0, n * sizeof *wish.excluded);
        status = pivot_columns(at, at->options, &wish, ret_dependent, &found, err);
    }
    if (status == OK && !found)
        status = error_set(err, ERR_NUMERIC, DEPENDENT_CONSTRAINTS);
    arena_done(&scratch);
    return status;
}

Status motion_choose_best(const Formulation *formulation, const MotionQuestion *at,
                          size_t *ret_dependent, Error *err)
{
    bool found;
    Status status =
        choose_preferred(formulation, at, at->options, false, ret_dependent, &found, err);

    if (status == OK && !found)
        status = error_set(err, ERR_NUMERIC, DEPENDENT_CONSTRAINTS);
    return status;
}

Status motion_choose_options(const Formulation *formulation, const MotionQuestion *at,
                             bool with_dependent, Arena *arena, MotionOptions *ret_options,
                             Diagnostics *diag, Error *err)
{
    MotionOptions options = {.rows = at->options->rows, .n_rows = at->options->n_rows};
    MotionAnswer answer = {0};
    MotionQuestion question = *at;
    size_t *dependent = arena_alloc(arena, options.n_rows, sizeof *dependent);
    if (!dependent)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    Status status = OK;
    if (formulation->uses_dependent || with_dependent)
        status = choose_dependent(formulation, at, &options, dependent, diag, err);
    options.dependent = dependent;
    question.options = &options;
    question.answer = &answer;
    /* the formulation checks the state and chooses */
    if (status == OK && formulation->check)
        status = formulation->check(&question, diag, err);
    options.choice = answer.choice;
    if (status == OK && answer.note) {
        options.note = arena_strdup(arena, answer.note);
        if (!options.note)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    if (status == OK)
        *ret_options = options;
    return status;
}

MotionClass motion_class_of(const InitialReport *report)
{
    return report->mass_divides     ? MOTION_POSITIVE
           : report->mass_positive  ? MOTION_POSITIVE_UNEVEN
           : report->metric_is_mass ? MOTION_POSITIVE_ON_CONSTRAINTS
                                    : MOTION_INDEFINITE;
}
