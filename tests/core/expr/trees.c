/* Random expressions, and their values by plain recursion. */
#include "tests/core/expr/trees.h"

#include <math.h>

static int add(Trees *trees, Tree tree)
{
    if (trees->n == TREE_MAX_NODES)
        return 0;
    trees->nodes[trees->n] = tree;
    return trees->n++;
}

static int number(Trees *trees, double value)
{
    return add(trees, (Tree){.kind = TREE_NUMBER, .value = value});
}

static int pair(Trees *trees, TreeKind kind, int a, int b)
{
    return add(trees, (Tree){.kind = kind, .child = {a, b}});
}

static int call(Trees *trees, ExprOp op, int a, int b)
{
    return add(trees, (Tree){.kind = TREE_CALL, .op = op, .child = {a, b}});
}

static unsigned below(Random *random, unsigned n)
{
    return (unsigned)(random_bits(random) % n);
}

static int leaf(Trees *trees, Random *random)
{
    static const double NUMBERS[] = {1, 2, -1, 3, 0.5, -0.25, 0.1, 1.0 / 3.0, 7, 1e-3, -2.75};

    if (below(random, 3) == 0)
        return number(trees, NUMBERS[below(random, sizeof NUMBERS / sizeof NUMBERS[0])]);
    return add(trees, (Tree){.kind = TREE_SYMBOL, .symbol = below(random, TREE_SYMBOLS)});
}

/* 1.1 + u^2 */
static int above_one(Trees *trees, int u)
{
    int square = add(trees, (Tree){.kind = TREE_INTEGER_POWER, .value = 2, .child = {u}});
    return pair(trees, TREE_ADD, number(trees, 1.1), square);
}

/* 0.9 sin(u) */
static int inside_one(Trees *trees, int u)
{
    return pair(trees, TREE_MUL, number(trees, 0.9), call(trees, EXPR_SIN, u, 0));
}

/* A function of u, which is first moved into its domain. */
static int unary(Trees *trees, Random *random, int u)
{
    ExprOp op = (ExprOp)((unsigned)EXPR_SIN + below(random, (unsigned)(EXPR_ERF - EXPR_SIN) + 1));

    if (op == EXPR_ASIN || op == EXPR_ACOS || op == EXPR_ATANH)
        u = inside_one(trees, u);
    if (op == EXPR_ACOSH || op == EXPR_LOG || op == EXPR_LOG10 || op == EXPR_SQRT)
        u = above_one(trees, u);
    return call(trees, op, u, 0);
}

static int binary(Trees *trees, Random *random, int a, int b)
{
    switch (below(random, 8)) {
    case 0:
        return pair(trees, TREE_SUB, a, b);
    case 1:
        return pair(trees, TREE_DIV, a, above_one(trees, b));
    case 2:
        return call(trees, EXPR_ATAN2, a, above_one(trees, b));
    case 3:
        return call(trees, EXPR_HYPOT, above_one(trees, a), b);
    case 4:
        return call(trees, EXPR_POW, above_one(trees, a), b);
    case 5:
    case 6:
        return pair(trees, TREE_MUL, a, b);
    default:
        return pair(trees, TREE_ADD, a, b);
    }
}

static int grow(Trees *trees, Random *random, int depth, bool smooth);

static int cornered(Trees *trees, Random *random, int depth)
{
    int a = grow(trees, random, depth - 1, false), b = grow(trees, random, depth - 1, false);

    switch (below(random, 5)) {
    case 0:
        return call(trees, EXPR_ABS, a, 0);
    case 1:
        return call(trees, EXPR_SIGN, a, 0);
    case 2:
        return call(trees, EXPR_MIN, a, b);
    case 3:
        return call(trees, EXPR_MAX, a, b);
    default:
        return add(trees, (Tree){.kind = TREE_IF,
                                 .child = {a, b, grow(trees, random, depth - 1, false),
                                           grow(trees, random, depth - 1, false)}});
    }
}

static int grow(Trees *trees, Random *random, int depth, bool smooth)
{
    if (depth == 0 || below(random, 8) == 0)
        return leaf(trees, random);
    if (!smooth && below(random, 6) == 0)
        return cornered(trees, random, depth);
    int a = grow(trees, random, depth - 1, smooth);
    unsigned choice = below(random, 10);
    if (choice < 3)
        return unary(trees, random, a);
    if (choice == 3) {
        double exponent = (double)below(random, 4) + 1;
        return add(trees, (Tree){.kind = TREE_INTEGER_POWER, .value = exponent, .child = {a}});
    }
    if (choice == 4)
        return add(trees, (Tree){.kind = TREE_NEG, .child = {a}});
    return binary(trees, random, a, grow(trees, random, depth - 1, smooth));
}

int tree_random(Trees *trees, Random *random, int depth)
{
    trees->n = 0;
    number(trees, 1.0); /* what place 0 means when there is no room */
    return grow(trees, random, depth, false);
}

int tree_random_smooth(Trees *trees, Random *random, int depth)
{
    trees->n = 0;
    number(trees, 1.0);
    return grow(trees, random, depth, true);
}

static double call_value(ExprOp op, double a, double b)
{
    typedef double Unary(double);
    static Unary *const UNARY[] = {
        [EXPR_SIN] = sin,   [EXPR_COS] = cos,     [EXPR_TAN] = tan,     [EXPR_ASIN] = asin,
        [EXPR_ACOS] = acos, [EXPR_ATAN] = atan,   [EXPR_SINH] = sinh,   [EXPR_COSH] = cosh,
        [EXPR_TANH] = tanh, [EXPR_ASINH] = asinh, [EXPR_ACOSH] = acosh, [EXPR_ATANH] = atanh,
        [EXPR_EXP] = exp,   [EXPR_LOG] = log,     [EXPR_LOG10] = log10, [EXPR_SQRT] = sqrt,
        [EXPR_CBRT] = cbrt, [EXPR_ERF] = erf,     [EXPR_ABS] = fabs,
    };
    if (op <= EXPR_ABS)
        return UNARY[op](a);
    if (op == EXPR_SIGN)
        return (a > 0) - (a < 0);
    if (op == EXPR_ATAN2)
        return atan2(a, b);
    if (op == EXPR_POW)
        return pow(a, b);
    if (op == EXPR_HYPOT)
        return hypot(a, b);
    return op == EXPR_MIN ? fmin(a, b) : fmax(a, b);
}

static double tree_combine(const Trees *trees, const Tree *tree, const double *symbols,
                           double *largest)
{
    double v[4] = {0};
    int children = tree->kind == TREE_IF ? 4 : 2;

    for (int k = 0; k < children; k++)
        if (tree->child[k] != 0)
            v[k] = tree_value(trees, tree->child[k], symbols, largest);
    switch (tree->kind) {
    case TREE_NUMBER:
        return tree->value;
    case TREE_SYMBOL:
        return symbols[tree->symbol];
    case TREE_ADD:
        return v[0] + v[1];
    case TREE_SUB:
        return v[0] - v[1];
    case TREE_MUL:
        return v[0] * v[1];
    case TREE_DIV:
        return v[0] / v[1];
    case TREE_NEG:
        return -v[0];
    case TREE_INTEGER_POWER:
        return pow(v[0], tree->value);
    case TREE_CALL:
        return call_value(tree->op, v[0], v[1]);
    case TREE_IF:
        return v[0] < v[1] ? v[2] : v[3];
    }
    return NAN;
}

double tree_value(const Trees *trees, int root, const double *symbols, double *ret_largest)
{
    double value = tree_combine(trees, &trees->nodes[root], symbols, ret_largest);
    *ret_largest = fmax(*ret_largest, isnan(value) ? INFINITY : fabs(value));
    return value;
}

static Expr build_call(ExprPool *pool, ExprOp op, Expr a, Expr b)
{
    Expr args[] = {a, b};
    return expr_call(pool, op, args, op <= EXPR_SIGN ? 1 : 2);
}

static Expr build_if(ExprPool *pool, const Expr *e)
{
    Expr condition = expr_call(pool, EXPR_LT, e, 2);
    return expr_call(pool, EXPR_IF, (const Expr[]){condition, e[2], e[3]}, 3);
}

Expr tree_build(const Trees *trees, int root, ExprPool *pool)
{
    const Tree *tree = &trees->nodes[root];
    Expr e[4] = {{0}};

    if (tree->kind == TREE_NUMBER)
        return expr_const(pool, tree->value);
    if (tree->kind == TREE_SYMBOL)
        return expr_symbol(pool, tree->symbol);
    for (int k = 0; k < 4; k++)
        if (tree->child[k] != 0)
            e[k] = tree_build(trees, tree->child[k], pool);
    switch (tree->kind) {
    case TREE_NUMBER:
    case TREE_SYMBOL:
        return EXPR_NONE;
    case TREE_ADD:
        return expr_add(pool, e[0], e[1]);
    case TREE_SUB:
        return expr_sub(pool, e[0], e[1]);
    case TREE_MUL:
        return expr_mul(pool, e[0], e[1]);
    case TREE_DIV:
        return expr_div(pool, e[0], e[1]);
    case TREE_NEG:
        return expr_neg(pool, e[0]);
    case TREE_INTEGER_POWER:
        return expr_pow(pool, e[0], expr_const(pool, tree->value));
    case TREE_CALL:
        return build_call(pool, tree->op, e[0], e[1]);
    case TREE_IF:
        return build_if(pool, e);
    }
    return EXPR_NONE;
}

void random_point(Random *random, double *ret_symbols)
{
    for (int i = 0; i < TREE_SYMBOLS; i++)
        ret_symbols[i] = random_uniform(random, -1.5, 1.5);
}
