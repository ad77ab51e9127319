/* Ranks of matrices of expressions, from both sides.
 *
 * Over a field the survey finds the largest rank at any point. All larger minors vanish at all
 * points of the survey, and therefore as functions, except for the survey's chance of error. At a
 * real point the pivots of an elimination in balls prove a minor that does not vanish. */
#include "core/exact/ball.h"
#include "core/exact/survey.h"

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
static Status conclude(void *self, const Survey *survey, bool *ret_again, Error *err)
{
    Bound *q = self;
    const bool found = q->rank < full_rank(q->matrix);
    const char *doubt = survey_doubt(survey);
    ExactRank bound = {.rank = q->rank, .points = survey->points, .primes = survey->primes};
    Status status = OK;

    if (!doubt && found)
        status = survey_chance(survey, q->rank + 1, &bound.chance, &doubt, err);
    if (doubt)
        q->result->why = doubt;
    else if (found)
        *q->result = bound;
    *ret_again = q->result->rank > q->enough;
    q->rank = 0;
    return status;
}

Status exact_rank_most(const ExactMatrix *matrix, size_t enough, ExactRank *ret, Error *err)
{
    const size_t n = matrix->columns, rows = row_count(matrix);
    Arena scratch = {0};
    Bound bound = {.matrix = matrix,
                   .enough = enough,
                   .work = ARENA_NEW(&scratch, (n + rows) * (n + 1), mp_limb_t),
                   .pivots = arena_sizes(&scratch, n + rows),
                   .result = ret};
    const Survey question = {.problem = &matrix->problem,
                             .look = look,
                             .conclude = conclude,
                             .self = &bound,
                             .copies = matrix->copies,
                             .shared = matrix->shared};
    Status status = arena_status(&scratch, err);

    /* the bound that needs no points; they are drawn only if a lower one is asked for */
    *ret = (ExactRank){.rank = full_rank(matrix)};
    if (status == OK && ret->rank > enough)
        status = survey_ask(&question, err);
    arena_done(&scratch);
    return status;
}

typedef struct Reach {
    const ExactMatrix *matrix;
    size_t wanted;
    arb_ptr rows; /* [m][columns]: the rows of all copies */
    size_t m;
    ExactRank *result;
} Reach;

/* The rows of all copies at their points. The first copy has its point; *ret_placed: all have. */
static Status enclose(Reach *q, Balls *b, bool *ret_placed, Error *err)
{
    const ExactProblem *problem = &q->matrix->problem;
    const size_t n_terms = b->steps->n_terms;
    Status status = OK;

    for (size_t copy = 0; status == OK && *ret_placed && copy < q->matrix->copies; copy++) {
        if (copy > 0)
            status = balls_place(b, problem, problem->symbols + copy * problem->n_symbols,
                                 ret_placed, err);
        for (size_t k = 0; k < n_terms; k++)
            arb_set(q->rows + copy * n_terms + k, balls_term(b, k));
    }
    return status;
}

/* The entry of rows k .. with the best relative accuracy; false if all may be zero. */
static bool find_pivot(const Reach *q, size_t k, size_t *ret_row, size_t *ret_column)
{
    const size_t n = q->matrix->columns;
    slong best = 0;
    bool found = false;

    for (size_t i = k; i < q->m; i++)
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

static void eliminate(Reach *q, size_t k, size_t row, size_t column, slong bits)
{
    const size_t n = q->matrix->columns;
    arb_ptr a = q->rows;
    arb_t factor;

    arb_init(factor);
    for (size_t j = 0; j < n; j++)
        arb_swap(a + k * n + j, a + row * n + j);
    for (size_t i = k + 1; i < q->m; i++) {
        arb_div(factor, a + i * n + column, a + k * n + column, bits);
        for (size_t j = 0; j < n && !arb_is_zero(factor); j++)
            arb_submul(a + i * n + j, factor, a + k * n + j, bits);
        arb_zero(a + i * n + column);
    }
    arb_clear(factor);
}

/* Takes pivots until enough are found. */
static Status reach(void *self, Balls *b, bool placed, bool *ret_answered, Error *err)
{
    Reach *q = self;
    const ExactProblem *problem = &q->matrix->problem;
    const slong entries = (slong)(q->m * q->matrix->columns);
    size_t rank = 0, row = 0, column = 0;

    q->rows = _arb_vec_init(entries);
    Status status = enclose(q, b, &placed, err);
    while (status == OK && placed && rank < q->wanted && find_pivot(q, rank, &row, &column)) {
        eliminate(q, rank++, row, column, b->bits);
        status = problem->poll ? problem->poll(problem->self, err) : OK;
    }
    if (rank > q->result->rank)
        *q->result = (ExactRank){.rank = rank, .bits = (unsigned)b->bits};
    *ret_answered = q->result->rank >= q->wanted;
    _arb_vec_clear(q->rows, entries);
    return status;
}

Status exact_rank_least(const ExactMatrix *matrix, size_t wanted, ExactRank *ret, Error *err)
{
    Reach own = {
        .matrix = matrix, .wanted = wanted, .m = row_count(matrix) * matrix->copies, .result = ret};
    const BallQuestion question = {
        .problem = &matrix->problem, .bits = 128, .most_bits = 512, .answer = reach, .self = &own};

    *ret = (ExactRank){0};
    return wanted > 0 ? balls_ask(&question, err) : OK;
}
