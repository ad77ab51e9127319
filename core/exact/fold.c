/* Steps that are rational numbers for all values of the free symbols. */
#include "core/exact/fold.h"

#include <flint/fmpz.h>
#include <math.h>

/* Longer numbers are left to the field. */
enum { MOST_BITS = 20000 };

static bool fold_sum(const Folded *f, const Step *step, fmpq_t ret)
{
    const fmpq *number = steps_rational(f->steps, step->number);

    if (number)
        fmpq_set(ret, number);
    for (uint32_t k = 0; number && k < step->n; k++) {
        number = steps_rational(f->steps, f->steps->weights[step->first + k]);
        if (number)
            fmpq_addmul(ret, number, fold_operand(f, step, k));
        if (fmpq_height_bits(ret) > MOST_BITS)
            return false;
    }
    return number != NULL;
}

static bool fold_product(const Folded *f, const Step *step, fmpq_t ret)
{
    fmpq_t power;
    bool made = true;

    fmpq_one(ret);
    fmpq_init(power);
    /* multiply by powers; a division by 0 and long numbers fail */
    for (uint32_t k = 0; made && k < step->n; k++) {
        const fmpq *a = fold_operand(f, step, k);
        const double e = f->steps->coefs[step->first + k];
        made = (e > 0 || !fmpq_is_zero(a)) && (double)fmpq_height_bits(a) * fabs(e) < MOST_BITS;
        if (made) {
            fmpq_pow_si(power, a, (slong)e);
            fmpq_mul(ret, ret, power);
            made = fmpq_height_bits(ret) <= MOST_BITS;
        }
    }
    fmpq_clear(power);
    return made;
}

static bool fold_square_root(const fmpq *a, fmpq_t ret)
{
    if (fmpq_sgn(a) < 0 || !fmpz_is_square(fmpq_numref(a)) || !fmpz_is_square(fmpq_denref(a)))
        return false;
    fmpz_sqrt(fmpq_numref(ret), fmpq_numref(a));
    fmpz_sqrt(fmpq_denref(ret), fmpq_denref(a));
    return true;
}

/* A condition, 1 or 0 as in the programs: `order` is the sign of a - b. */
static bool truth(ExprOp op, int order, bool a, bool b)
{
    switch ((int)op) {
    case EXPR_LT:
        return order < 0;
    case EXPR_LE:
        return order <= 0;
    case EXPR_EQ:
        return order == 0;
    case EXPR_NOT:
        return !a;
    case EXPR_AND:
        return a && b;
    default:
        return a || b;
    }
}

static bool fold_corner(const Folded *f, const Step *step, fmpq_t ret)
{
    const fmpq *a = fold_operand(f, step, 0), *b = step->n > 1 ? fold_operand(f, step, 1) : NULL;
    const int order = b ? fmpq_cmp(a, b) : fmpq_sgn(a);

    /* a root is rational only if numerator and denominator are squares */
    if (step->op == EXPR_SQRT)
        return fold_square_root(a, ret);
    if (step->op == EXPR_ABS)
        fmpq_abs(ret, a);
    else if (step->op == EXPR_SIGN)
        fmpq_set_si(ret, (order > 0) - (order < 0), 1);
    else if (step->op == EXPR_MIN)
        fmpq_set(ret, order < 0 ? a : b);
    else if (step->op == EXPR_MAX)
        fmpq_set(ret, order > 0 ? a : b);
    else if (step->op >= EXPR_LT)
        fmpq_set_si(ret, truth(step->op, order, fmpq_sgn(a) != 0, b && fmpq_sgn(b) != 0), 1);
    else
        return false;
    return true;
}

static bool fold_step(const Folded *f, const Step *step, fmpq_t ret)
{
    const Steps *s = f->steps;

    if (step->op == EXPR_CONST || step->known) {
        const fmpq *number = steps_rational(s, step->number);
        if (number)
            fmpq_set(ret, number);
        return number != NULL;
    }
    if (step->op == EXPR_SYMBOL || step->op >= EXPR_FACTOR)
        return false;
    /* of a branch only the taken side must be a number */
    if (step->op == EXPR_IF) {
        const fmpq *condition = fold_operand(f, step, 0);
        const fmpq *taken =
            condition ? fold_operand(f, step, fmpq_is_zero(condition) ? 2 : 1) : NULL;
        if (taken)
            fmpq_set(ret, taken);
        return taken != NULL;
    }
    /* everything else needs all operands */
    for (uint32_t k = 0; k < step->n; k++)
        if (!fold_operand(f, step, k))
            return false;
    if (step->op == EXPR_SUM)
        return fold_sum(f, step, ret);
    return step->op == EXPR_PRODUCT ? fold_product(f, step, ret) : fold_corner(f, step, ret);
}

bool fold_init(Folded *f, Steps *s)
{
    *f = (Folded){.steps = s,
                  .place = ARENA_NEW(&s->arena, s->n, uint32_t),
                  .values = ARENA_NEW(&s->arena, s->n, fmpq)};
    if (arena_failed(&s->arena)) {
        *f = (Folded){0};
        return false;
    }
    for (size_t i = 0; i < s->n; i++) {
        fmpq_init(f->values + f->n);
        if (fold_step(f, &s->step[i], f->values + f->n))
            f->place[i] = (uint32_t)++f->n;
        else
            fmpq_clear(f->values + f->n);
    }
    return true;
}

void fold_done(Folded *f)
{
    for (size_t i = 0; i < f->n; i++)
        fmpq_clear(f->values + i);
    *f = (Folded){0};
}
