/* The C of every system of the catalog, in every formulation that applies: compiled, called at
 * random states and compared with the programs that runs evaluate, and with the graph it was
 * printed from.
 *
 * The tolerance is some units in the last place of what the expressions were before anything in
 * them cancelled (expr_magnitude). */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/documents/catalog.h"
#include "core/base/random.h"
#include "core/motion/formulation.h"
#include "core/simulate/generic.h"
#include "tests/api/reading.h"
#include "tests/suite.h"

/* MOST_BYTES: of a text; the longest, of the bicycle, has 255,318 */
enum { STATES = 5, UNITS = 16, MOST_BYTES = 260000 };
static const double ROUNDING = 2.3e-16;
/* Of the largest number of a function in which systems are solved: their condition matters too. */
static const double SOLVED = 1e-9;

typedef void EquationsFunction(double t, const double *q, const double *v, const double *p,
                               double *M, double *b, double *A, double *psi);
typedef void RatesFunction(double t, const double *y, const double *p, double *dydt, double *q,
                           double *v, double *lambda, double *own);
typedef void ImplicitRatesFunction(double t, const double *y, const double *p, const double *g,
                                   double *dydt, double *q, double *v, double *lambda, double *own);

/* What readers have to bring for systems: elimination with pivots. */
static const char SOLVE[] =
    "#include <math.h>\n"
    "double solve(int k, int n, const double *A, const double *b)\n{\n"
    "    double a[64 * 65];\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        for (int j = 0; j < n; j++) a[i * (n + 1) + j] = A[i * n + j];\n"
    "        a[i * (n + 1) + n] = b[i];\n    }\n"
    "    for (int c = 0; c < n; c++) {\n"
    "        int best = c;\n"
    "        for (int i = c; i < n; i++)\n"
    "            if (fabs(a[i * (n + 1) + c]) > fabs(a[best * (n + 1) + c])) best = i;\n"
    "        for (int j = 0; j <= n; j++) {\n"
    "            double x = a[c * (n + 1) + j];\n"
    "            a[c * (n + 1) + j] = a[best * (n + 1) + j];\n"
    "            a[best * (n + 1) + j] = x;\n        }\n"
    "        for (int i = 0; i < n; i++) {\n"
    "            double f = a[i * (n + 1) + c] / a[c * (n + 1) + c];\n"
    "            for (int j = c; i != c && j <= n; j++)\n"
    "                a[i * (n + 1) + j] -= f * a[c * (n + 1) + j];\n        }\n    }\n"
    "    return a[k * (n + 1) + n] / a[k * (n + 1) + k];\n}\n";

/* A shared object of one C text. */
static void *compile(const char *text)
{
    char directory[] = "/tmp/dalembert-printed-XXXXXX", path[64], command[256];

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/e.c", directory);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fputs(SOLVE, file);
    ck_assert_int_eq(fclose(file), 0);
    snprintf(command, sizeof command,
             "gcc -std=c99 -Wall -Wextra -Werror -O0 -ffp-contract=off -shared -fPIC -o %s/e.so %s "
             "-lm && rm %s",
             directory, path, path);
    ck_assert_msg(system(command) == 0, "%s\n%.3000s", command, text);
    snprintf(path, sizeof path, "%s/e.so", directory);
    void *handle = dlopen(path, RTLD_NOW);
    ck_assert_msg(handle != NULL, "%s", dlerror());
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(directory), 0);
    return handle;
}

static void *function_of(void *handle, const char *name)
{
    void *result = dlsym(handle, name);
    ck_assert_ptr_nonnull(result);
    return result;
}

/* Number k of the catalog, in a formulation. */
typedef struct Printed {
    const CatalogEntry *entry;
    Reading *job;
    Compiled *compiled;
    PrintedEquations equations;
    Status status; /* of printing */
    Error error;
} Printed;

static void printed_init(Printed *x, int k, const char *formulation)
{
    size_t n;
    char text[200];

    *x = (Printed){.entry = &catalog_entries(&n)[k]};
    snprintf(text, sizeof text, "{'model':{'catalog':'%s'},'initial':{},'time':{'end':1}}",
             x->entry->name);
    x->job = read_job_text(text);
    ck_assert_int_eq(x->job->status, OK);
    ck_assert_int_eq(compiled_new(&x->job->job.model.document, formulation, &x->job->diag,
                                  &x->compiled, &x->error),
                     OK);
    x->status = compiled_print(x->compiled, PRINT_C, x->job->arena, &x->job->diag, &x->equations,
                               &x->error);
}

static void printed_done(Printed *x)
{
    compiled_unref(x->compiled);
    reading_free(x->job);
}

/* The values of expressions and their magnitudes, by the graph. */
static void evaluate(ExprPool *pool, const Expr *e, size_t n, const double *symbols, Arena *arena,
                     double *ret_values, double *ret_magnitudes)
{
    Expr *magnitudes = ARENA_NEW(arena, n, Expr);
    Error err;

    for (size_t k = 0; k < n; k++)
        magnitudes[k] = expr_magnitude(pool, e[k]);
    ck_assert_int_eq(expr_pool_status(pool, &err), OK);
    ck_assert_int_eq(expr_eval(pool, e, n, symbols, ret_values, &err), OK);
    ck_assert_int_eq(expr_eval(pool, magnitudes, n, symbols, ret_magnitudes, &err), OK);
}

static void compare(const Printed *x, const char *what, size_t n, const double *is,
                    const double *expected, const double *magnitudes)
{
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(expected[k]) && !isfinite(is[k]))
            continue;
        ck_assert_msg(fabs(is[k] - expected[k]) <= UNITS * ROUNDING * magnitudes[k],
                      "%s: %s[%zu] is %.17g, not %.17g, of terms of %.3g", x->entry->name, what, k,
                      is[k], expected[k], magnitudes[k]);
    }
}

/* t, q, v and the parameters of a random state, by symbol. */
static void draw_state(const Model *m, Random *random, double *symbols)
{
    symbols[0] = random_uniform(random, 0, 1);
    for (size_t i = 0; i < m->n; i++) {
        symbols[expr_node(m->pool, m->sym.q[i]).symbol] = random_uniform(random, -0.6, 0.6);
        symbols[expr_node(m->pool, m->sym.v[i]).symbol] = random_normal(random);
    }
    for (size_t k = 0; k < m->n_params; k++)
        symbols[expr_node(m->pool, m->sym.params[k]).symbol] = m->param_values[k];
}

START_TEST(the_matrices_are_those_of_the_programs)
{
    Printed x;
    Random random;
    EquationsFunction *equations;

    printed_init(&x, _i, "lagrange-dalembert");
    ck_assert_msg(x.status == OK, "%s: %s", x.entry->name, x.error.message);
    void *handle = compile(x.equations.whole), *symbol = function_of(handle, "equations");
    memcpy(&equations, &symbol, sizeof equations);
    const Model *m = compiled_model(x.compiled);
    const size_t n = m->n, r = m->r, count = n * n + n + r * n + r;
    ExprPool *pool = expr_pool_clone(m->pool);
    Arena *arena = x.job->arena;
    Expr *e = ARENA_NEW(arena, count, Expr);
    double *is = arena_doubles(arena, count), *expected = arena_doubles(arena, count);
    double *magnitudes = arena_doubles(arena, count),
           *symbols = arena_doubles(arena, m->sym.first_free);
    ModelEval *eval;
    memcpy(e, m->M, n * n * sizeof *e);
    for (size_t i = 0; i < n; i++)
        e[n * n + i] = expr_sub(pool, m->F[i], m->l[i]);
    for (size_t k = 0; k < r * n; k++)
        e[n * n + n + k] = m->A[k];
    for (size_t a = 0; a < r; a++)
        e[n * n + n + r * n + a] = m->constraints[a].psi;
    ck_assert_int_eq(model_eval_new(x.compiled->programs, NULL, &eval, NULL), OK);

    random_init(&random, 11);
    for (int k = 0; k < STATES; k++) {
        draw_state(m, &random, symbols);
        const double *q = symbols + 1, *v = q + n;
        evaluate(pool, e, count, symbols, arena, expected, magnitudes);
        equations(symbols[0], q, v, m->param_values, is, is + n * n, is + n * n + n,
                  is + n * n + n + r * n);
        compare(&x, "the graph's", count, is, expected, magnitudes);
        /* and by the programs, in the same order */
        const ModelPoint point = model_point(eval, symbols[0], q, v);
        memcpy(expected, point.M, n * n * sizeof *expected);
        for (size_t i = 0; i < n; i++)
            expected[n * n + i] = point.F[i] - point.l[i];
        if (r) {
            memcpy(expected + n * n + n, point.A, r * n * sizeof *expected);
            memcpy(expected + n * n + n + r * n, point.psi, r * sizeof *expected);
        }
        compare(&x, "the program's", count, is, expected, magnitudes);
    }
    model_eval_free(eval);
    expr_pool_free(pool);
    dlclose(handle);
    printed_done(&x);
}
END_TEST

/* As the printed function was derived. */
static void derive(const Printed *x, Equations *eq, Generic *generic, MotionOptions *options)
{
    Arena *arena = x->job->arena;
    const Formulation *formulation = x->compiled->formulation;
    const Model *m = x->compiled->model;
    Error err;

    ck_assert_int_eq(generic_init(generic, x->compiled, arena, &err), OK);
    ck_assert_int_eq(generic_options(generic, formulation, arena, options, &x->job->diag, &err),
                     OK);
    Status status = formulation->derive(m, options, eq, &err);
    if (status == ERR_NOT_FOUND || status == ERR_LIMIT) {
        equations_done(eq);
        *eq = (Equations){0};
        options->elimination = ELIMINATE_PIVOTED;
        status = formulation->derive(m, options, eq, &err);
    }
    ck_assert_msg(status == OK, "%s", err.message);
}

static void call_rates(void *function, size_t n_implicit, const double *const in[4], double *out,
                       const Equations *eq)
{
    double *q = out + eq->dim, *v = q + eq->n, *lambda = v + eq->n, *own = lambda + eq->n_rows;

    if (n_implicit) {
        ImplicitRatesFunction *rates;
        memcpy(&rates, &function, sizeof rates);
        rates(in[0][0], in[1], in[2], in[3], out, q, v, lambda, own);
    } else {
        RatesFunction *rates;
        memcpy(&rates, &function, sizeof rates);
        rates(in[0][0], in[1], in[2], out, q, v, lambda, own);
    }
}

static size_t fill(Expr *ret, size_t n, const Expr *e, size_t count)
{
    if (count)
        memcpy(ret + n, e, count * sizeof *e);
    return n + count;
}

static void compare_rates(const Printed *x, Equations *eq, void *function)
{
    const Model *m = x->compiled->model;
    Arena *arena = x->job->arena;
    const size_t count = eq->dim + 2 * eq->n + eq->n_rows + eq->n_own;
    const bool systems = strstr(x->equations.whole, "solve(") != NULL;
    Expr *e = ARENA_NEW(arena, count, Expr);
    double *is = arena_doubles(arena, count), *expected = arena_doubles(arena, count);
    double *magnitudes = arena_doubles(arena, count);
    double *symbols = arena_doubles(arena, eq->next_symbol);
    double *y = arena_doubles(arena, eq->dim), *g = arena_doubles(arena, eq->n_implicit);
    Random random;
    size_t k = fill(e, 0, eq->rates, eq->dim);
    k = fill(e, k, eq->q, eq->n);
    k = fill(e, k, eq->v, eq->n);
    k = fill(e, k, eq->lambda, eq->n_rows);
    k = fill(e, k, eq->own, eq->n_own);
    ck_assert_uint_eq(k, count);

    random_init(&random, 12);
    for (int s = 0; s < STATES; s++) {
        double largest = 0;
        draw_state(m, &random, symbols);
        for (size_t i = 0; i < eq->dim; i++)
            symbols[expr_node(eq->pool, eq->state[i]).symbol] = y[i] =
                random_uniform(&random, -0.6, 0.6);
        for (size_t i = 0; i < eq->n_implicit; i++)
            symbols[expr_node(eq->pool, eq->guess[i]).symbol] = g[i] =
                random_uniform(&random, -0.6, 0.6);
        evaluate(eq->pool, e, count, symbols, arena, expected, magnitudes);
        call_rates(function, eq->n_implicit,
                   (const double *const[]){symbols, y, m->param_values, g}, is, eq);
        for (size_t i = 0; i < count; i++)
            largest = isfinite(expected[i]) ? fmax(largest, fabs(expected[i])) : largest;
        for (size_t i = 0; systems && i < count; i++)
            magnitudes[i] = fmax(magnitudes[i], SOLVED / (UNITS * ROUNDING) * largest);
        compare(x, "the graph's", count, is, expected, magnitudes);
    }
}

/* All formulations of a system in one text, as rates_1, rates_2, ... */
START_TEST(the_rates_are_those_of_the_graph)
{
    const char *const *names;
    const size_t n = formulation_names(&names);
    Printed *all = calloc(n, sizeof *all);
    Text text = TEXT_INIT;
    char name[32];

    ck_assert_ptr_nonnull(all);
    for (size_t i = 1; i < n; i++) {
        Printed *x = &all[i];
        printed_init(x, _i, names[i]);
        ck_assert_msg(x->status == OK || x->status == ERR_INVALID, "%s: %s", x->entry->name,
                      x->error.message);
        if (x->status != OK)
            continue;
        ck_assert_uint_lt(strlen(x->equations.whole), MOST_BYTES);
        text_printf(&text, "#define rates rates_%zu\n%s#undef rates\n", i, x->equations.whole);
    }
    void *handle = compile(text_string(&text));
    for (size_t i = 1; i < n; i++) {
        Printed *x = &all[i];
        Equations eq = {0};
        Generic generic;
        MotionOptions options;
        snprintf(name, sizeof name, "rates_%zu", i);
        if (x->status == OK) {
            derive(x, &eq, &generic, &options);
            compare_rates(x, &eq, function_of(handle, name));
            equations_done(&eq);
            model_eval_free(generic.eval);
        }
        printed_done(x);
    }
    dlclose(handle);
    text_done(&text);
    free(all);
}
END_TEST

SUITE(printed_c)
{
    TCase *tc = suite_case(suite, "printed_c");
    size_t n;
    (void)catalog_entries(&n);
    tcase_add_loop_test(tc, the_matrices_are_those_of_the_programs, 0, (int)n);
    tcase_add_loop_test(tc, the_rates_are_those_of_the_graph, 0, (int)n);
}
