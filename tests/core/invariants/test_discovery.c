/* First integrals found without hints, moving energies, and the small linear algebra and arithmetic
 * behind them. What is found is checked by differences along the motion, not by its own verdict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/invariants/search/columns.h"
#include "core/invariants/search/names.h"
#include "core/invariants/search/problem.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

/* Helpers. */

/* The values of texts at the setting's states: [n_states][n]. */
static double *values_of(const Setting *s, const char *const *texts, size_t n)
{
    ExprPool *pool = s->context.pool;
    ExprScope *scope = model_scope(s->model, pool, false, NULL);
    double *values = calloc(s->context.states->n_states * n, sizeof *values);
    Expr e[16];
    Diagnostics diag;

    diagnostics_init(&diag, s->arena);
    for (size_t k = 0; k < n; k++) {
        e[k] = expr_parse(pool, scope, texts[k], PARSE_EXPRESSION, "", &diag);
        ck_assert_msg(!expr_is_none(e[k]), "%s", texts[k]);
    }
    ck_assert_int_eq(analysis_evaluate(&s->context, e, n, s->context.states, values, NULL), OK);
    expr_scope_free(scope);
    return values;
}

typedef struct Table {
    const double *values; /* [rows][n] */
    size_t rows, n;
} Table;

static double fill_from_table(const void *self, size_t k, double *column)
{
    const Table *t = self;
    for (size_t i = 0; i < t->rows; i++)
        column[i] = t->values[i * t->n + k];
    return vector_length(column, t->rows);
}

static Columns search_table(const Table *t, Arena *arena)
{
    const ColumnSource source = {.n = t->n, .rows = t->rows, .fill = fill_from_table, .self = t};
    Columns columns;

    ck_assert_int_eq(columns_search(&source, arena, &columns, NULL), OK);
    return columns;
}

/* Whether a quantity is, at admissible states, a linear combination of others and 1. */
static bool is_combination(const Setting *s, const char *quantity, const char *const *others,
                           size_t n)
{
    const char *texts[16] = {"1"};

    memcpy(texts + 1, others, n * sizeof *others);
    texts[n + 1] = quantity;
    double *values = values_of(s, texts, n + 2);
    const Table table = {values, s->context.states->n_states, n + 2};
    const Columns columns = search_table(&table, s->arena);
    free(values);
    return columns_combination(&columns, n + 1) != NULL;
}

/* The expressions found, of one kind; each must be conserved by differences. */
static size_t found(const Setting *s, const char *kind, const char **ret_texts, size_t most)
{
    size_t n = 0;

    for (size_t k = 0; k < s->findings.n_verdicts; k++) {
        const Verdict *v = &s->findings.verdicts[k];
        if (strcmp(v->kind, kind) != 0 || v->predicted != PREDICTED_YES)
            continue;
        double rate = setting_rate(s, v->expression);
        ck_assert_msg(rate <= 2e-6, "%s changes by %g", v->expression, rate);
        ck_assert_ptr_nonnull(v->reason);
        if (n < most)
            ret_texts[n++] = v->expression;
    }
    return n;
}

static size_t discover(Setting *s, const char **ret_texts, size_t most)
{
    setting_run(s, "discovery", NULL);
    return found(s, "first integral", ret_texts, most);
}

/* Small parts. */

START_TEST(a_planted_combination_comes_out_of_the_columns)
{
    enum { ROWS = 40, COLUMNS = 12 };
    Random random;
    Arena arena = {0};
    double values[ROWS * COLUMNS];

    random_init(&random, 5);
    for (size_t i = 0; i < ROWS; i++) {
        double *row = values + i * COLUMNS;
        for (size_t k = 0; k + 1 < COLUMNS; k++)
            row[k] = pow(10, (double)k - 5) * random_normal(&random);
        row[COLUMNS - 1] = 0.5 * row[2] - 0.25 * row[7];
    }
    const Columns found = search_table(&(Table){values, ROWS, COLUMNS}, &arena);
    ck_assert_uint_eq(found.n_kept, COLUMNS - 1);
    ck_assert_uint_eq(found.n_combinations, 1);
    const double *coefs = columns_combination(&found, COLUMNS - 1);
    for (size_t k = 0; k < COLUMNS; k++) {
        const double planted = k == 2 ? -0.5 : k == 7 ? 0.25 : k == COLUMNS - 1;
        ck_assert_double_eq_tol(coefs[k], planted, 1e-8);
    }
    ck_assert_double_gt(found.gap, 1e12);
    arena_done(&arena);
}
END_TEST

/* Column 0 is zero, 2 twice 1; 4 is all that is left after the first combination. */
START_TEST(columns_leave_out_what_is_zero_and_stop_when_told)
{
    static const double VALUES[4 * 5] = {0, 1, 2, 0, 1, 0, 2, 4, 1, 0,
                                         0, 0, 0, 5, 5, 0, 1, 2, 0, 3};
    static const size_t SOME[] = {1, 3, 4};
    const Table table = {VALUES, 4, 5};
    ColumnSource source = {.n = 5, .rows = 4, .most = 1, .fill = fill_from_table, .self = &table};
    Columns columns;
    Arena arena = {0};

    ck_assert_int_eq(columns_search(&source, &arena, &columns, NULL), OK);
    ck_assert_double_eq(columns.scale[0], 0);
    ck_assert_uint_eq(columns.n_kept, 1);
    ck_assert_uint_eq(columns.n_combinations, 1);
    ck_assert_double_eq_tol(columns_combination(&columns, 2)[1], -2, 1e-15);
    ck_assert_ptr_null(columns_combination(&columns, 0));
    source.most = 0;
    source.which = SOME;
    source.n_which = 3;
    ck_assert_int_eq(columns_search(&source, &arena, &columns, NULL), OK);
    ck_assert_uint_eq(columns.n_kept, 3);
    ck_assert_uint_eq(columns.n_combinations, 0);
    ck_assert_uint_eq(columns.kept[1], 3);
    arena_done(&arena);
}
END_TEST

START_TEST(a_column_that_is_nearly_dependent_leaves_no_gap)
{
    static const double VALUES[3 * 3] = {1, 1, 1, 0, 1e-8, 0, 0, 0, 1e-10};
    Arena arena = {0};

    ck_assert_double_lt(search_table(&(Table){VALUES, 3, 3}, &arena).gap, 1e4);
    arena_done(&arena);
}
END_TEST

START_TEST(moves_find_the_short_form)
{
    /* (1 1 1 0) + (-1 -1 0 2) / ... = (0 0 1 2): two terms instead of three */
    const double move[] = {-1, -1, 0, 2}, cost[] = {1, 1, 1, 1};
    double vector[] = {1, 1, 1, 0};
    Moves m;
    Arena arena = {0};

    moves_init(&m, &arena, 4, 1);
    moves_add(&m, move);
    moves_shorten(&m, cost, vector);
    ck_assert_double_eq(vector[0], 0);
    ck_assert_double_eq(vector[1], 0);
    ck_assert_double_eq(vector[2], 1);
    ck_assert_double_eq(vector[3], 2);
    arena_done(&arena);
}
END_TEST

START_TEST(products_of_known_integrals_are_known)
{
    enum { ROWS = 50 };
    Random random;
    Known known;
    Arena arena = {0};
    double a[ROWS], b[ROWS], energy[ROWS], c[ROWS], d[ROWS];

    random_init(&random, 6);
    for (size_t i = 0; i < ROWS; i++) {
        a[i] = random_normal(&random);
        b[i] = random_normal(&random);
        energy[i] = random_normal(&random);
        d[i] = random_normal(&random);
    }
    ck_assert_int_eq(known_init(&known, &arena, ROWS, 2, 2, NULL), OK);
    ck_assert_int_eq(known_add(&known, a, 1, false, NULL), OK);
    ck_assert_int_eq(known_judge(&known, b), NOVEL);
    ck_assert_int_eq(known_add(&known, b, 1, false, NULL), OK);
    ck_assert_int_eq(known_add(&known, energy, 2, true, NULL), OK);
    for (size_t i = 0; i < ROWS; i++)
        c[i] = 3 * a[i] * b[i] - b[i] * b[i] + a[i] - 7;
    ck_assert_int_eq(known_judge(&known, c), REPEATED);
    for (size_t i = 0; i < ROWS; i++)
        c[i] = 2 * energy[i] + b[i] - 1;
    ck_assert_int_eq(known_judge(&known, c), REPEATED);
    for (size_t i = 0; i < ROWS; i++)
        c[i] = 2 * energy[i] - a[i] * a[i];
    ck_assert_int_eq(known_judge(&known, c), REMAINDER);
    ck_assert_int_eq(known_add(&known, d, 0, false, NULL), OK);
    for (size_t i = 0; i < ROWS; i++)
        c[i] = 2 * energy[i] * d[i] - a[i] * a[i];
    ck_assert_int_eq(known_judge(&known, c), REPEATED);
    for (size_t i = 0; i < ROWS; i++)
        c[i] = a[i] * a[i] * b[i]; /* of degree 3 */
    ck_assert_int_eq(known_judge(&known, c), NOVEL);
    arena_done(&arena);
}
END_TEST

/* f(x, y, z) at random points, and what is made of it. */
static bool fit(double (*f)(const double *), unsigned degree, char *text, size_t size)
{
    enum { MOST = 200 };
    const size_t count = ratio_samples(3, degree);
    static const char *const NAMES[] = {"x", "y", "z"};
    double points[3 * MOST], values[MOST];
    ExprPool *pool = expr_pool_new((ExprLimits){0, 0});
    const Expr variables[] = {expr_symbol(pool, 0), expr_symbol(pool, 1), expr_symbol(pool, 2)};
    Expr above, below;
    Random random;
    Text out = TEXT_INIT;
    bool found_it;

    ck_assert_uint_le(count, MOST);
    random_init(&random, 7);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < 3; i++)
            points[3 * k + i] = random_uniform(&random, 0.5, 2);
        values[k] = f(points + 3 * k);
    }
    const RatioSamples samples = {3, count, points, values, variables};
    ck_assert_int_eq(ratio_fit(&samples, degree, pool, &above, &below, &found_it, NULL), OK);
    if (found_it) {
        const PrintNames names = {NAMES, 3};
        ck_assert_int_eq(
            expr_print(pool, expr_div(pool, above, below), PRINT_TEXT, names, 500, &out, NULL), OK);
        snprintf(text, size, "%s", text_string(&out));
    }
    text_done(&out);
    expr_pool_free(pool);
    return found_it;
}

static double damped(const double *p)
{
    return p[0] / (p[0] + p[1] * p[2] * p[2]);
}

static double thirds(const double *p)
{
    return (2 * p[0] + 3 * p[1]) / 4;
}

static double root(const double *p)
{
    return sqrt(p[0] + p[1]);
}

START_TEST(quotients_of_polynomials_are_recognised)
{
    char text[200];

    ck_assert(fit(damped, 3, text, sizeof text));
    ck_assert_str_eq(text, "x/(x + y*z^2)");
    ck_assert(fit(thirds, 1, text, sizeof text));
    ck_assert_str_eq(text, "x/2 + 3*y/4");
    ck_assert(!fit(root, 3, text, sizeof text));
}
END_TEST

/* Systems whose first integrals are known. */

START_TEST(the_nonholonomic_particle_has_two_squares)
{
    Setting *s = setting_new(&(SettingModel){.coordinates = {"x", "y", "z"},
                                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                                             .constraints = {"dot(z) + x*dot(y)"}});
    const char *texts[8];
    size_t n = discover(s, texts, 8);

    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(texts[0], "dot(x)");
    /* of the energy and dot(x)^2 only together; not listed: 2 energy, dot(x)^2 */
    ck_assert(is_combination(s, "(1 + x^2)*dot(y)^2", texts + 2, 1));
    setting_free(s);
}
END_TEST

static const SettingModel CARRIAGE = {
    .coordinates = {"psi1", "psi2", "x", "y", "theta"},
    .lagrangian = "3/2*(dot(x)^2 + dot(y)^2) + 3*dot(theta)*(cos(theta)*dot(y) - "
                  "sin(theta)*dot(x)) + dot(theta)^2 + (dot(psi1)^2 + dot(psi2)^2)/4",
    .constraints = {"dot(x) = -cos(theta)*(dot(psi1) + dot(psi2))/2",
                    "dot(y) = -sin(theta)*(dot(psi1) + dot(psi2))/2",
                    "dot(theta) = dot(psi2) - dot(psi1)"}};

START_TEST(the_carriage_at_the_special_length_has_k3_and_k4)
{
    /* K = m0 l R/(2 c) = 3, H = (m R^2 + 2 J2)/(2 R) = 2 */
    static const char K3[] = "-3*sin(theta)*(dot(psi1) - dot(psi2))"
                             " + 2*cos(theta)*(dot(psi1) + dot(psi2))",
                      K4[] = "3*cos(theta)*(dot(psi1) - dot(psi2))"
                             " + 2*sin(theta)*(dot(psi1) + dot(psi2))";
    Setting *s = setting_new(&CARRIAGE);
    const char *texts[8];
    size_t n = discover(s, texts, 8);
    bool k3 = false, k4 = false, holonomic = false;

    for (size_t k = 0; k < n; k++) {
        k3 |= is_combination(s, K3, texts + k, 1);
        k4 |= is_combination(s, K4, texts + k, 1);
        holonomic |= is_combination(s, "theta + psi1 - psi2", texts + k, 1);
    }
    ck_assert(k3);
    ck_assert(k4);
    ck_assert(holonomic);
    setting_free(s);
}
END_TEST

START_TEST(the_carriage_at_another_length_has_neither)
{
    SettingModel model = CARRIAGE;
    model.lagrangian = "3/2*(dot(x)^2 + dot(y)^2) + 5/2*dot(theta)*(cos(theta)*dot(y) - "
                       "sin(theta)*dot(x)) + dot(theta)^2 + (dot(psi1)^2 + dot(psi2)^2)/4";
    Setting *s = setting_new(&model);
    const char *texts[8];

    discover(s, texts, 8);
    for (size_t k = 0; k < s->findings.n_verdicts; k++) {
        /* what it does have linear in the velocities or below is the integrable constraint */
        const char *text = s->findings.verdicts[k].expression;
        ck_assert_msg(is_combination(s, "theta + psi1 - psi2", &text, 1) || strchr(text, '^') ||
                          strstr(text, ")*dot"),
                      "%s", text);
    }
    setting_free(s);
}
END_TEST

START_TEST(the_ball_in_the_cylinder_has_F_and_K_and_no_third)
{
    Setting *s = setting_new(&(SettingModel){
        .coordinates = {"z", "gamma", "phi", "psi", "theta"},
        .lagrangian = "(25/16*dot(gamma)^2 + dot(z)^2)/2 + (dot(theta)^2 + dot(phi)^2 + dot(psi)^2"
                      " + 2*dot(phi)*dot(psi)*cos(theta))/16 - 3/2*z",
        .constraints = {"5/4*dot(gamma) + (dot(phi) + dot(psi)*cos(theta))/2 = 21/16",
                        "dot(z) + (dot(psi)*sin(theta)*cos(gamma - phi)"
                        " + dot(theta)*sin(gamma - phi))/2"},
        .centre = {0.3, 0.3, 0.3, 0.3, 1.6}});
    const char *texts[8];
    size_t n = discover(s, texts, 8);

    ck_assert_uint_eq(n, 2);
    ck_assert(is_combination(s, "(dot(phi) + dot(psi)*cos(theta))/8 - 5/8*dot(gamma)", texts, 2));
    ck_assert(is_combination(
        s,
        "((dot(theta)*cos(phi) + dot(psi)*sin(phi)*sin(theta))*cos(gamma)"
        " + (dot(theta)*sin(phi) - dot(psi)*cos(phi)*sin(theta))*sin(gamma))/2 - z*dot(gamma)",
        texts, 2));
    setting_free(s);
}
END_TEST

static const SettingModel TURNTABLE = {
    .coordinates = {"x", "y", "phi", "psi", "theta"},
    .lagrangian = "3/4*(dot(x)^2 + dot(y)^2) + (dot(theta)^2 + dot(phi)^2 + dot(psi)^2"
                  " + 2*dot(phi)*dot(psi)*cos(theta))/8",
    .constraints = {"dot(x) - (dot(theta)*sin(phi) - dot(psi)*cos(phi)*sin(theta))/2 + 3/4*y",
                    "dot(y) + (dot(theta)*cos(phi) + dot(psi)*sin(phi)*sin(theta))/2 - 3/4*x"},
    .centre = {0.3, 0.3, 0.3, 0.3, 1.6}};

static const char TURNTABLE_J[] =
    "3/4*(dot(x)^2 + dot(y)^2) + (dot(theta)^2 + dot(phi)^2 + dot(psi)^2"
    " + 2*dot(phi)*dot(psi)*cos(theta))/8 - 3/4*(3/2*(x*dot(y) - y*dot(x))"
    " + (dot(phi) + dot(psi)*cos(theta))/4)";

START_TEST(the_ball_on_a_turntable_has_a_moving_energy)
{
    static const char *const LINEAR[] = {"dot(phi) + dot(psi)*cos(theta)", "dot(x) + 3/10*y",
                                         "dot(y) - 3/10*x"};
    Setting *s = setting_new(&TURNTABLE);
    const char *texts[8];
    size_t n = discover(s, texts, 8);

    for (size_t k = 0; k < 3; k++)
        ck_assert_msg(is_combination(s, LINEAR[k], texts, n), "%s", LINEAR[k]);
    ck_assert(is_combination(s, TURNTABLE_J, texts, n));
    ck_assert_ptr_nonnull(setting_verdict(s, "moving_energy_found"));
    setting_free(s);
}
END_TEST

START_TEST(a_moving_energy_is_searched_for)
{
    Setting *s = setting_new(&TURNTABLE);
    const char *texts[8];

    setting_run(s, "moving_energy", NULL);
    ck_assert_uint_eq(found(s, "moving energy", texts, 8), 1);
    const char *with[] = {texts[0], "dot(phi) + dot(psi)*cos(theta)"};
    ck_assert(is_combination(s, TURNTABLE_J, with, 2));
    setting_free(s);
}
END_TEST

/* {"name": .., "generator": {"x": .., "y": .., "phi": ..}} */
static Value *field(Arena *arena, Value *list, const char *name, const char *x, const char *y,
                    const char *phi)
{
    Value *record = value_add(arena, list, NULL, VALUE_RECORD);
    value_add_text(arena, record, "name", name);
    Value *generator = value_add(arena, record, "generator", VALUE_RECORD);
    value_add_text(arena, generator, "x", x);
    value_add_text(arena, generator, "y", y);
    value_add_text(arena, generator, "phi", phi);
    return record;
}

START_TEST(given_fields_are_judged)
{
    Setting *s = setting_new(&TURNTABLE);
    Value *options = value_new_record(s->arena);
    Value *fields = value_add(s->arena, options, "fields", VALUE_LIST);

    field(s->arena, fields, "table", "-3/4*y", "3/4*x", "3/4");
    field(s->arena, fields, "slow", "-3/8*y", "3/8*x", "3/8");
    setting_run(s, "moving_energy", options);
    const Verdict *table = setting_verdict(s, "energy - p.table"),
                  *slow = setting_verdict(s, "energy - p.slow");
    ck_assert_int_eq(table->predicted, PREDICTED_YES);
    ck_assert_int_eq(table->evidence, EVIDENCE_IDENTITY);
    ck_assert_double_le(setting_rate(s, table->expression), 1e-6);
    ck_assert_int_eq(slow->predicted, PREDICTED_NO);
    ck_assert_double_ge(setting_rate(s, slow->expression), 1e-3);
    ck_assert_ptr_nonnull(strstr(slow->reason, "reaction of c1"));
    /* kinetic energy of v - zeta, and the centrifugal potential */
    const Value *record =
        value_member(value_member(s->findings.record, "moving_energy"), "fields")->first;
    const char *potential = value_member(record, "potential")->text;
    double *values =
        values_of(s, (const char *const[]){potential, "-27/64*(x^2 + y^2) - 9/128"}, 2);
    for (size_t k = 0; k < s->context.states->n_states; k++)
        ck_assert_double_eq_tol(values[2 * k], values[2 * k + 1], 1e-12);
    free(values);
    setting_free(s);
}
END_TEST

START_TEST(a_free_particle_has_its_momenta_and_no_products_of_them)
{
    Setting *s = setting_new(
        &(SettingModel){.coordinates = {"x", "y"}, .lagrangian = "(dot(x)^2 + dot(y)^2)/2"});
    const char *texts[16];
    size_t n = discover(s, texts, 16);

    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(texts[0], "dot(x)");
    ck_assert_str_eq(texts[1], "dot(y)");
    ck_assert(is_combination(s, "x*dot(y) - y*dot(x)", texts, 3));
    setting_free(s);
}
END_TEST

/* What is nearly an integral is none, and the reason is not that numbers were rounded: here none
 * were. */
START_TEST(an_integral_that_is_nearly_one_is_none)
{
    static const struct {
        const char *lagrangian, *expression;
        Predicted predicted;
        const char *reason;
    } CASES[] = {
        {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2)/2 - 1e-13*x", "x*dot(y) - y*dot(x)", PREDICTED_NO,
         "Yet it is no integral: it changes there, by up to"},
        {"(dot(x)^2 + dot(y)^2)/2 - 5*exp(-((x - 60)/1e-4)^2)", "dot(x)", PREDICTED_NO,
         "by less than doubles show"},
        {"(dot(x)^2 + dot(y)^2)/2 - if(x > 90, 1, 0)", "dot(x)", PREDICTED_UNDECIDED,
         "a condition changes"},
        {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2)/2 - 1e-13*sqrt(2)*x*x", "dot(x)^2 + x^2",
         PREDICTED_NO, "Yet it is no integral"},
    };
    const SettingModel model = {.coordinates = {"x", "y"}, .lagrangian = CASES[_i].lagrangian};
    Setting *s = setting_new(&model);
    const Verdict *found = NULL;

    setting_run(s, "discovery", NULL);
    for (size_t k = 0; k < s->findings.n_verdicts; k++)
        if (strcmp(s->findings.verdicts[k].expression, CASES[_i].expression) == 0)
            found = &s->findings.verdicts[k];
    ck_assert_msg(found != NULL, "%s is not found", CASES[_i].expression);
    ck_assert_int_eq(found->predicted, CASES[_i].predicted);
    ck_assert_msg(strstr(found->reason, CASES[_i].reason) != NULL, "%s", found->reason);
    setting_free(s);
}
END_TEST

/* 50/141 is 0.354609929078 but for 4e-14 of it: the fraction is what is proved. */
START_TEST(a_coefficient_is_a_fraction_rather_than_a_long_decimal)
{
    Setting *s =
        setting_new(&(SettingModel){.coordinates = {"x", "y", "w"},
                                    .lagrangian = "dot(x)^2 + dot(y)^2 + dot(w)^2 - x^4 - y^2*w",
                                    .constraints = {"dot(w) - 141*dot(y)/50 - 2*t = 0"}});
    const char *texts[8];
    const size_t n = discover(s, texts, 8);

    ck_assert_uint_ge(n, 1);
    ck_assert(is_combination(s, "50*t^2 + 141*y - 50*w", texts, 1));
    setting_free(s);
}
END_TEST

/* The cases of M. Henon and C. Heiles' potential x^2 y + b y^3 / 3 that have an integral quadratic
 * in the velocities: b = 1 (A. Aizawa, N. Saito) and b = 6 (J. Greene); -1 is theirs. */
START_TEST(integrals_have_the_degree_that_the_potential_asks_for)
{
    static const struct {
        const char *lagrangian, *integral;
    } CASES[] = {
        {"(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2 - x^2*y - y^3/3",
         "3*dot(x)*dot(y) + 3*x*y + x^3 + 3*x*y^2"},
        {"(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2 - x^2*y - 2*y^3",
         "x^4 + 4*x^2*y^2 - 4*dot(x)*(y*dot(x) - x*dot(y)) + 4*x^2*y + 3*dot(x)^2 + 3*x^2"},
        {"(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2 - x^2*y + y^3/3", NULL},
    };
    const SettingModel model = {.coordinates = {"x", "y"}, .lagrangian = CASES[_i].lagrangian};
    Setting *s = setting_new(&model);
    const char *texts[4];
    const size_t n = discover(s, texts, 4);

    ck_assert_uint_eq(n, CASES[_i].integral != NULL);
    if (n)
        ck_assert_msg(is_combination(s, CASES[_i].integral, texts, n), "%s", texts[0]);
    setting_free(s);
}
END_TEST

#define PLANE "(dot(x)^2 + dot(y)^2)/2"
#define SPACE "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"

/* Superintegrable and integrable systems: oscillators in resonance (a barrier beside: P. Winternitz
 * et al.), Kepler's with the vector of Laplace, Runge and Lenz, Calogero's, Henon and Heiles' for b
 * = 16 (A. Ramani et al.), Toda's, Holt's. degree 0: not asked for. */
static const struct {
    unsigned degree;
    const char *lagrangian, *ansatz[4], *integral; /* one of them */
    size_t found;
} INTEGRABLE[] = {
    {0, PLANE "- (x^2 + 4*y^2)/2", {0}, "x*dot(x)*dot(y) - y*dot(x)^2 + x^2*y", 2},
    {0,
     PLANE "- (x^2 + 4*y^2)/2 - 3/x^2",
     {0},
     "x*dot(x)*dot(y) - y*dot(x)^2 + x^2*y - 6*y/x^2",
     2},
    {0, PLANE "- (x^2 + y^2)/2", {0}, "dot(x)*dot(y) + x*y", 3},
    {0, PLANE "+ 1/hypot(x, y)", {0}, "y*dot(x)*dot(y) - x*dot(y)^2 + x/hypot(x, y)", 3},
    {0, PLANE "- (x^2 + 9*y^2)/2", {0}, "dot(x)^2 + x^2", 1},
    {3,
     PLANE "- (x^2 + 9*y^2)/2",
     {0},
     "9*x^2*y*dot(x) + 3*x*dot(x)^2*dot(y) - 3*y*dot(x)^3 - x^3*dot(y)",
     2},
    {4,
     PLANE "- x^2/2 - 8*y^2 - x^2*y - 16*y^3/3",
     {0},
     "36*x^2*y*dot(x)^2 - 12*x^3*dot(x)*dot(y) + 9*dot(x)^4 + 18*x^2*dot(x)^2 - 12*x^4*y^2"
     " - 2*x^6 + 9*x^4 - 12*x^4*y",
     1},
    {4, PLANE "- (x^2 + y^2)/2 - x^2*y + y^3/3", {0}, NULL, 0},
    {3,
     SPACE "- exp(x - y) - exp(y - z)",
     {0},
     "exp(y - z)*dot(x) - dot(x)*dot(y)*dot(z) + exp(x - y)*dot(z)",
     3},
    {3,
     PLANE "- 3*cbrt(y)^4/4 - x^2/cbrt(y)^2",
     {"x*cbrt(y)", "cbrt(y)^4", "x^2/cbrt(y)^2"},
     "2*dot(x)^3 + 3*dot(x)*dot(y)^2 + (6*x^2/cbrt(y)^2 - 9*cbrt(y)^4)*dot(x)"
     " + 18*x*cbrt(y)*dot(y)",
     1},
};

static void add_texts(Setting *s, Value *ansatz, const char *name, const char *const *texts)
{
    Value *list = value_add(s->arena, ansatz, name, VALUE_LIST);

    for (size_t k = 0; texts[k]; k++)
        value_add_text(s->arena, list, NULL, texts[k]);
}

START_TEST(integrable_systems_have_the_integrals_of_the_books)
{
    const bool space = strstr(INTEGRABLE[_i].lagrangian, "dot(z)") != NULL;
    Setting *s = setting_new(&(SettingModel){.coordinates = {"x", "y", space ? "z" : NULL},
                                             .lagrangian = INTEGRABLE[_i].lagrangian,
                                             .centre = {1.5, 3}});
    Value *options = value_new_record(s->arena);
    const char *texts[16];
    size_t n = 0;

    if (INTEGRABLE[_i].degree)
        value_add_count(s->arena, options, "degree", INTEGRABLE[_i].degree);
    if (INTEGRABLE[_i].ansatz[0])
        add_texts(s, value_add(s->arena, options, "ansatz", VALUE_RECORD), "functions",
                  INTEGRABLE[_i].ansatz);
    setting_run(s, "discovery", options);
    for (size_t k = 0; k < s->findings.n_verdicts; k++) {
        ck_assert_int_eq(s->findings.verdicts[k].predicted, PREDICTED_YES);
        texts[n++] = s->findings.verdicts[k].expression;
    }
    ck_assert_uint_eq(n, INTEGRABLE[_i].found);
    if (n)
        ck_assert(is_combination(s, INTEGRABLE[_i].integral, texts, n));
    setting_free(s);
}
END_TEST

/* z is constant, and so are its powers, of which there are as many as the potential has. */
START_TEST(powers_of_what_is_known_are_not_listed)
{
    Setting *s = setting_new(&(SettingModel){.coordinates = {"x", "y", "z"},
                                             .lagrangian = SPACE "- (x^2 + 2*y^2)^4 - x*z",
                                             .constraints = {"dot(z) = 0"}});
    const char *texts[8];

    ck_assert_uint_eq(discover(s, texts, 8), 1);
    ck_assert_str_eq(texts[0], "z");
    setting_free(s);
}
END_TEST

/* Functions of what is listed that are no products of the degree at hand: the square of an integral
 * beside the energy, quotients, a moving energy. No more can be independent than there are
 * dimensions. */
START_TEST(functions_of_what_is_listed_are_not_listed)
{
    static const struct {
        SettingModel model;
        size_t n;
    } CASES[] = {
        {{.coordinates = {"x"}, .lagrangian = "dot(x)^2/2", .forces = {"x", "-0.7*dot(x)"}}, 1},
        {{.coordinates = {"x"}, .lagrangian = "1e-9*dot(x)^2/2", .forces = {"x", "-0.7e-9*dot(x)"}},
         1},
        {{.coordinates = {"x", "y"},
          .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
          .forces = {"x", "-0.7*dot(x)", "y", "-0.3*dot(y)"}},
         2},
        {{.coordinates = {"x", "y"},
          .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
          .constraints = {"dot(y) = x*dot(x)"},
          .forces = {"x", "-0.7*dot(x)"}},
         1},
        {{.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 + t*x"}, 2},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        Setting *s = setting_new(&CASES[k].model);
        const char *texts[16];
        const size_t n = discover(s, texts, 16);
        ck_assert_msg(n == CASES[k].n, "%zu: %zu, the last is %s", k, n, n ? texts[n - 1] : "");
        setting_free(s);
    }
}
END_TEST

START_TEST(the_energy_is_not_listed_again)
{
    static const char *const LAGRANGIANS[] = {
        "dot(x)^2/2 - cos(x)", "dot(x)^2*(2 + sin(x))/2 - x^2", "dot(x)^2/2 - x^4/4"};
    Setting *s = setting_new(&(SettingModel){.coordinates = {"x"}, .lagrangian = LAGRANGIANS[_i]});
    const char *texts[8];

    ck_assert_uint_eq(discover(s, texts, 8), 0);
    setting_free(s);
}
END_TEST

/* Random models. */

/* A random function of x, y: bounded, smooth. */
static void random_function(Random *random, char *text, size_t size, bool with_y)
{
    double a = random_uniform(random, 0.2, 0.9), b = random_uniform(random, 0.5, 1.5);
    int kind = (int)random_uniform(random, 0, 4);

    if (kind == 0)
        snprintf(text, size, "%.3f*sin(x)", a);
    else if (kind == 1)
        snprintf(text, size, with_y ? "%.3f*x*y" : "%.3f*x^2", a);
    else if (kind == 2)
        snprintf(text, size, with_y ? "%.3f*cos(x)*y" : "%.3f*cos(%.3f*x)", a, b);
    else
        snprintf(text, size, with_y ? "%.3f*sin(x + %.3f*y)" : "%.3f*sin(x + %.3f)", a, b);
}

/* With a constraint or not, affine or not, with friction, driven by time. Nothing contains z, so
 * that its momentum is conserved: *planted. */
static Setting *random_setting(uint64_t seed, char *planted, size_t size)
{
    char mass[200], potential[200], coupling[200], lagrangian[1000], constraint[600];
    Random random;

    random_init(&random, seed);
    random_function(&random, mass, sizeof mass, true);
    random_function(&random, potential, sizeof potential, true);
    random_function(&random, coupling, sizeof coupling, false);
    snprintf(lagrangian, sizeof lagrangian,
             "(dot(x)^2 + (3 + %s)*dot(y)^2 + 2*dot(z)^2)/2 + (%s)*dot(y)*dot(z) - (%s)%s",
             seed % 4 ? "y^2" : mass, coupling, potential, seed % 5 ? "" : " + x*sin(t)");
    snprintf(constraint, sizeof constraint, "dot(y) = (%s)*dot(x)%s", coupling,
             seed % 3 == 0 ? " + 1/4" : "");
    snprintf(planted, size, "2*dot(z) + (%s)*dot(y)", coupling);
    SettingModel model = {.coordinates = {"x", "y", "z"}, .lagrangian = lagrangian};
    if (seed % 2)
        model.constraints[0] = constraint;
    if (seed % 7 == 0) {
        model.forces[0] = "x";
        model.forces[1] = "-dot(x)/5";
    }
    return setting_new(&model);
}

START_TEST(what_random_models_are_said_to_conserve_they_conserve)
{
    enum { MODELS = SUITE_DRAWS(50) };
    const uint64_t first = 4000 + MODELS * (uint64_t)_i;
    size_t integrals = 0, energies = 0;

    for (uint64_t seed = first; seed < first + MODELS; seed++) {
        char planted[300];
        const char *texts[32];
        Setting *s = random_setting(seed, planted, sizeof planted);
        size_t n = discover(s, texts, 32);
        setting_run(s, "moving_energy", NULL);
        energies += found(s, "moving energy", texts + n, 32 - n);
        integrals += n;
        ck_assert_msg(is_combination(s, planted, texts, n), "seed %d: %s", (int)seed, planted);
        setting_free(s);
    }
    printf("discovery in %d random models (seeds from %d): %zu first integrals, the planted ones "
           "among them, %zu moving energies, no wrong verdict\n",
           MODELS, (int)first, integrals, energies);
}
END_TEST

/* Veselova's body: its angular velocity is horizontal, and so the horizontal components of its
 * angular momentum are kept, which are simple in the velocities of the body's axes. */
#define W1 "(dot(phi)*sin(th)*sin(psi) + dot(th)*cos(psi))"
#define W2 "(dot(phi)*sin(th)*cos(psi) - dot(th)*sin(psi))"
#define W3 "(dot(phi)*cos(th) + dot(psi))"

START_TEST(velocities_that_are_given_find_what_is_simple_in_them)
{
    static const char *const FUNCTIONS[] = {"cos(th)",  "sin(th)",  "cos(psi)", "sin(psi)",
                                            "cos(phi)", "sin(phi)", NULL};
    static const char *const VELOCITIES[] = {W1, W2, W3, NULL};
    static const SettingModel MODEL = {.coordinates = {"phi", "th", "psi"},
                                       .lagrangian =
                                           "(1.3*" W1 "^2 + 2.1*" W2 "^2 + 0.7*" W3 "^2)/2",
                                       .constraints = {"dot(phi) + dot(psi)*cos(th)"},
                                       .centre = {0.3, 1.2, 0.5}};
    size_t given[2] = {0};

    for (int with = 0; with < 2; with++) {
        Setting *s = setting_new(&MODEL);
        Value *options = value_new_record(s->arena);
        Value *ansatz = value_add(s->arena, options, "ansatz", VALUE_RECORD);
        value_add_count(s->arena, options, "degree", 1);
        add_texts(s, ansatz, "functions", FUNCTIONS);
        if (with)
            add_texts(s, ansatz, "velocities", VELOCITIES);
        setting_run(s, "discovery", options);
        for (size_t k = 0; k < s->findings.n_verdicts; k++) {
            const Verdict *verdict = &s->findings.verdicts[k];
            ck_assert_int_eq(verdict->predicted, PREDICTED_YES);
            ck_assert_double_lt(setting_rate(s, verdict->expression), 1e-6);
            given[with]++;
        }
        setting_free(s);
    }
    ck_assert_uint_eq(given[0], 0);
    ck_assert_uint_eq(given[1], 2);
}
END_TEST

SUITE(discovery)
{
    TCase *parts = suite_case(suite, "parts");
    tcase_add_test(parts, a_planted_combination_comes_out_of_the_columns);
    tcase_add_test(parts, columns_leave_out_what_is_zero_and_stop_when_told);
    tcase_add_test(parts, a_column_that_is_nearly_dependent_leaves_no_gap);
    tcase_add_test(parts, moves_find_the_short_form);
    tcase_add_test(parts, products_of_known_integrals_are_known);
    tcase_add_test(parts, quotients_of_polynomials_are_recognised);
    TCase *systems = suite_case(suite, "systems");
    tcase_add_test(systems, the_nonholonomic_particle_has_two_squares);
    tcase_add_test(systems, the_carriage_at_the_special_length_has_k3_and_k4);
    tcase_add_test(systems, the_carriage_at_another_length_has_neither);
    tcase_add_test(systems, the_ball_in_the_cylinder_has_F_and_K_and_no_third);
    tcase_add_test(systems, the_ball_on_a_turntable_has_a_moving_energy);
    tcase_add_test(systems, a_moving_energy_is_searched_for);
    tcase_add_test(systems, given_fields_are_judged);
    tcase_add_test(systems, a_free_particle_has_its_momenta_and_no_products_of_them);
    tcase_add_loop_test(systems, an_integral_that_is_nearly_one_is_none, 0, 4);
    tcase_add_test(systems, a_coefficient_is_a_fraction_rather_than_a_long_decimal);
    tcase_add_loop_test(systems, integrals_have_the_degree_that_the_potential_asks_for, 0, 3);
    tcase_add_loop_test(systems, integrable_systems_have_the_integrals_of_the_books, 0,
                        sizeof INTEGRABLE / sizeof *INTEGRABLE);
    tcase_add_test(systems, velocities_that_are_given_find_what_is_simple_in_them);
    tcase_add_test(systems, powers_of_what_is_known_are_not_listed);
    tcase_add_test(systems, functions_of_what_is_listed_are_not_listed);
    tcase_add_loop_test(systems, the_energy_is_not_listed_again, 0, 3);
    TCase *models = suite_case(suite, "random models");
    tcase_add_loop_test(models, what_random_models_are_said_to_conserve_they_conserve, 0,
                        SUITE_DRAWS(4));
}
