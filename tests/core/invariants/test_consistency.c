/* Sections of the multipliers: the curls against the brackets of a frame, verdicts against
 * difference quotients along the motion, planted systems and random ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/expr/parse/parse.h"
#include "core/invariants/consistency/study.h"
#include "core/motion/hamel/frame.h"
#include "core/numeric/dense.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

enum { MAX = SETTING_MAX };

static const SettingModel DISK = {
    .coordinates = {"x", "y", "theta", "phi"},
    .lagrangian = "dot(x)^2 + dot(y)^2 + 3/8*dot(theta)^2 + dot(phi)^2/4",
    .constraints = {"dot(x) = cos(phi)*dot(theta)/2", "dot(y) = sin(phi)*dot(theta)/2"}};
static const SettingModel PARTICLE = {.coordinates = {"x", "y", "z"},
                                      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                                      .constraints = {"dot(z) + x*dot(y)"}};

/* The last coordinates are the dependent ones. */
static Setting *prepare(const SettingModel *model)
{
    Setting *s = setting_new(model);
    const size_t n = s->model->n, r = s->model->r;
    size_t *dependent = arena_alloc(s->arena, r, sizeof *dependent);

    for (size_t k = 0; k < r; k++)
        dependent[k] = n - r + k;
    s->context.dependent = dependent;
    return s;
}

/* The disk has its dependent coordinates first. */
static Setting *prepare_disk(void)
{
    static const size_t DEPENDENT[] = {0, 1};
    Setting *s = setting_new(&DISK);
    s->context.dependent = DEPENDENT;
    return s;
}

static const Value *record_of(const Setting *s)
{
    const Value *record = value_member(s->findings.record, "consistency");
    ck_assert_ptr_nonnull(record);
    return record;
}

static const char *text_of(const Value *record, const char *name)
{
    const Value *member = value_member(record, name);
    ck_assert_msg(member && member->kind == VALUE_TEXT, "no %s", name);
    return member->text;
}

/* The oracle. */

static double value_at(const Setting *s, const ExprPool *pool, Expr e, double t, const double *q,
                       const double *v)
{
    double symbols[8 * MAX] = {0}, value;

    symbols[0] = t;
    memcpy(symbols + 1, q, s->model->n * sizeof *symbols);
    memcpy(symbols + 1 + s->model->n, v, s->model->n * sizeof *symbols);
    ck_assert_int_eq(expr_eval(pool, &e, 1, symbols, &value, NULL), OK);
    return value;
}

/* mu_a C_a by central differences of A. */
static void curl_force(const Setting *s, size_t state, const double *mu, double *ret)
{
    static const double H = 1e-5;
    const Trajectory *states = s->context.states;
    const size_t n = s->model->n, r = s->model->r;
    const double *v = states->v + state * n;
    double q[MAX], slope[MAX][MAX * MAX];

    memcpy(q, states->q + state * n, n * sizeof *q);
    for (size_t j = 0; j < n; j++) {
        double there[MAX * MAX], at = q[j];
        q[j] = at + H;
        memcpy(there, model_point(s->eval, states->t[state], q, v).A, r * n * sizeof *there);
        q[j] = at - H;
        const double *back = model_point(s->eval, states->t[state], q, v).A;
        for (size_t i = 0; i < r * n; i++)
            slope[j][i] = (there[i] - back[i]) / (2 * H);
        q[j] = at;
    }
    memset(ret, 0, n * sizeof *ret);
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                ret[i] += mu[a] * (slope[j][a * n + i] - slope[i][a * n + j]) * v[j];
}

/* How far the section is from strong consistency, relative to its terms and what acts. */
static double distance(const Setting *s, const ExprPool *pool, const Expr *section)
{
    static const double H = 1e-4;
    const Trajectory *states = s->context.states;
    const size_t n = s->model->n, r = s->model->r;
    double worst = 0;

    for (size_t k = 0; k < states->n_states; k++) {
        const double *q = states->q + k * n, *v = states->v + k * n, *vdot = states->vdot + k * n;
        double mu[MAX], rest[MAX], size = 0, sum = 0, q1[2][MAX], v1[2][MAX];
        for (size_t i = 0; i < n; i++)
            for (int side = 0; side < 2; side++) {
                double h = side ? H : -H;
                q1[side][i] = q[i] + h * v[i] + h * h / 2 * vdot[i];
                v1[side][i] = v[i] + h * vdot[i];
            }
        for (size_t a = 0; a < r; a++)
            mu[a] = value_at(s, pool, section[a], states->t[k], q, v);
        curl_force(s, k, mu, rest);
        ModelPoint p = model_point(s->eval, states->t[k], q, v);
        for (size_t i = 0; i < n; i++) {
            size += fabs(rest[i]) + fabs(p.l[i]) + fabs(p.F[i]);
            for (size_t j = 0; j < n; j++)
                size += fabs(p.M[i * n + j]) * (fabs(vdot[j]) + fabs(v[j]));
        }
        for (size_t a = 0; a < r; a++) {
            double rate = (value_at(s, pool, section[a], states->t[k] + H, q1[1], v1[1]) -
                           value_at(s, pool, section[a], states->t[k] - H, q1[0], v1[0])) /
                              (2 * H) -
                          states->lambda[k * r + a];
            for (size_t i = 0; i < n; i++)
                rest[i] += p.A[a * n + i] * rate;
        }
        for (size_t i = 0; i < n; i++)
            sum += fabs(rest[i]);
        worst = fmax(worst, sum / size);
    }
    return worst;
}

/* Each section that was found says of itself what the oracle says. The oracle's errors lie between
 * 1e-9 and 1e-5 where functions are steep. */
static void check_sections(Setting *s, uint64_t seed)
{
    ExprPool *pool = expr_pool_clone(s->model->pool);
    ExprScope *scope = model_scope(s->model, pool, false, NULL);
    Diagnostics *diag = arena_alloc(s->arena, 1, sizeof *diag);
    diagnostics_init(diag, s->arena);

    const Value *list = value_member(record_of(s), "sections");
    for (const Value *item = list->first; item; item = item->next) {
        Expr mu[MAX];
        size_t a = 0;
        for (const Value *m = value_member(item, "multipliers")->first; m; m = m->next) {
            ck_assert_str_eq(m->name, s->model->constraints[a].name);
            mu[a] = expr_parse(pool, scope, m->text, PARSE_EXPRESSION, "", diag);
            ck_assert_msg(!expr_is_none(mu[a++]), "%s", m->text);
        }
        double far = distance(s, pool, mu);
        const char *strong = text_of(item, "strong");
        if (strcmp(strong, "yes") == 0)
            ck_assert_msg(far < 1e-5, "seed %llu: %s is not strong: %g", (unsigned long long)seed,
                          text_of(item, "section"), far);
        else if (strcmp(strong, "no") == 0)
            ck_assert_msg(far > 1e-9, "seed %llu: %s is strong: %g", (unsigned long long)seed,
                          text_of(item, "section"), far);
    }
    expr_scope_free(scope);
    expr_pool_free(pool);
}

/* Known systems. */

START_TEST(the_disk_is_strongly_consistent_on_its_momenta)
{
    Setting *s = prepare_disk();
    setting_run(s, "consistency", NULL);
    const Verdict *verdict = setting_verdict(s, "consistency");

    ck_assert_int_eq(verdict->predicted, PREDICTED_YES);
    ck_assert_uint_ge(verdict->states, 32);
    ck_assert_double_lt(verdict->largest, 1e-13);
    ck_assert_str_eq(verdict->expression, "mu = p on d/dx, d/dy");
    ck_assert_str_eq(text_of(record_of(s), "weak"), "yes");
    ck_assert_ptr_null(value_member(record_of(s), "individual")); /* there is no motion */
    check_sections(s, 0);
    setting_free(s);
}
END_TEST

/* L - p_a w^a of the disk: L_c with the momenta's terms turned round. */
START_TEST(the_variational_lagrangian_is_printed)
{
    Setting *s = prepare_disk();
    setting_run(s, "consistency", NULL);
    ExprPool *pool = expr_pool_clone(s->model->pool);
    ExprScope *scope = model_scope(s->model, pool, false, NULL);
    Diagnostics *diag = arena_alloc(s->arena, 1, sizeof *diag);
    diagnostics_init(diag, s->arena);
    const char *texts[] = {text_of(record_of(s), "variational_lagrangian"),
                           "3/8*dot(theta)^2 + dot(phi)^2/4 - dot(x)^2 - dot(y)^2 + "
                           "dot(theta)*(cos(phi)*dot(x) + sin(phi)*dot(y))"};
    Expr e[2], expanded;
    for (int k = 0; k < 2; k++)
        e[k] = expr_parse(pool, scope, texts[k], PARSE_EXPRESSION, "", diag);
    Expr difference = expr_sub(pool, e[0], e[1]);
    expr_expand(pool, &difference, 1, &expanded);
    ck_assert_msg(expr_is_zero(pool, expanded), "%s", texts[0]);
    expr_scope_free(scope);
    expr_pool_free(pool);
    setting_free(s);
}
END_TEST

START_TEST(the_particle_is_consistent_on_no_section)
{
    Setting *s = prepare(&PARTICLE);
    setting_run(s, "consistency", NULL);
    const Verdict *verdict = setting_verdict(s, "consistency");
    const Value *section = value_member(record_of(s), "sections")->first;

    ck_assert_int_eq(verdict->predicted, PREDICTED_NO);
    ck_assert_int_eq(verdict->evidence, EVIDENCE_COUNTEREXAMPLE);
    ck_assert_str_eq(text_of(record_of(s), "weak"), "yes"); /* mu = 0 */
    ck_assert_str_eq(text_of(section, "section"), "mu = p on d/dz");
    ck_assert_str_eq(text_of(section, "weak"), "no");
    ck_assert_str_eq(text_of(section, "strong"), "no");
    ck_assert_int_eq(value_member(record_of(s), "variational_lagrangian")->kind, VALUE_NULL);
    check_sections(s, 0);
    setting_free(s);
}
END_TEST

/* p.Y depends on the complement: of the disk's, this one is not the group's. */
START_TEST(another_complement_is_another_section)
{
    Setting *s = prepare_disk();
    Value *options = value_new_record(s->arena);
    Value *fields = value_add(s->arena, options, "complement", VALUE_LIST);
    static const char *const TEXTS[][4] = {{"x", "1", "theta", "1"}, {"y", "1", "x", "x"}};

    for (int k = 0; k < 2; k++) {
        Value *field = value_add(s->arena, fields, NULL, VALUE_RECORD);
        Value *generator = value_add(s->arena, field, "generator", VALUE_RECORD);
        for (int i = 0; i < 4; i += 2)
            value_add_text(s->arena, generator, TEXTS[k][i], TEXTS[k][i + 1]);
    }
    setting_run(s, "consistency", options);
    const Value *sections = value_member(record_of(s), "sections");
    ck_assert_str_eq(text_of(sections->first, "section"), "mu = p on Y1, Y2");
    ck_assert_str_eq(text_of(sections->first, "strong"), "no");
    /* but unit vectors are tried as well */
    ck_assert_int_eq(setting_verdict(s, "consistency")->predicted, PREDICTED_YES);
    check_sections(s, 0);
    setting_free(s);
}
END_TEST

/* Where reactions vanish mu = 0 will do; a force enters both dynamics alike. */
START_TEST(without_reactions_no_multipliers_are_needed)
{
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - x^2",
                                .constraints = {"dot(z) - y*dot(y)*x*(1 - 1)"},
                                .forces = {"x", "-dot(x)/4"}};
    Setting *s = prepare(&model);
    setting_run(s, "consistency", NULL);
    const Verdict *verdict = setting_verdict(s, "consistency");

    ck_assert_int_eq(verdict->predicted, PREDICTED_YES);
    ck_assert_ptr_nonnull(strstr(verdict->reason, "with the same forces"));
    setting_free(s);
}
END_TEST

/* At the special l = 3/2 there are constants of motion to be added; next to it there are none. */
START_TEST(what_has_to_be_added_is_found)
{
    SettingModel carriage = {.coordinates = {"psi1", "psi2", "x", "y", "theta"},
                             .lagrangian =
                                 _i ? "3/2*(dot(x)^2 + dot(y)^2) + dot(theta)^2 + (dot(psi1)^2 + "
                                      "dot(psi2)^2)/4 + 2.9*dot(theta)*(cos(theta)*dot(y) - "
                                      "sin(theta)*dot(x))"
                                    : "3/2*(dot(x)^2 + dot(y)^2) + dot(theta)^2 + (dot(psi1)^2 + "
                                      "dot(psi2)^2)/4 + 3*dot(theta)*(cos(theta)*dot(y) - "
                                      "sin(theta)*dot(x))",
                             .constraints = {"dot(x) = -cos(theta)/2*(dot(psi1) + dot(psi2))",
                                             "dot(y) = -sin(theta)/2*(dot(psi1) + dot(psi2))",
                                             "dot(theta) = dot(psi2) - dot(psi1)"}};
    Setting *s = prepare(&carriage);
    setting_run(s, "consistency", NULL);
    const Verdict *verdict = setting_verdict(s, "consistency");

    ck_assert_int_eq(verdict->predicted, _i ? PREDICTED_NO : PREDICTED_YES);
    if (_i == 0)
        ck_assert_ptr_nonnull(strstr(verdict->expression, "k linear in the velocities"));
    check_sections(s, 0);
    setting_free(s);
}
END_TEST

static const struct {
    const char *constraint, *reason;
} REFUSED[] = {
    {"dot(z) + x*dot(y) - 1", "is affine"},
    {"dot(z) + t*dot(y)", "depends on time"},
    {"dot(z)^2 + dot(y)^2 - dot(x)^2", "is nonlinear"},
    {"z - x*y", "on positions"},
};

START_TEST(other_constraints_are_refused_with_the_reason)
{
    SettingModel model = PARTICLE;
    model.constraints[0] = REFUSED[_i].constraint;
    if (_i == 2)
        model.lagrangian = "(dot(x)^2 + 2*dot(y)^2 + dot(z)^2)/2";
    Setting *s = prepare(&model);

    setting_run(s, "consistency", NULL);
    ck_assert(!value_member(record_of(s), "applies")->boolean);
    ck_assert_ptr_nonnull(strstr(text_of(record_of(s), "reason"), REFUSED[_i].reason));
    ck_assert_uint_eq(s->findings.n_verdicts, 0);
    setting_free(s);
}
END_TEST

START_TEST(mistakes_in_options_are_found)
{
    Setting *s = prepare(&PARTICLE);
    Value *options = value_new_record(s->arena);
    Value *added = value_add(s->arena, options, "add", VALUE_RECORD);
    Diagnostics *diag = arena_alloc(s->arena, 1, sizeof *diag);
    Error err = {0};

    value_add_text(s->arena, added, "c1", "dot(z) + nothing");
    value_add_text(s->arena, added, "c2", "dot(z)");
    value_add_number(s->arena, added, "c1", 3);
    for (Value *v = added->first; v; v = v->next)
        v->pointer = "/analyses/0/add";
    diagnostics_init(diag, s->arena);
    ck_assert_int_eq(analysis_consistency.check(s->model, s->context.pool, options, diag, &err),
                     ERR_INVALID);
    ck_assert_uint_eq(diag->total, 3);
    setting_free(s);
}
END_TEST

/* Random models. */

typedef struct RandomText {
    char lagrangian[600], constraints[3][300];
    SettingModel model;
} RandomText;

static double factor(Random *random)
{
    double size = random_uniform(random, 0.3, 0.9);
    return random_uniform(random, 0, 1) < 0.5 ? size : -size;
}

static const char *const NAMES[] = {"x", "y", "z", "u", "w"};

static void function(Random *random, size_t n, char *ret, size_t size)
{
    const char *x = NAMES[random_bits(random) % n], *y = NAMES[random_bits(random) % n];
    double a = factor(random), b = factor(random);

    switch (random_bits(random) % 4) {
    case 0:
        snprintf(ret, size, "(%.3f*sin(%s + %.3f*%s))", a, x, b, y);
        break;
    case 1:
        snprintf(ret, size, "(%.3f*%s - %.3f*%s^2)", a, x, b, y);
        break;
    case 2:
        snprintf(ret, size, "(%.3f*exp(%.3f*%s))", a, b, x);
        break;
    default:
        snprintf(ret, size, "(%.3f)", a);
    }
}

/* n coordinates, the last r velocities given by the others. */
static void random_text(uint64_t seed, RandomText *ret)
{
    Random random;
    random_init(&random, seed);
    size_t n = 3 + random_bits(&random) % 3, r = 1 + random_bits(&random) % (n - 2), at = 0;
    char f[100];

    *ret = (RandomText){.model = {.lagrangian = ret->lagrangian}};
    for (size_t i = 0; i < n; i++) {
        ret->model.coordinates[i] = NAMES[i];
        at +=
            (size_t)snprintf(ret->lagrangian + at, sizeof ret->lagrangian - at, "%s%.3f*dot(%s)^2",
                             i ? " + " : "", random_uniform(&random, 0.5, 2), NAMES[i]);
    }
    function(&random, n, f, sizeof f);
    at += (size_t)snprintf(ret->lagrangian + at, sizeof ret->lagrangian - at,
                           " + 0.2*%s*dot(x)*dot(y)", f);
    function(&random, n, f, sizeof f);
    if (random_bits(&random) % 2)
        snprintf(ret->lagrangian + at, sizeof ret->lagrangian - at, " - %s", f);
    for (size_t a = 0; a < r; a++) {
        char *text = ret->constraints[a];
        size_t to = (size_t)snprintf(text, sizeof ret->constraints[a], "dot(%s)", NAMES[n - r + a]);
        for (size_t i = 0; i < n - r; i++) {
            function(&random, n, f, sizeof f);
            to += (size_t)snprintf(text + to, sizeof ret->constraints[a] - to, " + %s*dot(%s)", f,
                                   NAMES[i]);
        }
        ret->model.constraints[a] = text;
    }
}

enum { CHUNK = SUITE_DRAWS(500) };

/* The curl contracted with fields of an adapted frame is its object of anholonomity. */
START_TEST(curls_are_the_brackets_of_a_frame)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        RandomText text;
        random_text(seed, &text);
        Setting *s = prepare(&text.model);
        const size_t n = s->model->n, r = s->model->r, m = n - r;
        ExprPool *pool = s->context.pool;
        MotionOptions options = {.rows = s->rows, .n_rows = r, .dependent = s->context.dependent};
        Frame frame;
        SectionProblem problem;
        Expr bracket[MAX], parts[MAX], w[MAX];
        ck_assert_int_eq(frame_init(&frame, pool, s->arena, s->model, &options, true, NULL), OK);
        ck_assert_int_eq(section_problem_init(&problem, &s->context, NULL), OK);
        frame_quasi(&frame, s->model->sym.v, w);
        for (size_t i = 0; i < n; i++) {
            /* phi_b R^b_{i be} w^be for each b, in the frame whose coframe is G S */
            Expr sums[MAX];
            for (size_t b = 0; b < r; b++)
                sums[b] = expr_const(pool, 0);
            for (size_t be = 0; be < m; be++) {
                frame_bracket(&frame, i + 1, be + 1, bracket);
                frame_components(&frame, bracket, parts);
                for (size_t b = 0; b < r; b++)
                    sums[b] = expr_add(pool, sums[b], expr_mul(pool, parts[m + b], w[be]));
            }
            for (size_t b = 0; b < r; b++) {
                /* the multiplier of b alone is 1: by expressions G[b][a] */
                Expr curl = expr_const(pool, 0);
                for (size_t a = 0; a < r; a++)
                    curl = expr_add(
                        pool, curl,
                        expr_mul(pool, frame.G[b * r + a],
                                 expr_dot(pool, n, frame.X + i * n, problem.curl + a * n)));
                for (size_t k = 0; k < 4; k++) {
                    const double *q = s->context.states->q + k * n;
                    const double *v = s->context.states->v + k * n;
                    double expected = value_at(s, pool, sums[b], 0, q, v);
                    ck_assert_double_eq_tol(value_at(s, pool, curl, 0, q, v), expected,
                                            1e-11 * (1 + fabs(expected)));
                }
            }
        }
        frame_done(&frame);
        setting_free(s);
    }
}
END_TEST

/* The other proof: were its motions tried, none would speak against the section. */
static void check_motions(const Setting *s, uint64_t seed)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->model->n;
    SectionProblem problem;
    double mu0[MAX];
    MotionFinding found = {.mu0 = mu0};

    ck_assert_int_eq(section_problem_init(&problem, &s->context, NULL), OK);
    for (size_t k = 0; k < 4; k++) {
        MotionTest test = {.problem = &problem,
                           .t0 = states->t[k],
                           .t_end = states->t[k] + 2,
                           .q0 = states->q + k * n,
                           .v0 = states->v + k * n,
                           .samples = 24};
        ck_assert_int_eq(motion_test(&test, &found, NULL), OK);
        ck_assert_msg(found.samples == 0 || found.residual < 1e-9, "seed %llu: %g",
                      (unsigned long long)seed, found.residual);
    }
}

START_TEST(no_random_model_is_claimed_wrongly)
{
    size_t counts[3] = {0};

    for (size_t k = 0; k < CHUNK; k++) {
        uint64_t seed = 1000 + (uint64_t)_i * CHUNK + k;
        RandomText text;
        random_text(seed, &text);
        Setting *s = prepare(&text.model);
        setting_run(s, "consistency", NULL);
        counts[setting_verdict(s, "consistency")->predicted]++;
        check_sections(s, seed);
        if (setting_verdict(s, "consistency")->predicted == PREDICTED_YES)
            check_motions(s, seed);
        setting_free(s);
    }
    printf("consistency of %d random models (seeds from %d): %zu yes, %zu no, %zu undecided, no "
           "wrong verdict\n",
           CHUNK, 1000 + _i * CHUNK, counts[0], counts[1], counts[2]);
}
END_TEST

/* A random multiple of 1/16: products of some of them are exact in double precision. */
static double random_sixteenths(Random *random, double from, double to)
{
    return round(random_uniform(random, from, to) * 16) / 16;
}

/* The class of section 7.1: v_a + D_a(x) dot(y) = 0 is strongly consistent on mu = p where the sum
 * of I_a D_a D_a' vanishes; here it does exactly, or not at all. In coordinates x, y' = y - c z the
 * fibres are others: mu = p is another section then, while the one there was is still there: "no"
 * would be wrong. */
static Setting *class_of(uint64_t seed, bool planted, bool turned, RandomText *text)
{
    Random random;
    random_init(&random, seed);
    double r = random_sixteenths(&random, 0.5, 1.5), k = random_sixteenths(&random, 0.6, 1.4);
    double i4 = random_sixteenths(&random, 0.5, 2), ratio = random_sixteenths(&random, 0.5, 2);
    double i3 = ratio * ratio * i4, other = ratio * r * (planted ? 1 : 1.25);
    const char *y = turned ? "(y + 0.4*z)" : "y";

    *text = (RandomText){.model = {.coordinates = {"x", "y", "z", "u"},
                                   .lagrangian = text->lagrangian,
                                   .constraints = {text->constraints[0], text->constraints[1]}}};
    snprintf(text->lagrangian, sizeof text->lagrangian,
             "%.17g*dot(x)^2/2 + dot(%s)^2/2 + %.17g*dot(z)^2/2 + %.17g*dot(u)^2/2",
             random_sixteenths(&random, 0.5, 2), y, i3, i4);
    snprintf(text->constraints[0], sizeof text->constraints[0],
             "dot(z) + %.17g*cos(%.17g*x)*dot(%s)", r, k, y);
    snprintf(text->constraints[1], sizeof text->constraints[1],
             "dot(u) + %.17g*sin(%.17g*x)*dot(%s)", other, k, y);
    return prepare(&text->model);
}

/* A section is claimed, and denied, where that is proved: not where a constant has more digits than
 * there is room for. */
START_TEST(planted_sections_are_found_and_never_denied)
{
    size_t proved = 0, denied = 0;

    for (uint64_t seed = 1; seed <= 50; seed++)
        for (int kind = 0; kind < 3; kind++) {
            RandomText text;
            Setting *s = class_of(seed, kind != 1, kind == 2, &text);
            setting_run(s, "consistency", NULL);
            const Verdict *verdict = setting_verdict(s, "consistency");
            proved += kind == 0 && verdict->predicted == PREDICTED_YES;
            denied += kind == 1 && verdict->predicted == PREDICTED_NO;
            ck_assert_msg(verdict->predicted != (kind == 1 ? PREDICTED_YES : PREDICTED_NO), "%s",
                          verdict->reason);
            check_sections(s, seed);
            if (kind != 1)
                check_motions(s, seed);
            setting_free(s);
        }
    printf("planted sections: %zu of 50 found, %zu of 50 broken ones denied\n", proved, denied);
    ck_assert_msg(proved > 45 && denied > 45, "%zu and %zu of 50", proved, denied);
}
END_TEST

SUITE(consistency)
{
    TCase *known = suite_case(suite, "known systems"), *random = suite_case(suite, "random models");

    tcase_add_test(known, the_disk_is_strongly_consistent_on_its_momenta);
    tcase_add_test(known, the_variational_lagrangian_is_printed);
    tcase_add_test(known, the_particle_is_consistent_on_no_section);
    tcase_add_test(known, another_complement_is_another_section);
    tcase_add_test(known, without_reactions_no_multipliers_are_needed);
    tcase_add_loop_test(known, what_has_to_be_added_is_found, 0, 2);
    tcase_add_loop_test(known, other_constraints_are_refused_with_the_reason, 0, 4);
    tcase_add_test(known, mistakes_in_options_are_found);
    tcase_add_test(random, curls_are_the_brackets_of_a_frame);
    tcase_add_loop_test(random, no_random_model_is_claimed_wrongly, 0, SUITE_DRAWS(4));
    tcase_add_test(random, planted_sections_are_found_and_never_denied);
}
