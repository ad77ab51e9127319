/* Rank along a motion: Weyl's inequality for singular values from state to state (G. W. Stewart,
 * J. Sun, Matrix Perturbation Theory, 1990, section IV.4). */
#include "core/model/rank_watch.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/evaluate.h"
#include "core/numeric/vectors.h"
#include "core/program/block_of_one.h"

#include "core/model/watch_blocks.h"

/* Shortest sub-interval of the search, relative to the interval searched. A convention. */
static const double MIN_INTERVAL = 0x1p-8;
/* The rank is clearly full if the smallest singular value of B exceeds the first and all rows of B
 * are shorter than the second. B has no unit. Conventions. */
static const double CLEAR_SINGULAR_VALUE = 1e-2, CLEAR_ROW_LENGTH = 4;
/* Size of a coefficient relative to the length of its row. A larger coefficient that depends on
 * parameters alone keeps the row from vanishing. A convention. */
static const double LASTING_COEFFICIENT = 1e-2;

/* The matrices at the start of a motion, for entries that stay constant. */
typedef struct Start {
    const Model *model;
    const double *M, *A; /* n x n, r x n */
} Start;

/* Whether the other rows never contain velocity i. */
static bool is_alone(const Start *s, const size_t *rows, size_t n_rows, size_t k, size_t i)
{
    const size_t n = s->model->n;
    bool alone = true;

    for (size_t other = 0; other < n_rows && alone; other++) {
        const size_t at = rows[other] * n + i;
        alone = other == k || (s->model->fixed.A[at] && s->A[at] == 0);
    }
    return alone;
}

/* Whether coefficient i, a function of parameters alone, is a large part of the row, in the metric
 * of the diagonal of M. A small one that only keeps nearly equal points apart does not count. */
static bool counts(const Start *s, size_t row, size_t i)
{
    const size_t n = s->model->n;
    const double *A = s->A + row * n;
    double square = 0;

    for (size_t j = 0; j < n; j++)
        square += A[j] * A[j] / fabs(s->M[j * n + j]);
    return A[i] * A[i] / fabs(s->M[i * n + i]) > LASTING_COEFFICIENT * LASTING_COEFFICIENT * square;
}

/* Whether only this row contains some velocity, with a constant coefficient. */
static bool has_own_velocity(const Start *s, const size_t *rows, size_t n_rows, size_t k)
{
    const size_t n = s->model->n, row = rows[k];
    bool own = false;

    for (size_t i = 0; i < n && !own; i++)
        own = s->model->fixed.A[row * n + i] && s->A[row * n + i] != 0 &&
              is_alone(s, rows, n_rows, k, i) &&
              (expr_is_const(s->model->pool, s->model->A[row * n + i], NULL) || counts(s, row, i));
    return own;
}

static bool stays_independent(const Start *s, const size_t *rows, size_t n_rows)
{
    const size_t n = s->model->n;
    bool fixed = true, own = true;

    for (size_t k = 0; k < n_rows; k++) {
        for (size_t i = 0; i < n; i++)
            fixed = fixed && s->model->fixed.A[rows[k] * n + i];
        own = own && has_own_velocity(s, rows, n_rows, k);
    }
    return fixed || own;
}

bool rank_watch_is_needed(ModelEval *eval, double t, const double *q, const double *v,
                          const size_t *rows, size_t n_rows)
{
    const size_t n = eval->model->n;

    if (eval->model->fixed.A_turns)
        return false;
    const double *M = evaluate_at(eval, &eval->linear, t, q, v);
    const Start s = {eval->model, M, M + n * n};

    return !stays_independent(&s, rows, n_rows);
}

void rank_watch_init(RankWatch *w, ModelEval *eval, const size_t *rows, size_t n_rows, Arena *arena)
{
    const size_t n = eval->model->n;

    *w = (RankWatch){.eval = eval, .seen_t = NAN, .t_before = NAN};
    if (!rows)
        return;
    rank_rows_init(&w->rows, n, rows, n_rows, 1, arena);
    const ArenaPiece pieces[] = {{&w->after, n_rows * n},
                                 {&w->inner, n_rows * n},
                                 {&w->middle, n_rows * n},
                                 {&w->state, 2 * n}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    if (w->rows.t_past)
        *w->rows.t_past = NAN;
}

static void evaluate(const RankWatch *w, double t, const double *q, const double *v, double *B)
{
    const size_t n = w->eval->model->n;
    const double *A = evaluate_at(w->eval, &w->eval->linear, t, q, v) + n * n;

    for (size_t k = 0; k < w->rows.n_rows; k++)
        memcpy(B + k * n, A + w->rows.rows[k] * n, n * sizeof *B);
    rank_fill(&w->rows, &w->rows.now, B, B, 0);
}

/* Whether M and A were last evaluated near enough to (q, v). */
static bool evaluated_near(const RankWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->rows.n;
    const double *in = w->eval->linear.in;

    return in[0] == t && rank_is_near(&w->rows, in + 1, q, w->state, 0) &&
           rank_is_near(&w->rows, in + 1 + n, v, w->state + n, 0);
}

/* Keeps the matrices from which B and its scales are computed. */
static void see(RankWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->rows.n;
    const double *M = evaluated_near(w, t, q, v) ? w->eval->linear.out
                                                 : evaluate_at(w->eval, &w->eval->linear, t, q, v);

    for (size_t i = 0; i < n; i++)
        w->rows.next.mass[i] = fabs(M[i * n + i]);
    for (size_t k = 0; k < w->rows.n_rows; k++)
        memcpy(w->rows.next.A + k * n, M + (n + w->rows.rows[k]) * n, n * sizeof *M);
    w->seen_t = t;
}

/* The state that `now` describes becomes the last but one. */
static void remember(RankWatch *w, double t, bool jumped)
{
    if (jumped)
        *w->rows.t_past = NAN;
    else if (t != w->t_before)
        *w->rows.t_past = w->t_before;
    if (t != w->t_before)
        memcpy(w->rows.past, w->rows.now.A, w->rows.n_rows * w->rows.n * sizeof(double));
}

/* Often M is constant, and so are the scales that come of it. */
static void scale_columns(RankWatch *w)
{
    const RankRows *r = &w->rows;

    if (!isnan(w->t_before) && memcmp(r->now.mass, r->next.mass, r->n * sizeof(double)) == 0)
        memcpy(r->next.column_scale, r->now.column_scale, r->n * sizeof(double));
    else
        rank_scale_columns(r, 0);
}

void rank_watch_start(RankWatch *w, double t, const double *q, const double *v, bool jumped)
{
    RankRows *r = &w->rows;

    if (!r->rows)
        return;
    /* evaluate M and A after a jump, or if they were last seen at another time */
    if (jumped || t != w->seen_t)
        see(w, t, q, v);
    remember(w, t, jumped);
    scale_columns(w);
    rank_scale_rows(r, 0);
    memcpy(r->now.all, r->next.all, rank_state_size(r->n, r->n_rows) * sizeof(double));
    w->t_before = t;
    memcpy(w->state, q, r->n * sizeof *q);
    memcpy(w->state + r->n, v, r->n * sizeof *v);
}

void rank_watch_resume(RankWatch *w, double t, const double *state)
{
    const RankRows *r = &w->rows;

    memcpy(r->next.all, r->now.all, rank_state_size(r->n, r->n_rows) * sizeof(double));
    w->seen_t = w->t_before = t;
    memcpy(w->state, state, 2 * r->n * sizeof *state);
}

bool rank_watch_suspects(RankWatch *w, double t, const double *q, const double *v, double ahead)
{
    if (!w->rows.rows)
        return false;
    see(w, t, q, v);
    return !rank_stays(&w->rows, ahead, &w->t_before, &t, 0, w->after, &w->margin_after);
}

bool rank_watch_is_clear(const RankWatch *w, double t)
{
    const size_t n = w->rows.n;
    bool clear = w->rows.rows && w->seen_t == t && w->margin_after > CLEAR_SINGULAR_VALUE;

    for (size_t i = 0; clear && i < n; i++)
        clear = w->rows.next.mass[i] > 0 && isfinite(w->rows.next.mass[i]);
    for (size_t k = 0; clear && k < w->rows.n_rows; k++)
        clear =
            vector_dot(w->after + k * n, w->after + k * n, n) < CLEAR_ROW_LENGTH * CLEAR_ROW_LENGTH;
    return clear;
}

double rank_watch_horizon(RankWatch *w)
{
    return rank_horizon(&w->rows, &w->rows.now, true, 0);
}

double rank_watch_margin(const RankWatch *w)
{
    return rank_lasting_part(&w->rows.now, 0);
}

/* A path under search, and the part of it on which the rank is known to be full. */
typedef struct Look {
    RankWatch *watch;
    RankWay *way;
    void *self;
    double here, margin,
        largest;      /* the rank is full up to `here`; the margin there; the largest margin so
                         far */
    double *B, *next; /* at `here`, and at the point under test */
} Look;

static double margin_at(const Look *look, double theta)
{
    RankWatch *w = look->watch;
    const double *q, *v;
    double t;

    look->way(look->self, theta, &t, &q, &v);
    evaluate(w, t, q, v, look->next);
    return rank_margin(&w->rows, look->next, 0);
}

/* Whether B stays near enough to B at `here` up to theta to have full rank. look->next is B at
 * theta, `margin` its margin. B is also computed half-way, because it may return. */
static bool stays(Look *look, double theta, double margin)
{
    RankWatch *w = look->watch;
    const size_t size = w->rows.n_rows * w->rows.n;
    const double both = look->margin + margin;
    double *const end = look->next;

    if (!(both > 2 * vector_distance(look->B, end, size)))
        return false;
    look->next = w->middle;
    margin_at(look, look->here + (theta - look->here) / 2);
    look->next = end;
    return both > 2 * vector_distance(look->B, w->middle, size) &&
           both > 2 * vector_distance(w->middle, end, size);
}

static void look_from(Look *look, double theta, double margin)
{
    double *old = look->B;
    look->B = look->next;
    look->next = old;
    look->here = theta;
    look->margin = margin;
    look->largest = fmax(look->largest, margin);
}

/* Advances over intervals with full rank; whether it reaches `most`. */
static bool march(Look *look, double most)
{
    double part = most - look->here;

    while (look->here < most) {
        part = fmin(part, most - look->here);
        const double next = margin_at(look, look->here + part);
        if (stays(look, look->here + part, next)) {
            look_from(look, look->here + part, next);
            part *= 2;
        } else if (part > MIN_INTERVAL * most) {
            part /= 2;
        } else {
            return false;
        }
    }
    return true;
}

/* Golden-section search for the smallest margin between a and c. */
static double closest(const Look *look, double a, double c, double *ret_margin)
{
    enum { SECTIONS = 32 };
    const double golden = 0.6180339887498949;
    double x = c - golden * (c - a), y = a + golden * (c - a);
    double at_x = margin_at(look, x), at_y = margin_at(look, y);

    /* keep the part around the smaller value; one of its points serves again */
    for (int k = 0; k < SECTIONS; k++) {
        if (at_x < at_y) {
            c = y;
            y = x;
            at_y = at_x;
            x = c - golden * (c - a);
            at_x = margin_at(look, x);
        } else {
            a = x;
            x = y;
            at_x = at_y;
            y = a + golden * (c - a);
            at_y = margin_at(look, y);
        }
    }
    *ret_margin = fmin(at_x, at_y);
    return at_x < at_y ? x : y;
}

/* Descends from `here` until the margin grows again (*ret_beyond), at most to `most`. Returns the
 * point of the smallest margin, or NAN if the margin still falls at `most`. */
static double descend(Look *look, double most, double *ret_beyond, double *ret_margin)
{
    double last = look->margin, before = look->here, from = look->here;

    for (double part = MIN_INTERVAL * most;; part *= 2) {
        const double to = fmin(most, look->here + part), margin = margin_at(look, to);
        if (margin > last) {
            *ret_beyond = to;
            return closest(look, before, to, ret_margin);
        }
        if (to >= most)
            return NAN;
        before = from;
        from = to;
        last = margin;
    }
}

double rank_watch_find(RankWatch *w, RankWay *way, void *self, double most, double tiny)
{
    Look look = {.watch = w,
                 .way = way,
                 .self = self,
                 .margin = *w->rows.now.margin,
                 .largest = *w->rows.now.margin,
                 .B = w->inner,
                 .next = w->after};

    w->margin_after = 0; /* `after` is used as scratch */
    rank_fill(&w->rows, &w->rows.now, w->rows.now.A, look.B, 0);
    while (!march(&look, most)) {
        double beyond = most, smallest = NAN;
        const double theta = descend(&look, most, &beyond, &smallest);
        if (isnan(theta) || smallest <= tiny * look.largest)
            return theta;
        /* not small enough: continue where the margin grows again */
        look_from(&look, beyond, margin_at(&look, beyond));
    }
    return NAN;
}
