/* Expressions over rows: parsed and compiled like those of a model, evaluated in lanes. */
#include "api/documents/row_expression.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/expr/parse/parse.h"
#include "core/program/function.h"

enum { LANES = PROGRAM_MAX_LANES };

struct RowExpression {
    size_t n_columns;
    size_t *used; /* n_used columns: the inputs */
    size_t n_used;
    Program *program;
    Function function;
};

static bool add_columns(ExprPool *pool, ExprScope *scope, const RowColumns *columns)
{
    bool ok = true;

    for (size_t c = 0; c < columns->n; c++)
        ok = ok && expr_scope_add(scope, columns->names[c], expr_symbol(pool, (uint32_t)c));
    return ok;
}

/* Words are names of the scope, with their quotes. */
static bool add_words(ExprPool *pool, ExprScope *scope, const ResultWords *words)
{
    Text quoted = TEXT_INIT;
    bool ok = true;

    for (size_t k = 0; k < words->n; k++) {
        if (!words->texts[k])
            continue;
        text_reset(&quoted);
        text_printf(&quoted, "\"%s\"", words->texts[k]);
        ok = ok && text_ok(&quoted) &&
             expr_scope_add(scope, text_string(&quoted), expr_const(pool, (double)k));
    }
    text_done(&quoted);
    return ok;
}

static bool fill_scope(ExprPool *pool, ExprScope *scope, const RowColumns *columns)
{
    bool ok = add_columns(pool, scope, columns);

    for (size_t c = 0; columns->words && c < columns->n; c++)
        ok = ok && add_words(pool, scope, &columns->words[c]);
    return ok;
}

/* Compiles with the occurring columns as inputs. */
static Status compile(RowExpression *e, ExprPool *pool, Expr root, Error *err)
{
    Arena scratch = {0};
    bool *occurs = ARENA_NEW(&scratch, e->n_columns, bool);
    Expr *inputs = ARENA_NEW(&scratch, e->n_columns, Expr);

    e->used = alloc_array(e->n_columns, sizeof *e->used);
    if (!e->used)
        arena_fail(&scratch);
    Status status = arena_status(&scratch, err);
    if (status == OK)
        status = expr_used_symbols(pool, &root, 1, occurs, e->n_columns, err);
    for (size_t c = 0; status == OK && c < e->n_columns; c++)
        if (occurs[c]) {
            inputs[e->n_used] = expr_symbol(pool, (uint32_t)c);
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): or the arena has failed */
            e->used[e->n_used++] = c;
        }
    const ProgramSpec spec = {
        .pool = pool, .inputs = inputs, .n_inputs = e->n_used, .outputs = &root, .n_outputs = 1};
    if (status == OK)
        status = program_compile(&spec, &e->program, err);
    if (status == OK)
        status = function_bind(&e->function, e->program, NULL, LANES, err);
    arena_done(&scratch);
    return status;
}

static Status parse(RowExpression *e, const char *text, bool condition, const RowColumns *columns,
                    const char *pointer, Diagnostics *diag, Error *err)
{
    const unsigned flags = PARSE_COLUMNS | (condition ? PARSE_CONDITION : 0U);
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    ExprScope *scope = expr_scope_new();
    Status status = OK;

    if (!pool || !scope || !fill_scope(pool, scope, columns))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the program outlives the pool */
    if (status == OK) {
        const Expr root = expr_parse(pool, scope, text, (ParseFlags)flags, pointer, diag);
        status = expr_is_none(root) ? error_set(err, diag->no_memory ? ERR_NO_MEMORY : ERR_INVALID,
                                                "%s has mistakes", pointer)
                                    : compile(e, pool, root, err);
    }
    expr_scope_free(scope);
    expr_pool_free(pool);
    return status;
}

Status row_expression_new(const char *text, bool condition, const RowColumns *columns,
                          const char *pointer, Diagnostics *diag, RowExpression **ret_expression,
                          Error *err)
{
    RowExpression *e = alloc_array(1, sizeof *e);

    if (!e)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    e->n_columns = columns->n;
    const Status status = parse(e, text, condition, columns, pointer, diag, err);
    if (status == OK)
        *ret_expression = e;
    else
        row_expression_free(e);
    return status;
}

void row_expression_free(RowExpression *e)
{
    if (!e)
        return;
    function_done(&e->function);
    program_free(e->program);
    free(e->used);
    free(e);
}

void row_expression_eval(RowExpression *e, const double *rows, size_t n_rows, double *ret_values)
{
    for (size_t first = 0; first < n_rows; first += LANES) {
        const size_t n = n_rows - first < LANES ? n_rows - first : LANES;
        for (size_t i = 0; i < e->n_used; i++)
            for (size_t lane = 0; lane < n; lane++)
                e->function.in[i * LANES + lane] = rows[(first + lane) * e->n_columns + e->used[i]];
        const double *values = function_eval(&e->function);
        for (size_t lane = 0; lane < n; lane++)
            ret_values[first + lane] = values[lane];
    }
}
