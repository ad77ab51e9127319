/* The language: a text that parses prints to one that means the same node; values have the same
 * bits at every number of lanes; derivatives never break. */
#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/parse/parse.h"
#include "core/expr/print/print.h"
#include "core/program/program.h"
#include "tests/fuzz/fuzz.h"

enum {
    SYMBOLS = 11,
    INPUTS = 8, /* the rest are parameters */
    LANES = 8,
    PRINT_MOST = 20000,
    OUTPUTS = 1 + INPUTS,
};

static const char *const NAMES[SYMBOLS] = {
    "t", "x", "theta", "dot(x)", "dot(theta)", "ddot(x)", "ddot(theta)", "multiplier(c1)",
    "m", "g", "l"};

/* A small model as an expression sees it. */
typedef struct World {
    ExprPool *pool;
    ExprScope *scope;
    Arena *arena;
    Diagnostics diag;
    Expr symbols[SYMBOLS];
} World;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static void world_init(World *world)
{
    const ExprLimits limits = {.max_nodes = 20000, .max_depth = 1000};
    Expr *s = world->symbols;
    ExprScope *scope = expr_scope_new();
    ExprPool *pool = expr_pool_new(limits);

    world->pool = pool;
    world->scope = scope;
    world->arena = arena_new(16 << 20);
    REQUIRE(scope && pool && world->arena, "out of memory");
    diagnostics_init(&world->diag, world->arena);
    for (uint32_t i = 0; i < SYMBOLS; i++)
        s[i] = expr_symbol(pool, i);
    bool ok = expr_scope_set_time(scope, s[0]) &&
              expr_scope_add_coordinate(scope, "x", s[1], s[3], s[5]) &&
              expr_scope_add_coordinate(scope, "theta", s[2], s[4], s[6]) &&
              expr_scope_add(scope, "m", s[8]) && expr_scope_add(scope, "g", s[9]) &&
              expr_scope_add(scope, "l", s[10]) &&
              expr_scope_add_broken(scope, "bad", "the definition \"bad\" has mistakes") &&
              expr_scope_add_form(scope, "multiplier", "c1", s[7]) &&
              expr_scope_add_form(scope, "reaction", "x", expr_mul(pool, s[7], s[1])) &&
              expr_scope_add_form(scope, "energy", NULL, expr_mul(pool, s[8], s[3]));
    REQUIRE(ok, "out of memory");
}

static void world_done(World *world)
{
    expr_scope_free(world->scope);
    expr_pool_free(world->pool);
    arena_free(world->arena);
}

static void require_diagnostics(const World *world, size_t length)
{
    REQUIRE(world->diag.total > 0, "refused without a reason");
    for (size_t i = 0; i < world->diag.count; i++) {
        const Diagnostic *mistake = &world->diag.items[i];
        REQUIRE(mistake->offset >= -1 && mistake->offset <= (long)length, "offset %ld of %zu: %s",
                mistake->offset, length, mistake->message);
    }
}

static void check_printed(World *world, Expr e)
{
    const PrintNames names = {.names = NAMES, .n = SYMBOLS};
    Error err = {0};

    for (int format = PRINT_TEXT; format <= PRINT_C; format++) {
        Text text = TEXT_INIT;
        Status status =
            expr_print(world->pool, e, (PrintFormat)format, names, PRINT_MOST, &text, &err);
        REQUIRE(status == OK || status == ERR_LIMIT, "%s", err.message);
        if (format == PRINT_TEXT && status == OK) {
            diagnostics_init(&world->diag, world->arena);
            Expr again = expr_parse(world->pool, world->scope, text_string(&text), PARSE_EXPRESSION,
                                    "", &world->diag);
            /* a text may nest deeper than the one that was read; the pool may have filled */
            bool excused = expr_is_none(again) && world->diag.count > 0 &&
                           (strstr(world->diag.items[0].message, "nest") ||
                            expr_pool_status(world->pool, NULL) != OK);
            REQUIRE(expr_same(again, e) || excused, "node %u reads back as %u: %s; %s", e.id,
                    again.id, text_string(&text),
                    world->diag.count ? world->diag.items[0].message : "");
        }
        text_done(&text);
    }
}

/* Values of all kinds: zeros, signs, sizes. */
static double input_value(size_t symbol, size_t lane)
{
    static const double VALUES[] = {0.0,  1.0,  -1.0, 0.5,  2.0,   -0.3,    1.7,
                                    -2.5, 3e-9, 7.25, -1e6, 1e200, -1e-300, 0.78539816339744828};
    return VALUES[(symbol * 5 + lane * 3) % (sizeof VALUES / sizeof VALUES[0])];
}

static void evaluate(const Program *program, const double *params, const double *in, double *out,
                     size_t lanes)
{
    double *work = malloc(program_work_doubles(program, lanes) * sizeof *work);
    REQUIRE(work, "out of memory");
    program_bind(program, params, work, lanes);
    program_eval(program, in, out, work, lanes);
    free(work);
}

/* The same bits; of a NaN only that it is one. */
static bool same_value(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void check_lanes(const World *world, const Expr *outputs, size_t n)
{
    enum { PARAMS = SYMBOLS - INPUTS };
    const ProgramSpec spec = {.pool = world->pool,
                              .params = world->symbols + INPUTS,
                              .n_params = PARAMS,
                              .inputs = world->symbols,
                              .n_inputs = INPUTS,
                              .outputs = outputs,
                              .n_outputs = n};
    double in[INPUTS * LANES], params[PARAMS * LANES], out[OUTPUTS * LANES];
    Program *program = NULL;
    Error err = {0};

    Status status = program_compile(&spec, &program, &err);
    REQUIRE(status == OK || status == ERR_LIMIT, "%s", err.message);
    if (status != OK)
        return;
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t k = 0; k < INPUTS; k++)
            in[k * LANES + lane] = input_value(k, lane);
        for (size_t k = 0; k < PARAMS; k++)
            params[k * LANES + lane] = input_value(INPUTS + k, lane);
    }
    evaluate(program, params, in, out, LANES);
    for (size_t lane = 0; lane < LANES; lane++) {
        double in1[INPUTS], params1[PARAMS], out1[OUTPUTS];
        for (size_t k = 0; k < INPUTS; k++)
            in1[k] = in[k * LANES + lane];
        for (size_t k = 0; k < PARAMS; k++)
            params1[k] = params[k * LANES + lane];
        evaluate(program, params1, in1, out1, 1);
        for (size_t k = 0; k < n; k++)
            REQUIRE(same_value(out1[k], out[k * LANES + lane]),
                    "output %zu at lane %zu: %.17g alone, %.17g among %d", k, lane, out1[k],
                    out[k * LANES + lane], LANES);
    }
    program_free(program);
}

static void check_expression(World *world, Expr e)
{
    Expr outputs[OUTPUTS] = {e};
    check_printed(world, e);
    expr_gradient(world->pool, e, world->symbols, INPUTS, outputs + 1);
    size_t n = 1;
    for (size_t k = 1; k < OUTPUTS; k++)
        if (!expr_is_none(outputs[k]))
            outputs[n++] = outputs[k];
    if (expr_pool_status(world->pool, NULL) != OK)
        return; /* too big, or a derivative with a constant that is not finite */
    check_printed(world, outputs[n - 1]);
    check_lanes(world, outputs, n);
}

/* Freezing the switches breaks nothing either. */
static void check_switches(World *world, Expr e)
{
    const Expr roots[2] = {e, expr_residual_scale(world->pool, e)};
    Expr frozen[2];
    ExprSwitch *switches = NULL;
    size_t n = 0;
    Error err = {0};

    if (expr_is_none(roots[1]))
        return;
    Status status =
        expr_freeze_switches(world->pool, roots, 2, SYMBOLS, frozen, &switches, &n, &err);
    if (status == OK && expr_pool_status(world->pool, NULL) == OK)
        REQUIRE(!expr_is_none(frozen[0]) && !expr_is_none(frozen[1]), "lost while freezing");
    free(switches);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_string(data, size);
    World world;
    world_init(&world);
    Expr e =
        expr_parse(world.pool, world.scope, text, PARSE_EQUATION, "/model/lagrangian", &world.diag);
    REQUIRE(expr_is_none(e) == (world.diag.total > 0), "%zu mistakes, node %u", world.diag.total,
            e.id);
    if (expr_is_none(e)) {
        require_diagnostics(&world, strlen(text));
    } else {
        check_expression(&world, e);
        check_switches(&world, e);
    }
    world_done(&world);

    double value;
    Arena *arena = arena_new(1 << 20);
    Diagnostics diag;
    REQUIRE(arena, "out of memory");
    diagnostics_init(&diag, arena);
    bool constant = expr_parse_constant(text, "/time/end", &diag, &value);
    REQUIRE(constant == (diag.total == 0), "%zu mistakes", diag.total);
    arena_free(arena);
    free(text);
    return 0;
}
