/* Ranks of matrices of expressions, from both sides.
 *
 * Over a field the survey finds the largest rank at any point. All larger minors vanish at all
 * points of the survey, and therefore as functions, except for the survey's chance of error. At a
 * real point the pivots of an elimination in balls prove a minor that does not vanish. */
#include "core/exact/ball.h"
#include "core/exact/elimination.h"
#include "core/exact/guard.h"
#include "core/exact/survey.h"

static const slong BITS[] = {128, 512};

static size_t row_count(const ExactMatrix *m)
{
    return m->columns ? m->problem.n_terms / m->columns : 0;
}

/* The largest possible rank. */
static size_t full_rank(const ExactMatrix *m)
{
    const size_t rows = row_count(m) * m->copies;
    return rows < m->columns ? rows : m->columns;
}

typedef struct Bound {
    const ExactMatrix *matrix;
    size_t enough;
    size_t rank;     /* the largest at any point so far */
    size_t held;     /* rank of the rows of this point's copies so far */
    mp_limb_t *work; /* [columns + rows][columns + 1]; the first `held` rows are reduced */
    size_t *pivots;  /* columns + rows */
    ExactRank *result;
} Bound;

/* Adds the rows of a copy to the span of the rows before it. */
static bool look(void *self, const Point *p, size_t copy)
{
    Bound *q = self;
    const size_t n = q->matrix->columns, rows = row_count(q->matrix);

    q->held = copy == 0 ? 0 : q->held;
    mp_limb_t *at = q->work + q->held * (n + 1);
    for (size_t i = 0; i < rows; i++, at += n + 1) {
        for (size_t j = 0; j < n; j++)
            at[j] = p->value[p->steps->terms[i * n + j]];
        at[n] = 0;
    }
    elimination_reduce(q->work, q->held + rows, n, p->field.mod, q->pivots, &q->held);
    q->rank = q->held > q->rank ? q->held : q->rank;
    return q->rank < full_rank(q->matrix);
}

/* The vanishing minors have a size of rank + 1. */
static Status conclude(Bound *q, const Survey *survey, Error *err)
{
    const size_t full = full_rank(q->matrix);
    const char *doubt = survey_doubt(survey);
    ExactRank bound = {.rank = q->rank, .points = survey->points, .primes = survey->primes};

    if (!doubt && q->rank < full) {
        bound.chance = survey_chance(survey, q->rank + 1);
        if (bound.chance < 0)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        if (bound.chance > 1)
            doubt = "its degree is too large for a chance meeting to be excluded";
    }
    if (doubt)
        q->result->why = doubt;
    else if (q->rank < full)
        *q->result = bound;
    return OK;
}

static Status bound_by_field(Bound *q, bool loose, Error *err)
{
    Survey survey = {.problem = &q->matrix->problem,
                     .look = look,
                     .self = q,
                     .copies = q->matrix->copies,
                     .shared = q->matrix->shared};

    q->rank = q->held = 0;
    Status status = survey_run(&survey, loose, err);
    if (status == OK)
        status = conclude(q, &survey, err);
    survey_done(&survey);
    return status;
}

static Status bound(void *self, Error *err)
{
    Bound *q = self;
    Status status = bound_by_field(q, true, err);

    if (status == OK && q->result->rank > q->enough && survey_has_other_stages(&q->matrix->problem))
        status = bound_by_field(q, false, err);
    return status;
}

Status exact_rank_most(const ExactMatrix *matrix, size_t enough, ExactRank *ret, Error *err)
{
    const size_t n = matrix->columns, rows = row_count(matrix);
    Arena scratch = {0};
    Bound question = {.matrix = matrix,
                      .enough = enough,
                      .work = ARENA_NEW(&scratch, (n + rows) * (n + 1), mp_limb_t),
                      .pivots = arena_sizes(&scratch, n + rows),
                      .result = ret};
    Status status = arena_status(&scratch, err);

    *ret = (ExactRank){.rank = full_rank(matrix)};
    if (status == OK && ret->rank > enough)
        status = guard_call(bound, &question, err);
    arena_done(&scratch);
    return status;
}

typedef struct Reach {
    const ExactMatrix *matrix;
    const double *symbols;
    size_t n_symbols, wanted;
    Steps steps;
    Balls balls;
    arb_ptr rows; /* [rows of all copies][columns] */
    ExactRank *result;
} Reach;

static Status poll(const Reach *q, Error *err)
{
    const ExactProblem *problem = &q->matrix->problem;
    return problem->poll ? problem->poll(problem->self, err) : OK;
}

/* The rows of a copy at its point, moved onto the equations; *ret_found: there is such a point. */
static Status enclose(Reach *q, size_t copy, bool *ret_found, Error *err)
{
    const Balls *b = &q->balls;
    arb_ptr rows = q->rows + copy * q->steps.n_terms;
    Status status = balls_place(&q->balls, &q->matrix->problem, q->symbols + copy * q->n_symbols,
                                q->n_symbols, ret_found, err);

    for (size_t k = 0; k < q->steps.n_terms; k++)
        arb_set(rows + k, b->value + q->steps.terms[k]);
    return status;
}

/* The entry of rows k .. with the best relative accuracy; false if all may be zero. */
static bool find_pivot(const Reach *q, size_t m, size_t k, size_t *ret_row, size_t *ret_column)
{
    const size_t n = q->matrix->columns;
    slong best = 0;
    bool found = false;

    for (size_t i = k; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            /* skip entries that may be zero */
            const arb_srcptr a = q->rows + i * n + j;
            if (!arb_is_finite(a) || !arb_is_nonzero(a))
                continue;
            const slong bits = arb_rel_accuracy_bits(a);
            if (found && bits <= best)
                continue;
            found = true;
            best = bits;
            *ret_row = i;
            *ret_column = j;
        }
    return found;
}

static void eliminate(Reach *q, size_t m, size_t k, size_t row, size_t column)
{
    const size_t n = q->matrix->columns;
    const slong bits = q->balls.bits;
    arb_ptr a = q->rows;
    arb_t factor;

    arb_init(factor);
    for (size_t j = 0; j < n; j++)
        arb_swap(a + k * n + j, a + row * n + j);
    for (size_t i = k + 1; i < m; i++) {
        arb_div(factor, a + i * n + column, a + k * n + column, bits);
        for (size_t j = 0; j < n && !arb_is_zero(factor); j++)
            arb_submul(a + i * n + j, factor, a + k * n + j, bits);
        arb_zero(a + i * n + column);
    }
    arb_clear(factor);
}

static Status try_bits(Reach *q, slong bits, Error *err)
{
    const size_t m = row_count(q->matrix) * q->matrix->copies;
    const size_t entries = m * q->matrix->columns;
    bool found = true;
    size_t rank = 0, row = 0, column = 0;
    Status status = OK;

    balls_init(&q->balls, &q->steps, bits);
    q->rows = _arb_vec_init((slong)entries);
    /* the rows of all copies, then pivots until enough are found */
    for (size_t k = 0; status == OK && found && k < q->matrix->copies; k++)
        status = enclose(q, k, &found, err);
    while (status == OK && found && rank < q->wanted && find_pivot(q, m, rank, &row, &column)) {
        eliminate(q, m, rank++, row, column);
        status = poll(q, err);
    }
    if (rank > q->result->rank)
        *q->result = (ExactRank){.rank = rank, .bits = (unsigned)bits};
    _arb_vec_clear(q->rows, (slong)entries);
    balls_done(&q->balls);
    return status;
}

static Status reach(void *self, Error *err)
{
    Reach *q = self;
    Status status = steps_init(&q->steps, &q->matrix->problem, false, err);

    for (size_t k = 0; status == OK && !q->steps.why && k < sizeof BITS / sizeof *BITS &&
                       q->result->rank < q->wanted;
         k++)
        status = try_bits(q, BITS[k], err);
    steps_done(&q->steps);
    return status;
}

Status exact_rank_least(const ExactMatrix *matrix, const double *symbols, size_t n_symbols,
                        size_t wanted, ExactRank *ret, Error *err)
{
    Reach question = {.matrix = matrix,
                      .symbols = symbols,
                      .n_symbols = n_symbols,
                      .wanted = wanted,
                      .result = ret};

    *ret = (ExactRank){0};
    return guard_call(reach, &question, err);
}
