/* A bound on the degree of a rational function, step by step, without cancellation. */
#include "core/exact/multiples.h"

#include <math.h>

typedef struct Degree {
    double num, den;
} Degree;

/* Of a sum: its denominator is the product of all denominators. Its numbers are unknowns, too. */
static Degree degree_of_sum(const Steps *s, const Step *step, const Degree *d,
                            const Degree *numbers)
{
    Degree sum = numbers[step->number];

    for (uint32_t k = 0; k < step->n; k++)
        sum.den += d[s->args[step->first + k]].den + numbers[s->weights[step->first + k]].den;
    for (uint32_t k = 0; k < step->n; k++) {
        const Degree *one = &d[s->args[step->first + k]];
        const Degree *weight = &numbers[s->weights[step->first + k]];
        sum.num = fmax(sum.num, one->num + weight->num + sum.den - one->den - weight->den);
    }
    sum.num = fmax(sum.num, numbers[step->number].num + sum.den);
    return sum;
}

static Degree degree_of_real(const Number *real, const Degree *d)
{
    const Degree a = d[real->a], b = d[real->b];

    if (real->rational)
        return (Degree){0};
    if (real->op == EXPR_SUM)
        return (Degree){fmax(a.num + b.den, b.num + a.den), a.den + b.den};
    if (real->op == EXPR_PRODUCT)
        return (Degree){a.num + b.num, a.den + b.den};
    return (Degree){1 + a.num + b.num, a.den + b.den};
}

/* Degrees of the steps' numbers. An irrational power counts as its exponent times its base. */
static Degree *degrees_of_numbers(const Steps *s, Arena *arena)
{
    Degree *reals = ARENA_NEW(arena, s->reals.n, Degree);
    Degree *numbers = ARENA_NEW(arena, s->n_numbers, Degree);

    for (size_t i = 0; reals && i < s->reals.n; i++) {
        const Number *real = &s->reals.list[i];
        reals[i] = degree_of_real(real, reals);
        if (!real->rational && real->op == EXPR_POW && s->reals.list[real->b].rational) {
            const double e = fmpq_get_d(s->reals.list[real->b].exact), size = fmax(1, fabs(e));
            const Degree a = reals[real->a];
            reals[i] = (Degree){size * (a.num + a.den + 1), size * (a.num + a.den + 1)};
        }
    }
    /* a rational number has degree 0 */
    for (size_t k = 0; reals && numbers && k < s->n_numbers; k++)
        numbers[k] = s->reals.places[k] ? reals[s->reals.places[k] - 1] : (Degree){0};
    return numbers;
}

static Degree degree_of_product(const Steps *s, const Step *step, const Degree *d)
{
    Degree product = {0};

    for (uint32_t k = 0; k < step->n; k++) {
        const Degree *one = &d[s->args[step->first + k]];
        const double e = s->coefs[step->first + k];
        product.num += fabs(e) * (e > 0 ? one->num : one->den);
        product.den += fabs(e) * (e > 0 ? one->den : one->num);
    }
    return product;
}

/* Of a sine, a hyperbolic sine, ...: a quotient of polynomials of this degree in the unknowns. */
static Degree degree_of_function(const Steps *s, const Multiples *m, const Step *step,
                                 BaseKind kind)
{
    const Argument *a = &m->arguments[m->argument_of[kind][s->args[step->first]] - 1];
    double size = 0;

    for (uint32_t k = 0; k < a->n; k++)
        size += 2 * fabs((double)m->multiples[a->first + k].times);
    return (Degree){2 * size, 2 * size};
}

/* A value that another function passes on, or an independent unknown. */
static Degree degree_of_other(const Steps *s, const Step *step, const Degree *d)
{
    Degree all = {1, 0};

    for (uint32_t k = 0; k < step->n; k++) {
        all.num += d[s->args[step->first + k]].num;
        all.den += d[s->args[step->first + k]].den;
    }
    return all;
}

/* Cramer's rule for m equations, right sides and matrix[m][n] by slot, over their denominators. */
static double degree_of_system(const uint32_t *right, const uint32_t *matrix, size_t m, size_t n,
                               const Degree *d)
{
    double total = 0;

    for (size_t i = 0; i < m; i++) {
        double den = d[right[i]].den, num = d[right[i]].num - den;
        for (size_t j = 0; j < n; j++) {
            const Degree *one = &d[matrix[i * n + j]];
            den += one->den;
            num = fmax(num, one->num - one->den);
        }
        total += fmax(0, num) + den;
    }
    return total;
}

/* For a system in the graph. */
static Degree degree_of_solution(const Steps *s, const Step *step, const Degree *d)
{
    const uint32_t *matrix = s->args + s->step[s->args[step->first]].first;
    const size_t n = step->n - 1;
    const double total = degree_of_system(s->args + step->first + 1, matrix, n, n, d);
    return (Degree){total, total};
}

static Degree degree_of(const Steps *s, const Multiples *m, const Step *step, const Degree *d,
                        const Degree *numbers)
{
    BaseKind kind;

    if (step->op == EXPR_CONST || (step->op == EXPR_SYMBOL && step->known))
        return numbers[step->number];
    if (step->op == EXPR_SYMBOL)
        return (Degree){1, 0};
    if (step->op == EXPR_SUM)
        return degree_of_sum(s, step, d, numbers);
    if (step->op == EXPR_PRODUCT)
        return degree_of_product(s, step, d);
    if (multiples_kind(step->op, &kind))
        return degree_of_function(s, m, step, kind);
    if (step->op == EXPR_SOLVE)
        return degree_of_solution(s, step, d);
    return step->op == EXPR_FACTOR ? (Degree){0} : degree_of_other(s, step, d);
}

/* For the unknowns of a stage. */
static Degree degree_of_stage(const StepStage *stage, const Degree *d)
{
    const double total =
        1 + degree_of_system(stage->equations, stage->jacobian, stage->stage->n_equations,
                             stage->stage->n_unknowns, d);
    return (Degree){total, total};
}

/* Every even root at least doubles the degree of the norm. */
static double norm_factor(const Steps *s)
{
    double factor = 1;

    for (size_t i = 0; i < s->n; i++) {
        const ExprOp op = s->step[i].op;
        if (op == EXPR_SQRT || op == EXPR_HYPOT || op == EXPR_POW)
            factor *= 2;
        else if (op == EXPR_CBRT)
            factor *= 3;
    }
    for (size_t k = 0; k < s->n_stages; k++)
        for (size_t i = 0; s->stages[k].used && !s->stages[k].stage->linear &&
                           i < s->stages[k].stage->n_equations;
             i++)
            factor *= 2;
    return factor;
}

double degree_bound(const Steps *s, const Multiples *m)
{
    Arena scratch = {0};
    Degree *d = ARENA_NEW(&scratch, s->n, Degree), sum = {0};
    Degree *stages = ARENA_NEW(&scratch, s->n_stages + 1, Degree);
    Degree *numbers = degrees_of_numbers(s, &scratch);
    const bool made = !arena_failed(&scratch);
    uint32_t level = 0;

    /* the unknowns of a stage get its degree before the steps that need them */
    for (size_t i = 0; made && i < s->n; i++) {
        const Step *step = &s->step[i];
        for (; level < step->level; level++)
            if (s->stages[level].used)
                stages[level + 1] = degree_of_stage(&s->stages[level], d);
        d[i] = step->stage ? stages[step->stage] : degree_of(s, m, step, d, numbers);
    }
    /* the sum of the terms over their common denominator */
    for (size_t k = 0; made && k < s->n_terms; k++)
        sum.den += d[s->terms[k]].den;
    for (size_t k = 0; made && k < s->n_terms; k++)
        sum.num = fmax(sum.num, d[s->terms[k]].num + sum.den - d[s->terms[k]].den);
    arena_done(&scratch);
    return made ? fmax(1, sum.num) * norm_factor(s) : -1;
}
