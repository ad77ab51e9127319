/* Folds of the Legendre transform between two states. */
#include "core/model/legendre_watch.h"

#include "tests/core/model/sketch.h"
#include "tests/suite.h"

/* M = 3 v^2 - 1 of x: negative between -0.577 and 0.577; y is heavier or lighter by far. */
static const Sketch FOLDED = {.coordinates = "x y",
                              .lagrangian = "dot(x)^4/4 - dot(x)^2/2 + 1e-20*dot(y)^2/2"};

typedef struct Watched {
    Bench bench;
    LegendreWatch watch;
} Watched;

static void begin(Watched *w)
{
    bench_init(&w->bench, &FOLDED);
    legendre_watch_init(&w->watch, w->bench.eval, w->bench.arena);
}

static bool folds(Watched *w, double speed)
{
    return legendre_watch_folds(&w->watch, 0, (double[]){0.3, 0}, (double[]){speed, 7});
}

START_TEST(slowing_down_on_one_branch_is_no_fold)
{
    Watched w;
    begin(&w);
    ck_assert(!folds(&w, 1.5));
    ck_assert(!folds(&w, 0.9));
    ck_assert(!folds(&w, 0.578));
    ck_assert(!folds(&w, 20));
    bench_done(&w.bench);
}
END_TEST

START_TEST(another_branch_lies_behind_a_fold)
{
    Watched w;
    begin(&w);
    ck_assert(!folds(&w, 0.6));
    ck_assert(folds(&w, -1.16)); /* M is as positive there */
    bench_done(&w.bench);
}
END_TEST

START_TEST(another_signature_lies_behind_a_fold)
{
    Watched w;
    begin(&w);
    ck_assert(!folds(&w, 0.5));
    ck_assert(!folds(&w, -0.5));
    ck_assert(folds(&w, 0.6));
    bench_done(&w.bench);
}
END_TEST

START_TEST(an_impact_leads_anywhere)
{
    Watched w;
    begin(&w);
    ck_assert(!folds(&w, 0.6));
    legendre_watch_restart(&w.watch);
    ck_assert(!folds(&w, -1.16));
    ck_assert(!folds(&w, -1.2));
    bench_done(&w.bench);
}
END_TEST

SUITE(legendre_watch)
{
    TCase *tc = suite_case(suite, "legendre_watch");
    tcase_add_test(tc, slowing_down_on_one_branch_is_no_fold);
    tcase_add_test(tc, another_branch_lies_behind_a_fold);
    tcase_add_test(tc, another_signature_lies_behind_a_fold);
    tcase_add_test(tc, an_impact_leads_anywhere);
}
