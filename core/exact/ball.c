/* Values of all steps near a real point, enclosed in balls. */
#include "core/exact/ball.h"

#include "core/base/stop_token.h"

/* Costs of operations on balls, in units of work; words have 64 bits. */
enum {
    PRODUCT_WORK = 8,  /* of numbers of a few words */
    PRODUCT_WORDS = 5, /* long numbers cost words^2 / PRODUCT_WORDS */
    FUNCTION_PRODUCTS = 64,
    SOLVE_PRODUCTS = 2, /* times n^3 */
};

static arb_ptr operand(const Balls *b, const Step *step, uint32_t k)
{
    return b->value + b->steps->args[step->first + k];
}

static void evaluate_product(const Balls *b, const Step *step, arb_t ret)
{
    arb_t power, den;
    bool divides = false;

    arb_init(power);
    arb_init(den);
    arb_one(ret);
    arb_one(den);
    /* positive powers are multiplied, negative ones collected in the denominator */
    for (uint32_t k = 0; k < step->n; k++) {
        const double e = b->steps->coefs[step->first + k];
        arb_pow_ui(power, operand(b, step, k), (ulong)(e < 0 ? -e : e), b->bits);
        if (e > 0) {
            arb_mul(ret, ret, power, b->bits);
        } else {
            arb_mul(den, den, power, b->bits);
            divides = true;
        }
    }
    if (divides)
        arb_div(ret, ret, den, b->bits);
    arb_clear(power);
    arb_clear(den);
}

static void evaluate_sum(const Balls *b, const Step *step, arb_t ret)
{
    arb_set_round(ret, b->numbers + step->number, b->bits);
    for (uint32_t k = 0; k < step->n; k++)
        arb_addmul(ret, b->numbers + b->steps->weights[step->first + k], operand(b, step, k),
                   b->bits);
}

/* An undecided condition is indeterminate, and so is every value that depends on it. */
static void set_truth(arb_t ret, bool holds, bool fails)
{
    if (holds == fails)
        arb_indeterminate(ret);
    else
        arb_set_si(ret, holds);
}

static void evaluate_condition(const Balls *b, const Step *step, arb_t ret)
{
    arb_srcptr x = operand(b, step, 0), y = step->n > 1 ? operand(b, step, 1) : NULL;

    switch ((int)step->op) {
    case EXPR_LT:
        set_truth(ret, arb_lt(x, y), arb_ge(x, y));
        break;
    case EXPR_LE:
        set_truth(ret, arb_le(x, y), arb_gt(x, y));
        break;
    case EXPR_EQ:
        set_truth(ret, arb_eq(x, y), arb_ne(x, y));
        break;
    case EXPR_NOT:
        set_truth(ret, arb_is_zero(x), arb_is_nonzero(x));
        break;
    case EXPR_AND:
        set_truth(ret, arb_is_nonzero(x) && arb_is_nonzero(y), arb_is_zero(x) || arb_is_zero(y));
        break;
    case EXPR_OR:
        set_truth(ret, arb_is_nonzero(x) || arb_is_nonzero(y), arb_is_zero(x) && arb_is_zero(y));
        break;
    default: /* if */
        if (arb_is_nonzero(x))
            arb_set(ret, y);
        else if (arb_is_zero(x))
            arb_set(ret, operand(b, step, 2));
        else
            arb_indeterminate(ret);
    }
}

static void cube_root(arb_t ret, const arb_t x, slong bits)
{
    if (arb_is_negative(x)) {
        arb_neg(ret, x);
        arb_root_ui(ret, ret, 3, bits);
        arb_neg(ret, ret);
    } else {
        arb_root_ui(ret, x, 3, bits);
    }
}

static void absolute(arb_t ret, const arb_t x, slong bits)
{
    (void)bits;
    arb_abs(ret, x);
}

static void signum(arb_t ret, const arb_t x, slong bits)
{
    (void)bits;
    arb_sgn(ret, x);
}

static void decimal_logarithm(arb_t ret, const arb_t x, slong bits)
{
    arb_log_base_ui(ret, x, 10, bits);
}

/* A function of one or of two arguments. */
typedef struct Function {
    ExprOp op;
    void (*one)(arb_t ret, const arb_t x, slong bits);
    void (*two)(arb_t ret, const arb_t x, const arb_t y, slong bits);
} Function;

/* NULL: none. */
static const Function *function_of(ExprOp op)
{
    /* operation; its function of one ball; its function of two */
    static const Function TABLE[] = {
        {EXPR_SIN, arb_sin, NULL},     {EXPR_COS, arb_cos, NULL},
        {EXPR_TAN, arb_tan, NULL},     {EXPR_ASIN, arb_asin, NULL},
        {EXPR_ACOS, arb_acos, NULL},   {EXPR_ATAN, arb_atan, NULL},
        {EXPR_SINH, arb_sinh, NULL},   {EXPR_COSH, arb_cosh, NULL},
        {EXPR_TANH, arb_tanh, NULL},   {EXPR_ASINH, arb_asinh, NULL},
        {EXPR_ACOSH, arb_acosh, NULL}, {EXPR_ATANH, arb_atanh, NULL},
        {EXPR_EXP, arb_exp, NULL},     {EXPR_LOG, arb_log, NULL},
        {EXPR_SQRT, arb_sqrt, NULL},   {EXPR_LOG10, decimal_logarithm, NULL},
        {EXPR_CBRT, cube_root, NULL},  {EXPR_ERF, arb_hypgeom_erf, NULL},
        {EXPR_ABS, absolute, NULL},    {EXPR_SIGN, signum, NULL},
        {EXPR_ATAN2, NULL, arb_atan2}, {EXPR_POW, NULL, arb_pow},
        {EXPR_HYPOT, NULL, arb_hypot}, {EXPR_MIN, NULL, arb_min},
        {EXPR_MAX, NULL, arb_max},
    };

    for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (TABLE[k].op == op)
            return &TABLE[k];
    return NULL;
}

/* y is not used by functions of one argument. */
static void evaluate_function(ExprOp op, arb_srcptr x, arb_srcptr y, arb_t ret, slong bits)
{
    const Function *function = function_of(op);

    if (!function)
        arb_indeterminate(ret);
    else if (function->one)
        function->one(ret, x, bits);
    else
        function->two(ret, x, y, bits);
}

uint64_t balls_work(const Balls *b, size_t products)
{
    const uint64_t words = (uint64_t)b->bits / 64;
    return products * (PRODUCT_WORK + words * words / PRODUCT_WORDS);
}

bool balls_afford(const Balls *b, size_t products)
{
    const uint64_t work = balls_work(b, products);
    return work <= EXACT_MAX_PIECE && stop_token_spend(work, NULL) == OK;
}

bool balls_linear(const Balls *b, arb_mat_t x, const arb_mat_t A, const arb_mat_t y)
{
    const size_t n = (size_t)arb_mat_nrows(A);
    return balls_afford(b, SOLVE_PRODUCTS * n * n * n) && arb_mat_solve(x, A, y, b->bits);
}

static void solve_system(const Balls *b, const Step *step)
{
    const Step *factor = &b->steps->step[b->steps->args[step->first]];
    const slong n = (slong)step->n - 1;
    arb_mat_t A, x;

    arb_mat_init(A, n, n);
    arb_mat_init(x, n, 1);
    /* the right side goes into x, which becomes the solution */
    for (slong i = 0; i < n; i++) {
        for (slong j = 0; j < n; j++)
            arb_set(arb_mat_entry(A, i, j), operand(b, factor, (uint32_t)(i * n + j)));
        arb_set(arb_mat_entry(x, i, 0), operand(b, step, (uint32_t)(i + 1)));
    }
    const bool solved = balls_linear(b, x, A, x);
    for (slong i = 0; i < n; i++) {
        if (solved)
            arb_set(b->store + step->part + i, arb_mat_entry(x, i, 0));
        else
            arb_indeterminate(b->store + step->part + i);
    }
    arb_mat_clear(A);
    arb_mat_clear(x);
}

/* Evaluates solutions and their elements. A factor has no value of its own. */
static void evaluate_system(const Balls *b, const Step *step, arb_t ret)
{
    if (step->op == EXPR_ELEMENT)
        arb_set(ret, b->store + b->steps->step[b->steps->args[step->first]].part + step->part);
    else if (step->op == EXPR_SOLVE)
        solve_system(b, step);
}

static void evaluate_step(const Balls *b, const Step *step, arb_t ret)
{
    /* a symbol has its value already */
    if (step->op == EXPR_SYMBOL)
        return;
    if (step->op == EXPR_CONST)
        arb_set_round(ret, b->numbers + step->number, b->bits);
    else if (step->op == EXPR_SUM)
        evaluate_sum(b, step, ret);
    else if (step->op == EXPR_PRODUCT)
        evaluate_product(b, step, ret);
    else if (step->op >= EXPR_FACTOR)
        evaluate_system(b, step, ret);
    else if (step->op >= EXPR_LT)
        evaluate_condition(b, step, ret);
    else
        evaluate_function(step->op, operand(b, step, 0), operand(b, step, step->n - 1), ret,
                          b->bits);
}

void balls_evaluate(Balls *b, uint32_t level)
{
    for (size_t i = 0; i < b->steps->n; i++) {
        const Step *step = &b->steps->step[i];
        if (step->level != level)
            continue;
        const Function *function = function_of(step->op);
        const size_t products = function && function->one ? FUNCTION_PRODUCTS : step->n;
        if (stop_token_spend(balls_work(b, products), NULL) != OK)
            return;
        evaluate_step(b, step, b->value + i);
    }
}

static void add_doubt(arb_t ret, double value)
{
    mag_t doubt;

    mag_init(doubt);
    mag_set_d(doubt, numbers_doubt(value));
    arb_add_error_mag(ret, doubt);
    mag_clear(doubt);
}

/* A number that is built from earlier ones. */
static void evaluate_real(const Number *real, arb_srcptr reals, arb_t ret, slong bits)
{
    arb_srcptr a = reals + real->a, b = reals + real->b;

    if (real->op == EXPR_CONST) {
        arb_set_fmpq(ret, real->exact, bits);
        if (real->real->vague)
            add_doubt(ret, real->real->value);
    } else if (real->op == EXPR_SUM) {
        arb_add(ret, a, b, bits);
    } else if (real->op == EXPR_PRODUCT) {
        arb_mul(ret, a, b, bits);
    } else {
        evaluate_function(real->op, a, b, ret, bits);
    }
}

/* Sets the numbers that stand for one of the reals. */
static void set_reals(Balls *b)
{
    const Steps *s = b->steps;
    arb_ptr reals = _arb_vec_init((slong)s->reals.n);

    for (size_t i = 0; i < s->reals.n; i++)
        evaluate_real(&s->reals.list[i], reals, reals + i, b->bits);
    for (size_t k = 0; k < s->n_numbers; k++) {
        if (!s->reals.places[k])
            continue;
        arb_set(b->numbers + k, reals + s->reals.places[k] - 1);
        if (s->numbers[k] < 0)
            arb_neg(b->numbers + k, b->numbers + k);
    }
    _arb_vec_clear(reals, (slong)s->reals.n);
}

void balls_init(Balls *b, const Steps *steps, slong bits)
{
    *b = (Balls){.steps = steps,
                 .bits = bits,
                 .numbers = _arb_vec_init((slong)steps->n_numbers),
                 .store = _arb_vec_init((slong)steps->n_store),
                 .value = _arb_vec_init((slong)steps->n)};
    for (size_t k = 0; k < steps->n_numbers; k++) {
        arb_set_fmpq(b->numbers + k, steps->exact + k, bits);
        if (!steps->given[k])
            add_doubt(b->numbers + k, steps->numbers[k]);
    }
    set_reals(b);
}

void balls_done(Balls *b)
{
    _arb_vec_clear(b->numbers, (slong)b->steps->n_numbers);
    _arb_vec_clear(b->store, (slong)b->steps->n_store);
    _arb_vec_clear(b->value, (slong)b->steps->n);
}
