/* The nearest admissible state: projected gradients on the constraint manifold (P.-A. Absil, R.
 * Mahony, R. Sepulchre, Optimization Algorithms on Matrix Manifolds, 2008, section 4.2). Newton's
 * method puts each step back onto the manifold. Several starts are tried, because a stationary
 * point may be a local maximum of the distance. */
#include "core/model/nearest.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/base/stop_token.h"
#include "core/model/kkt.h"
#include "core/numeric/vectors.h"

/* Bounds on the work of one descent, of one step, and of the search from other starts. */
enum { MAX_STEPS = 400, MAX_HALVINGS = 30, OTHER_STARTS = 12 };
/* Growth of the share of a step from one step to the next. No unit; a convention. */
static const double MAX_SHARE_GROWTH = 8;
/* Share of the promised decrease that a step must achieve (L. Armijo, 1966). No unit. */
static const double ARMIJO_FRACTION = 1e-4;

typedef struct Nearest {
    ModelEval *eval;
    const Correction *correction;
    double t, *q, *v;
    double *x;      /* q or v: the current point */
    double *wanted; /* n each: the state as given */
    double *from;   /* the start of the step */
    double *step;   /* the whole step */
    double *last;   /* the step before */
    double *best;
    double share; /* fraction of a step that is taken */
} Nearest;

/* |a - b|^2 in the metric M (or Euclidean); b NULL: 0. */
static double square(const Nearest *s, const double *M, const double *a, const double *b)
{
    const size_t n = s->eval->model->n;
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        const double of_i = a[i] - (b ? b[i] : 0);
        if (!s->correction->mass)
            sum += of_i * of_i;
        for (size_t j = 0; s->correction->mass && j < n; j++)
            sum += M[i * n + j] * of_i * (a[j] - (b ? b[j] : 0));
    }
    return sum;
}

static const double *metric(const Nearest *s)
{
    return evaluate_at(s->eval, &s->eval->linear, s->t, s->q, s->v);
}

/* Newton's method from x onto the constraints. */
static bool settle(Nearest *s)
{
    double change;
    Correction c = *s->correction;

    c.untouched = 0;
    return correction_apply(s->eval, &c, s->t, s->q, s->v, &change, NULL) == OK;
}

/* The step towards `wanted` along the constraints, from a point on them. */
static bool find_step(Nearest *s, const double *wanted)
{
    const size_t n = s->eval->model->n;

    (void)evaluate_at(s->eval, &s->eval->residuals, s->t, s->q, s->v);
    if (!correction_step(s->eval, s->correction, s->t, s->q, s->v, wanted))
        return false;
    memcpy(s->step, s->eval->rhs, n * sizeof *s->step);
    memcpy(s->from, s->x, n * sizeof *s->from);
    return true;
}

/* Is the step only rounding? */
static bool is_there(const Nearest *s)
{
    const double *M = metric(s);

    return square(s, M, s->step, NULL) <=
           SETTLED_CHANGE * SETTLED_CHANGE *
               (square(s, M, s->x, s->wanted) + square(s, M, s->x, NULL));
}

static bool move(Nearest *s, double part)
{
    for (size_t i = 0; i < s->eval->model->n; i++)
        s->x[i] = s->from[i] + part * s->step[i];
    return settle(s);
}

/* Whether the point is nearer than `from` by the decrease that the step promises (length: its
 * square). If rounding hides that decrease, whether the remaining step is shorter than this one
 * was. */
static bool is_nearer(Nearest *s, double length)
{
    const double *M = metric(s);
    const double before = square(s, M, s->from, s->wanted), gain = s->share * length;

    if (gain > ACCURACY_COMPUTED * before)
        return square(s, M, s->x, s->wanted) <= before - ARMIJO_FRACTION * gain;
    (void)evaluate_at(s->eval, &s->eval->residuals, s->t, s->q, s->v);
    return correction_step(s->eval, s->correction, s->t, s->q, s->v, s->wanted) &&
           square(s, metric(s), s->eval->rhs, NULL) < length;
}

/* Halves the step until the point is nearer; false, back at `from`, if it never is. */
static bool take_step(Nearest *s)
{
    const double length = square(s, metric(s), s->step, NULL);

    for (int k = 0; k < MAX_HALVINGS; k++, s->share /= 2)
        if (move(s, s->share) && is_nearer(s, length))
            return true;
    memcpy(s->x, s->from, s->eval->model->n * sizeof *s->x);
    return false;
}

/* The fraction of the step to take, from the change between the last step and this one (J.
 * Barzilai, J. M. Borwein, IMA J. Numer. Anal. 8 (1988) 141). */
static void choose_share(Nearest *s)
{
    const size_t n = s->eval->model->n;
    const double *M = metric(s);
    const double before = square(s, M, s->last, NULL);
    const double difference = square(s, M, s->step, s->last), now = square(s, M, s->step, NULL);
    /* <last, last - step> / <last, last> */
    const double fall = before > 0 ? (before + difference - now) / (2 * before) : 0;

    s->share = fall * MAX_SHARE_GROWTH > 1 ? s->share / fall : MAX_SHARE_GROWTH * s->share;
    memcpy(s->last, s->step, n * sizeof *s->last);
}

/* Descends along the constraints to a local minimum of the distance; returns its square. */
static double descend(Nearest *s)
{
    const int steps = kkt_budget(s->eval->model->n + s->correction->n_rows, MAX_STEPS);

    memset(s->last, 0, s->eval->model->n * sizeof *s->last);
    s->share = 1.0 / MAX_SHARE_GROWTH;
    for (int k = 0;
         k < steps && stop_token_status(NULL) == OK && find_step(s, s->wanted) && !is_there(s);
         k++) {
        choose_share(s);
        if (!take_step(s))
            break;
    }
    return square(s, metric(s), s->x, s->wanted);
}

/* Moves by a random step of length `distance`: along the constraints from `best`, or in any
 * direction from the given state. Then Newton's method onto the constraints. */
static bool leave(Nearest *s, Random *random, double distance, bool along)
{
    const size_t n = s->eval->model->n;

    memcpy(s->x, s->best, n * sizeof *s->x);
    const double *M = metric(s);
    for (size_t i = 0; i < n; i++) {
        const double unit = s->correction->mass && M[i * n + i] > 0 ? sqrt(M[i * n + i]) : 1;
        const bool moves = !s->correction->held || !s->correction->held[i];
        s->step[i] = moves ? distance * random_normal(random) / unit : 0;
        s->last[i] = s->x[i] + s->step[i];
    }
    if (along && !find_step(s, s->last))
        return false;
    const double *from = along ? s->best : s->wanted, length = square(s, metric(s), s->step, NULL);
    memcpy(s->from, from, n * sizeof *from);
    return length > 0 && move(s, distance / sqrt(length));
}

bool correction_is_flat(const Model *model, const Correction *correction)
{
    return !correction->positions && model_is_linear(model, correction->rows, correction->n_rows);
}

static void search(Nearest *s)
{
    const size_t n = s->eval->model->n;
    double least = descend(s);
    /* so near a point is the nearest; no other starts are tried */
    const bool alone =
        least <= ACCURACY_SOLVED * ACCURACY_SOLVED * square(s, metric(s), s->x, NULL);
    Random random;

    random_init(&random, 1);
    memcpy(s->best, s->x, n * sizeof *s->x);
    for (int k = 0; k < OTHER_STARTS && !alone && stop_token_status(NULL) == OK; k++) {
        if (!leave(s, &random, ldexp(sqrt(least), k / 2 % 3 - 1), k % 2 == 0))
            continue;
        const double here = descend(s);
        if (here < (1 - ACCURACY_CLEAR) * least) {
            least = here;
            memcpy(s->best, s->x, n * sizeof *s->x);
        }
    }
    memcpy(s->x, s->best, n * sizeof *s->x);
}

Status nearest_apply(ModelEval *eval, const Correction *correction, double t, double *q, double *v,
                     double *ret_change, Error *err)
{
    const size_t n = eval->model->n;
    if (correction_is_flat(eval->model, correction))
        return correction_apply(eval, correction, t, q, v, ret_change, err);
    Arena arena = {0};
    Nearest s = {eval, correction, t, q, v, .x = correction->positions ? q : v};
    const ArenaPiece pieces[] = {
        {&s.wanted, n}, {&s.from, n}, {&s.step, n}, {&s.last, n}, {&s.best, n}};

    arena_pieces(&arena, pieces, sizeof pieces / sizeof *pieces);
    Status status = arena_status(&arena, err);
    /* onto the constraints, then along them */
    if (status == OK) {
        memcpy(s.wanted, s.x, n * sizeof *s.x);
        status = correction_apply(eval, correction, t, q, v, ret_change, err);
    }
    if (status == OK && *ret_change > 0) {
        search(&s);
        *ret_change = vector_distance(s.x, s.wanted, n);
        status = stop_token_status(err);
    }
    arena_done(&arena);
    return status;
}
