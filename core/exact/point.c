/* Values of all steps at a point over a prime field. */
#include "core/exact/point.h"

#include <flint/ulong_extras.h>

/* Numbers for field_unknown() that are not operations. */
enum { UNKNOWN_LN_10 = 1000 };
enum { LOG_DEPTH = 6, CONTENT_DEPTH = 6 };

static const char *const NO_COUNTERPART = "it holds a number without a counterpart in the fields";

static mp_limb_t add(const Point *p, mp_limb_t a, mp_limb_t b)
{
    return nmod_add(a, b, p->field.mod);
}

static mp_limb_t sub(const Point *p, mp_limb_t a, mp_limb_t b)
{
    return nmod_sub(a, b, p->field.mod);
}

static mp_limb_t mul(const Point *p, mp_limb_t a, mp_limb_t b)
{
    return nmod_mul(a, b, p->field.mod);
}

/* 1 / a; 0 is a pole. */
static mp_limb_t inverse(Point *p, mp_limb_t a)
{
    if (a == 0) {
        p->pole = true;
        return 0;
    }
    return nmod_inv(a, p->field.mod);
}

static mp_limb_t operand(const Point *p, const Step *step, uint32_t k)
{
    return p->value[p->steps->args[step->first + k]];
}

static mp_limb_t evaluate_sum(const Point *p, const Step *step)
{
    mp_limb_t sum = p->numbers[step->number];

    for (uint32_t k = 0; k < step->n; k++)
        NMOD_ADDMUL(sum, p->numbers[p->steps->weights[step->first + k]], operand(p, step, k),
                    p->field.mod);
    return sum;
}

static mp_limb_t evaluate_product(Point *p, const Step *step)
{
    mp_limb_t num = 1, den = 1, power;

    for (uint32_t k = 0; k < step->n; k++) {
        const double e = p->steps->coefs[step->first + k];
        /* an integer exponent of at most PRODUCT_MAX_EXPONENT */
        field_integer_power(&p->field, operand(p, step, k), (slong)(e < 0 ? -e : e), &power);
        if (e < 0)
            den = mul(p, den, power);
        else
            num = mul(p, num, power);
    }
    return den == 1 ? num : mul(p, num, inverse(p, den));
}

/* The angle of `turns` times 1/FIELD_TURNS of a turn. */
static void turn_by(Point *p, slong turns, mp_limb_t *ret_cosine, mp_limb_t *ret_sine)
{
    const slong rest = turns % FIELD_TURNS;

    if (p->field.cosine == 0)
        p->why = NO_COUNTERPART;
    field_turn(&p->field, p->field.cosine, p->field.sine,
               (ulong)(rest < 0 ? rest + FIELD_TURNS : rest), ret_cosine, ret_sine);
}

/* Otherwise parts of a turn and roots of numbers are unknowns: their signs would be wrong. */
static bool knows_signs(const Point *p)
{
    return p->n_signs == 0;
}

static const Argument *argument_of(const Point *p, BaseKind kind, uint32_t slot)
{
    return &p->multiples->arguments[p->multiples->argument_of[kind][slot] - 1];
}

static void circle(const Point *p, uint32_t slot, mp_limb_t *ret_cosine, mp_limb_t *ret_sine)
{
    const Argument *argument = argument_of(p, BASE_ANGLE, slot);
    mp_limb_t c = 1, s = 0;

    for (uint32_t k = 0; k < argument->n; k++) {
        const Multiple *m = &p->multiples->multiples[argument->first + k];
        mp_limb_t c1, s1;
        field_turn(&p->field, p->cosine[m->base], p->sine[m->base],
                   m->times < 0 ? -(ulong)m->times : (ulong)m->times, &c1, &s1);
        if (m->times < 0)
            s1 = nmod_neg(s1, p->field.mod);
        mp_limb_t next = sub(p, mul(p, c, c1), mul(p, s, s1));
        s = add(p, mul(p, s, c1), mul(p, c, s1));
        c = next;
    }
    *ret_cosine = c;
    *ret_sine = s;
}

static mp_limb_t exponential(const Point *p, uint32_t slot)
{
    const Argument *argument = argument_of(p, BASE_EXPONENT, slot);
    mp_limb_t product = 1, power = 1;

    for (uint32_t k = 0; k < argument->n; k++) {
        const Multiple *m = &p->multiples->multiples[argument->first + k];
        /* a base is not zero */
        field_integer_power(&p->field, p->cosine[m->base], m->times, &power);
        product = mul(p, product, power);
    }
    return product;
}

static mp_limb_t evaluate_angle(Point *p, const Step *step)
{
    mp_limb_t c, s;

    circle(p, p->steps->args[step->first], &c, &s);
    if (step->op == EXPR_SIN)
        return s;
    return step->op == EXPR_COS ? c : mul(p, s, inverse(p, c));
}

static mp_limb_t evaluate_exponential(Point *p, const Step *step)
{
    const mp_limb_t e = exponential(p, p->steps->args[step->first]);
    if (step->op == EXPR_EXP)
        return e;
    const mp_limb_t half = inverse(p, 2), other = inverse(p, e);
    const mp_limb_t cosh = mul(p, half, add(p, e, other)), sinh = mul(p, half, sub(p, e, other));
    if (step->op == EXPR_SINH)
        return sinh;
    return step->op == EXPR_COSH ? cosh : mul(p, sinh, inverse(p, cosh));
}

/* Whether a is positive; notes the sign for the step. */
static bool positive(Point *p, const Step *step, mp_limb_t a)
{
    const uint8_t bit = p->sign_of[step - p->steps->step];
    const bool is = field_is_positive(&p->field, a);

    if (bit) {
        p->signs &= ~(UINT64_C(1) << (bit - 1));
        p->signs |= (uint64_t)is << (bit - 1);
    }
    return is;
}

static bool all_folded(const Folded *f, const Step *step)
{
    for (uint32_t k = 0; k < step->n; k++)
        if (!fold_operand(f, step, k))
            return false;
    return true;
}

/* The power; an even root of a negative argument is that of its absolute value, to go on. */
static mp_limb_t fractional_power(Point *p, const Step *step, mp_limb_t a, const fmpq_t exponent)
{
    const bool even = fmpz_is_even(fmpq_denref(exponent));
    mp_limb_t power = 0;

    if (even && !positive(p, step, a))
        a = nmod_neg(a, p->field.mod);
    if (a == 0)
        p->pole = true; /* a root is not smooth at zero */
    else if (!field_power(&p->field, a, exponent, &power))
        p->why = "it holds a root without a counterpart in the fields";
    return power;
}

/* A power of a rational number. False if it is unknown, or if branches depend on signs. */
static bool power_of_number(const Point *p, const fmpq_t a, const fmpq_t exponent, mp_limb_t *ret)
{
    return knows_signs(p) && radical_value(&p->field, a, exponent, ret);
}

static bool root_of_number(const Point *p, const fmpq_t a, ulong n, mp_limb_t *ret)
{
    fmpq_t exponent;

    fmpq_init(exponent);
    fmpq_set_ui(exponent, 1, n);
    const bool known = power_of_number(p, a, exponent, ret);
    fmpq_clear(exponent);
    return known;
}

/* The square root of a rational number, or an independent positive unknown. */
static mp_limb_t root_of_step(const Point *p, const Step *step, mp_limb_t a)
{
    mp_limb_t root;

    if (step->op == EXPR_SQRT && root_of_number(p, fold_operand(p->folded, step, 0), 2, &root))
        return root;
    root = field_unknown(&p->field, EXPR_SQRT, a, 0);
    return mul(p, root, root);
}

static mp_limb_t evaluate_root(Point *p, const Step *step)
{
    const mp_limb_t a = operand(p, step, 0);
    mp_limb_t b = step->op == EXPR_HYPOT ? operand(p, step, 1) : 0;
    fmpq_t exponent;

    if (step->op != EXPR_CBRT && all_folded(p->folded, step))
        return root_of_step(p, step, add(p, mul(p, a, a), b));
    fmpq_init(exponent);
    fmpq_set_si(exponent, 1, step->op == EXPR_CBRT ? 3 : 2);
    b = step->op == EXPR_HYPOT ? add(p, mul(p, a, a), mul(p, b, b)) : a;
    const mp_limb_t root = fractional_power(p, step, b, exponent);
    fmpq_clear(exponent);
    return root;
}

static mp_limb_t evaluate_power(Point *p, const Step *step)
{
    const fmpq *exponent = fold_operand(p->folded, step, 1);
    const mp_limb_t a = operand(p, step, 0);
    mp_limb_t power;

    if (exponent && all_folded(p->folded, step) &&
        power_of_number(p, fold_operand(p->folded, step, 0), exponent, &power))
        return power;
    if (!exponent || all_folded(p->folded, step))
        return field_unknown(&p->field, step->op, a, operand(p, step, 1));
    return fractional_power(p, step, a, exponent);
}

static mp_limb_t size_of(const Point *p, mp_limb_t a)
{
    return field_is_positive(&p->field, a) ? a : nmod_neg(a, p->field.mod);
}

/* log |value|: the sum of the factors' logarithms, or the exponent of an exponential. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static mp_limb_t logarithm(const Point *p, uint32_t slot, unsigned depth)
{
    const Steps *s = p->steps;
    const Step *step = &s->step[slot];
    mp_limb_t sum = 0;

    if (step->op == EXPR_PRODUCT && depth < LOG_DEPTH) {
        for (uint32_t k = 0; k < step->n; k++) {
            const double e = s->coefs[step->first + k];
            const mp_limb_t size = (mp_limb_t)(e < 0 ? -e : e);
            const mp_limb_t one = logarithm(p, s->args[step->first + k], depth + 1);
            sum = (e < 0 ? sub : add)(p, sum, mul(p, size, one));
        }
        return sum;
    }
    /* a constant times a value */
    if (step->op == EXPR_SUM && step->n == 1 && step->value == 0 && depth < LOG_DEPTH)
        return add(
            p,
            field_unknown(&p->field, EXPR_LOG, size_of(p, p->numbers[s->weights[step->first]]), 0),
            logarithm(p, s->args[step->first], depth + 1));
    if (step->op == EXPR_EXP)
        return operand(p, step, 0);
    if (step->op == EXPR_SQRT && depth < LOG_DEPTH)
        return nmod_div(logarithm(p, s->args[step->first], depth + 1), 2, p->field.mod);
    /* an independent unknown, except log 1 = 0 */
    if (p->value[slot] == 1)
        return 0;
    return field_unknown(&p->field, EXPR_LOG, size_of(p, p->value[slot]), 0);
}

static mp_limb_t evaluate_logarithm(Point *p, const Step *step)
{
    const mp_limb_t log = logarithm(p, p->steps->args[step->first], 0);

    if (operand(p, step, 0) == 0)
        p->pole = true;
    if (step->op == EXPR_LOG)
        return log;
    return mul(p, log, inverse(p, field_unknown(&p->field, UNKNOWN_LN_10, 0, 0)));
}

/* An odd function of one argument. */
static mp_limb_t evaluate_odd(const Point *p, const Step *step)
{
    const mp_limb_t a = operand(p, step, 0), size = size_of(p, a);
    const mp_limb_t value = a == 0 ? 0 : field_unknown(&p->field, step->op, size, 0);
    return size == a ? value : nmod_neg(value, p->field.mod);
}

/* A known positive factor of the value at a slot, or 1. A number gives its absolute value, a
 * product the contents of its factors, a sum that of its first term. After division by it guards
 * that are multiples of each other differ only by squares. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static mp_limb_t content(const Point *p, uint32_t slot, unsigned depth)
{
    const Steps *s = p->steps;
    const Step *step = &s->step[slot];
    const fmpq *number = fold_value(p->folded, slot);
    mp_limb_t product = 1;

    if (number) {
        const mp_limb_t value = p->constants[p->folded->place[slot] - 1];
        return value == 0 ? 1 : fmpq_sgn(number) < 0 ? nmod_neg(value, p->field.mod) : value;
    }
    if (depth == CONTENT_DEPTH || step->n == 0)
        return 1;
    /* the first term of a sum */
    if (step->op == EXPR_SUM) {
        const uint32_t weight = s->weights[step->first];
        if (steps_rational(s, weight) && p->numbers[weight] != 0)
            product = s->numbers[weight] < 0 ? nmod_neg(p->numbers[weight], p->field.mod)
                                             : p->numbers[weight];
        return mul(p, product, content(p, s->args[step->first], depth + 1));
    }
    for (uint32_t k = 0; step->op == EXPR_PRODUCT && k < step->n; k++) {
        const double e = s->coefs[step->first + k];
        mp_limb_t power = content(p, s->args[step->first + k], depth + 1);
        field_integer_power(&p->field, power, (slong)e, &power);
        product = mul(p, product, power);
    }
    return product;
}

static mp_limb_t evaluate_corner(Point *p, const Step *step)
{
    const mp_limb_t a = operand(p, step, 0), b = step->n > 1 ? operand(p, step, 1) : 0;
    const bool compared = step->op == EXPR_LT || step->op == EXPR_LE;
    const mp_limb_t guard = compared ? sub(p, b, a) : step->n > 1 ? sub(p, a, b) : a;
    const uint32_t *args = p->steps->args + step->first;
    const uint32_t first = fold_value(p->folded, args[0]) && step->n > 1 ? args[1] : args[0];
    const bool above = positive(p, step, mul(p, guard, content(p, first, 0)));

    if (step->op == EXPR_ABS)
        return above ? a : nmod_neg(a, p->field.mod);
    if (step->op == EXPR_SIGN)
        return guard == 0 ? 0 : above ? 1 : p->field.mod.n - 1;
    if (step->op == EXPR_MIN)
        return above ? b : a;
    if (step->op == EXPR_MAX)
        return above ? a : b;
    return step->op == EXPR_LE ? above || guard == 0 : above;
}

static mp_limb_t evaluate_logic(const Point *p, const Step *step)
{
    const mp_limb_t a = operand(p, step, 0);

    if (step->op == EXPR_NOT)
        return a == 0;
    const mp_limb_t b = operand(p, step, 1);
    if (step->op == EXPR_EQ)
        return a == b;
    if (step->op == EXPR_AND)
        return a != 0 && b != 0;
    if (step->op == EXPR_OR)
        return a != 0 || b != 0;
    return a != 0 ? b : operand(p, step, 2);
}

static void solve_system(Point *p, const Step *step)
{
    const Steps *s = p->steps;
    const Step *factor = &s->step[s->args[step->first]];
    const size_t n = step->n - 1;
    size_t pivots[EXACT_MAX_UNKNOWNS], rank;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            p->matrix[i * (n + 1) + j] = operand(p, factor, (uint32_t)(i * n + j));
        p->matrix[i * (n + 1) + n] = operand(p, step, (uint32_t)(i + 1));
    }
    p->work += n * n * n;
    elimination_reduce(p->matrix, n, n, p->field.mod, pivots, &rank);
    /* a singular system is a pole */
    if (rank < n) {
        p->pole = true;
        return;
    }
    for (size_t i = 0; i < n; i++)
        p->store[step->part + pivots[i]] = p->matrix[i * (n + 1) + n];
}

/* Evaluates solutions and their elements. A factor has no value of its own. */
static mp_limb_t evaluate_system(Point *p, const Step *step)
{
    if (step->op == EXPR_ELEMENT)
        return p->store[p->steps->step[p->steps->args[step->first]].part + step->part];
    if (step->op == EXPR_SOLVE)
        solve_system(p, step);
    return 0;
}

static bool is_corner(ExprOp op)
{
    return op == EXPR_ABS || op == EXPR_SIGN || op == EXPR_MIN || op == EXPR_MAX || op == EXPR_LT ||
           op == EXPR_LE;
}

static bool is_even_root(const Folded *f, const Step *step)
{
    if (all_folded(f, step))
        return false;
    if (step->op == EXPR_SQRT || step->op == EXPR_HYPOT)
        return true;
    const fmpq *exponent = step->op == EXPR_POW ? fold_operand(f, step, 1) : NULL;
    return exponent && fmpz_is_even(fmpq_denref(exponent));
}

static mp_limb_t evaluate_function(Point *p, const Step *step)
{
    BaseKind kind;

    if (multiples_kind(step->op, &kind))
        return kind == BASE_ANGLE ? evaluate_angle(p, step) : evaluate_exponential(p, step);
    if (is_corner(step->op))
        return evaluate_corner(p, step);
    if (step->op == EXPR_SQRT || step->op == EXPR_CBRT || step->op == EXPR_HYPOT)
        return evaluate_root(p, step);
    if (step->op == EXPR_POW)
        return evaluate_power(p, step);
    if (step->op == EXPR_LOG || step->op == EXPR_LOG10)
        return evaluate_logarithm(p, step);
    if (step->op >= EXPR_LT)
        return evaluate_logic(p, step);
    if (step->n == 2) /* atan2 */
        return field_unknown(&p->field, step->op, operand(p, step, 0), operand(p, step, 1));
    if (step->op == EXPR_ACOS || step->op == EXPR_ACOSH)
        return field_unknown(&p->field, step->op, operand(p, step, 0), 0);
    return evaluate_odd(p, step);
}

static void evaluate_step(Point *p, uint32_t slot)
{
    const Step *step = &p->steps->step[slot];

    p->work += 1 + step->n;
    if (p->folded->place[slot]) {
        p->value[slot] = p->constants[p->folded->place[slot] - 1];
    } else if (step->op == EXPR_SYMBOL) {
        return; /* its value was drawn or solved for */
    } else if (step->op == EXPR_CONST) {
        p->value[slot] = p->numbers[step->number];
    } else if (step->op == EXPR_SUM) {
        p->value[slot] = evaluate_sum(p, step);
    } else if (step->op == EXPR_PRODUCT) {
        p->value[slot] = evaluate_product(p, step);
    } else if (step->op >= EXPR_FACTOR) {
        p->value[slot] = evaluate_system(p, step);
    } else {
        p->work += 64; /* a function costs as much as 64 products */
        p->value[slot] = evaluate_function(p, step);
    }
}

bool point_evaluate(Point *p, const uint32_t *slots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        evaluate_step(p, slots ? slots[i] : (uint32_t)i);
    return !p->pole && !p->why;
}

bool point_has_roots(const Point *p)
{
    return (p->signs & p->roots) == p->roots;
}

void point_set_base(Point *p, size_t base, mp_limb_t u)
{
    if (p->multiples->bases[base].kind == BASE_EXPONENT) {
        p->cosine[base] = u;
        p->pole |= u == 0;
        return;
    }
    if (p->multiples->bases[base].fixed && knows_signs(p)) {
        turn_by(p, p->multiples->bases[base].turns, &p->cosine[base], &p->sine[base]);
        return;
    }
    /* -1 is not a square, so 1 + u^2 is not 0 */
    const mp_limb_t square = mul(p, u, u), under = inverse(p, add(p, 1, square));
    p->cosine[base] = mul(p, under, sub(p, 1, square));
    p->sine[base] = mul(p, under, mul(p, 2, u));
}

/* The cosine or sine of a rational part of a turn; false for other numbers. */
static bool evaluate_turn(Point *p, const Number *real, mp_limb_t *ret)
{
    const bool is_sine = real->op == EXPR_SIN;
    mp_limb_t cosine, sine;
    slong turns;

    if ((!is_sine && real->op != EXPR_COS) || !knows_signs(p) ||
        !numbers_turns(&p->steps->reals, real->a, NULL, &turns))
        return false;
    turn_by(p, turns, &cosine, &sine);
    *ret = is_sine ? sine : cosine;
    return true;
}

/* A square or cube root of a rational number; false for other numbers. */
static bool evaluate_radical(const Point *p, const Number *real, mp_limb_t *ret)
{
    const Number *base = &p->steps->reals.list[real->a];
    const Number *exponent = &p->steps->reals.list[real->b];

    if (!base->rational)
        return false;
    if (real->op == EXPR_SQRT || real->op == EXPR_CBRT)
        return root_of_number(p, base->exact, real->op == EXPR_CBRT ? 3 : 2, ret);
    return real->op == EXPR_POW && exponent->rational &&
           power_of_number(p, base->exact, exponent->exact, ret);
}

static mp_limb_t evaluate_real(Point *p, const Number *real)
{
    const mp_limb_t a = p->reals[real->a], b = p->reals[real->b];
    const Number *exponent = &p->steps->reals.list[real->b];
    mp_limb_t value;

    if (real->rational) {
        if (!field_rational(&p->field, real->exact, &value))
            p->why = NO_COUNTERPART;
        return p->why ? 0 : value;
    }
    if (real->op == EXPR_SUM)
        return add(p, a, b);
    if (real->op == EXPR_PRODUCT)
        return mul(p, a, b);
    /* parts of a turn and radicals, else an independent unknown or an integer power */
    if (evaluate_turn(p, real, &value))
        return value;
    if (evaluate_radical(p, real, &value))
        return value;
    if (real->op != EXPR_POW || !exponent->rational || !fmpz_is_one(fmpq_denref(exponent->exact)))
        return field_unknown(&p->field, real->op, a, real->real->b ? b : 0);
    if (!field_integer_power(&p->field, a, fmpz_get_si(fmpq_numref(exponent->exact)), &value)) {
        p->pole = true;
        return 0;
    }
    return value;
}

/* Irrational numbers: function values are drawn anew with each point. */
static void draw_reals(Point *p)
{
    const Steps *s = p->steps;

    for (size_t i = 0; i < s->reals.n; i++)
        p->reals[i] = evaluate_real(p, &s->reals.list[i]);
    for (uint32_t k = 0; k < s->n_numbers; k++) {
        const uint32_t place = s->reals.places[k];
        if (steps_rational(s, k))
            continue;
        p->numbers[k] = p->reals[place - 1];
        if (s->numbers[k] < 0)
            p->numbers[k] = nmod_neg(p->numbers[k], p->field.mod);
    }
    p->work += 16 * s->reals.n;
}

void point_draw(Point *p)
{
    p->pole = false;
    p->choices.n = 0;
    p->signs = p->roots;
    p->field.key = random_bits(&p->random);
    if (p->steps->reals.n > 0)
        draw_reals(p);
    for (size_t i = 0; i < p->steps->n; i++)
        if (p->steps->step[i].op == EXPR_SYMBOL)
            p->value[i] = field_random(&p->field, &p->random);
    for (size_t k = 0; k < p->multiples->n_bases; k++)
        point_set_base(p, k, field_random(&p->field, &p->random));
}

void point_draw_beyond(Point *p, uint32_t stage)
{
    for (size_t i = 0; i < p->steps->n; i++)
        if (p->steps->step[i].op == EXPR_SYMBOL && p->steps->step[i].stage > stage)
            p->value[i] = field_random(&p->field, &p->random);
    for (size_t k = 0; k < p->multiples->n_bases; k++)
        if (p->multiples->bases[k].level > stage)
            point_set_base(p, k, field_random(&p->field, &p->random));
}

void point_set_field(Point *p, size_t prime)
{
    p->field = field_of(prime);
    p->turned = field_random(&p->field, &p->random);
    for (size_t k = 0; k < p->steps->n_numbers; k++)
        if (!field_rational(&p->field, p->steps->exact + k, &p->numbers[k]))
            p->why = NO_COUNTERPART;
    for (size_t k = 0; k < p->folded->n; k++)
        if (!field_rational(&p->field, p->folded->values + k, &p->constants[k]))
            p->why = NO_COUNTERPART;
}

static size_t largest_system(const Steps *s)
{
    size_t largest = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->step[i].op == EXPR_SOLVE && s->step[i].n > largest)
            largest = s->step[i].n;
    return largest;
}

bool point_init(Point *p, Steps *s, const Multiples *multiples, const Folded *folded)
{
    *p = (Point){.steps = s,
                 .multiples = multiples,
                 .folded = folded,
                 .constants = ARENA_NEW(&s->arena, folded->n, mp_limb_t),
                 .numbers = ARENA_NEW(&s->arena, s->n_numbers, mp_limb_t),
                 .reals = ARENA_NEW(&s->arena, s->reals.n, mp_limb_t),
                 .value = ARENA_NEW(&s->arena, s->n, mp_limb_t),
                 .sine = ARENA_NEW(&s->arena, multiples->n_bases, mp_limb_t),
                 .cosine = ARENA_NEW(&s->arena, multiples->n_bases, mp_limb_t),
                 .store = ARENA_NEW(&s->arena, s->n_store, mp_limb_t),
                 .matrix = ARENA_NEW(&s->arena, largest_system(s) * largest_system(s), mp_limb_t),
                 .sign_of = ARENA_NEW(&s->arena, s->n, uint8_t)};
    if (arena_failed(&s->arena))
        return false;
    random_init(&p->random, s->n);
    /* give a bit to each even root and corner */
    for (size_t i = 0; i < s->n; i++) {
        const bool root = is_even_root(folded, &s->step[i]);
        if (folded->place[i] || (!root && !is_corner(s->step[i].op)))
            continue;
        if (p->n_signs == POINT_SIGNS) {
            p->why = "it has too many roots and corners";
            break;
        }
        p->roots |= (uint64_t)root << p->n_signs;
        p->sign_of[i] = (uint8_t)++p->n_signs;
    }
    return true;
}
