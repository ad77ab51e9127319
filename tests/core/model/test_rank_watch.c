/* The rank of constraints along ways through the states of a model. */
#include <math.h>

#include "core/model/rank_watch.h"
#include "tests/core/model/sketch.h"
#include "tests/suite.h"

enum { N = 2 };

/* A straight way, theta in time and in length. */
typedef struct Line {
    double from[N], to[N], q[N], v[N];
} Line;

static void along(void *self, double theta, double *ret_t, const double **ret_q,
                  const double **ret_v)
{
    Line *line = self;
    for (int i = 0; i < N; i++)
        line->q[i] = line->from[i] + theta * (line->to[i] - line->from[i]);
    *ret_t = theta;
    *ret_q = line->q;
    *ret_v = line->v;
}

typedef struct Watched {
    Bench bench;
    Arena arena;
    RankWatch watch;
    Line line;
} Watched;

static const size_t FIRST[] = {0, 1};

static void watched_init(Watched *w, const char *constraint, Line line)
{
    const Sketch sketch = {.coordinates = "x y",
                           .parameters = "r=2, none=0, tiny=1e-6",
                           .lagrangian = "r/2*dot(x)^2 + dot(y)^2/2",
                           .constraints = {constraint}};
    const double *q, *v;
    double t;

    *w = (Watched){.line = line};
    bench_init(&w->bench, &sketch);
    along(&w->line, 0, &t, &q, &v);
    const bool needed = rank_watch_is_needed(w->bench.eval, t, q, v, FIRST, 1);
    rank_watch_init(&w->watch, w->bench.eval, needed ? FIRST : NULL, 1, &w->arena);
    rank_watch_start(&w->watch, t, q, v, true);
}

static void watched_done(Watched *w)
{
    arena_done(&w->arena);
    bench_done(&w->bench);
}

static bool suspects(Watched *w, double theta)
{
    const double *q, *v;
    double t;

    along(&w->line, theta, &t, &q, &v);
    return rank_watch_suspects(&w->watch, t, q, v, 0);
}

START_TEST(a_row_that_vanishes_is_found_where_it_does)
{
    static const char *const TEXTS[] = {"x*y = 0", "1e-9*x*y = 0", "1e9*x*y = 0"};
    Watched w;

    watched_init(&w, TEXTS[_i], (Line){.from = {-1, 0}, .to = {2, 0}});
    ck_assert(!suspects(&w, 0.2));
    ck_assert(suspects(&w, 1));
    ck_assert_double_eq_tol(rank_watch_find(&w.watch, along, &w.line, 1, 1e-3), 1.0 / 3, 1e-6);
    ck_assert_double_nan(rank_watch_find(&w.watch, along, &w.line, 0.3, 1e-3));
    watched_done(&w);
}
END_TEST

static bool is_clear(Watched *w, double theta)
{
    const double *q, *v;
    double t;

    (void)suspects(w, theta);
    along(&w->line, theta, &t, &q, &v);
    return rank_watch_is_clear(&w->watch, t);
}

START_TEST(rank_is_clear_far_from_where_it_is_lost)
{
    static const char *const TEXTS[] = {"x*y = 0", "1e-9*x*y = 0", "1e9*x*y = 0"};
    Watched w;

    watched_init(&w, TEXTS[_i], (Line){.from = {-1, 0}, .to = {2, 0}});
    ck_assert(is_clear(&w, 0.2));
    ck_assert(!rank_watch_is_clear(&w.watch, w.watch.seen_t + 1));
    ck_assert(!is_clear(&w, 1.0 / 3 - 1e-3));
    ck_assert(is_clear(&w, 0.6));
    /* a search looks elsewhere */
    ck_assert_double_nan(rank_watch_find(&w.watch, along, &w.line, 0.3, 1e-3));
    ck_assert(!rank_watch_is_clear(&w.watch, w.watch.seen_t));
    watched_done(&w);
}
END_TEST

/* y^2 = x^4: the row touches zero and comes back as it was. */
START_TEST(a_row_that_vanishes_twice_is_found)
{
    Watched w;

    watched_init(&w, "(y - x^2)*(y + x^2) = 0", (Line){.from = {-1, 0}, .to = {1, 0}});
    ck_assert(suspects(&w, 1));
    ck_assert_double_eq_tol(rank_watch_find(&w.watch, along, &w.line, 1, 1e-3), 0.5, 1e-3);
    watched_done(&w);
}
END_TEST

START_TEST(a_row_that_only_turns_is_not_suspected_for_long)
{
    Watched w;

    watched_init(&w, "x^2 + y^2 = r^2", (Line){.from = {-1, 1}, .to = {1, 1}});
    ck_assert(!suspects(&w, 0.3));
    ck_assert_double_nan(rank_watch_find(&w.watch, along, &w.line, 1, 1e-3));
    watched_done(&w);
}
END_TEST

START_TEST(rows_that_cannot_become_dependent_are_not_watched)
{
    static const char *const TEXTS[] = {"x + 3*y = r",     "dot(x) = y*dot(y)",
                                        "x = cos(y)",      "r*dot(x) = y*dot(y)",
                                        "r*x = (r - 1)*y", "r*sin(y)*dot(x) = r*cos(y)*dot(y)"};
    Watched w;

    watched_init(&w, TEXTS[_i], (Line){.from = {-1, 1}, .to = {1, 1}});
    ck_assert_ptr_null(w.watch.rows.rows);
    ck_assert(!suspects(&w, 1));
    watched_done(&w);
}
END_TEST

/* A value of parameters is seen as it is: of nothing, or next to nothing, it is no own velocity. */
START_TEST(coefficients_that_are_values_of_parameters_are_looked_at)
{
    static const char *const TEXTS[] = {"none*dot(x) = y*dot(y)", "tiny*dot(x) = y*dot(y)"};
    Watched w;

    watched_init(&w, TEXTS[_i], (Line){.from = {0, 1}, .to = {0, -1}});
    ck_assert(suspects(&w, 1));
    ck_assert_double_eq_tol(rank_watch_find(&w.watch, along, &w.line, 1, 1e-3), 0.5, 1e-6);
    watched_done(&w);
}
END_TEST

SUITE(rank_watch)
{
    TCase *tc = suite_case(suite, "rank watch");
    tcase_add_loop_test(tc, a_row_that_vanishes_is_found_where_it_does, 0, 3);
    tcase_add_loop_test(tc, rank_is_clear_far_from_where_it_is_lost, 0, 3);
    tcase_add_test(tc, a_row_that_vanishes_twice_is_found);
    tcase_add_test(tc, a_row_that_only_turns_is_not_suspected_for_long);
    tcase_add_loop_test(tc, rows_that_cannot_become_dependent_are_not_watched, 0, 6);
    tcase_add_loop_test(tc, coefficients_that_are_values_of_parameters_are_looked_at, 0, 2);
}
