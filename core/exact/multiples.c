/* The arguments of periodic and exponential functions as integer multiples of independent bases. */
#include "core/exact/multiples.h"

#include <flint/fmpz.h>

#include "core/exact/field.h"

/* Limits of a sum; a sum beyond them is itself a base. */
enum { MOST_PARTS = 16, MOST_DEPTH = 6, MOST_BITS = 400, MOST_ARGUMENTS = 200, TIMES_BITS = 60 };

/* A value at a slot (SLOT_NONE: 1), times a real of the steps by its place, +1 (0: 1). */
typedef struct Atom {
    uint32_t slot, real;
} Atom;

static bool same_atom(Atom a, Atom b)
{
    return a.slot == b.slot && a.real == b.real;
}

typedef struct Part {
    Atom atom;
    fmpq_t coef;
} Part;

/* One argument during the collection of its parts. */
typedef struct Form {
    size_t n;
    Part parts[MOST_PARTS];
    bool failed;
} Form;

bool multiples_kind(ExprOp op, BaseKind *ret)
{
    const bool angle = op == EXPR_SIN || op == EXPR_COS || op == EXPR_TAN;

    *ret = angle ? BASE_ANGLE : BASE_EXPONENT;
    return angle || op == EXPR_EXP || op == EXPR_SINH || op == EXPR_COSH || op == EXPR_TANH;
}

static void add_part(Form *form, Atom atom, const fmpq_t coef)
{
    size_t k = 0;

    while (k < form->n && !same_atom(form->parts[k].atom, atom))
        k++;
    if (k == form->n) {
        if (form->n == MOST_PARTS) {
            form->failed = true;
            return;
        }
        form->parts[form->n++].atom = atom;
    }
    fmpq_add(form->parts[k].coef, form->parts[k].coef, coef);
    if (fmpq_height_bits(form->parts[k].coef) > MOST_BITS)
        form->failed = true;
}

/* Splits a product into the rational factor of its known operands and at most one other operand,
 * with exponent 1. False if the product has another form. */
static bool split_product(const Steps *s, const Step *step, fmpq_t factor, uint32_t *ret_rest)
{
    *ret_rest = SLOT_NONE;
    for (uint32_t k = 0; k < step->n; k++) {
        const uint32_t slot = s->args[step->first + k];
        const double exponent = s->coefs[step->first + k];
        const Step *arg = &s->step[slot];
        if (!arg->known) {
            if (*ret_rest != SLOT_NONE || exponent != 1)
                return false;
            *ret_rest = slot;
            continue;
        }
        /* a small power of a known operand */
        if (exponent > 8 || exponent < -8 || (exponent < 0 && arg->value == 0))
            return false;
        fmpq_t power;
        fmpq_init(power);
        fmpq_pow_si(power, s->exact + arg->number, (slong)exponent);
        fmpq_mul(factor, factor, power);
        fmpq_clear(power);
        if (fmpq_height_bits(factor) > MOST_BITS)
            return false;
    }
    return true;
}

/* Multiplies coef and `real` by a number; false if both are irrational. */
static bool times_number(const Steps *s, uint32_t number, fmpq_t coef, uint32_t *real)
{
    const fmpq *rational = steps_rational(s, number);
    fmpq_t factor;

    if (rational) {
        fmpq_mul(coef, coef, rational);
        return true;
    }
    fmpq_init(factor);
    const uint32_t other = numbers_split(&s->reals, number, factor);
    fmpq_mul(coef, coef, factor);
    fmpq_clear(factor);
    const bool single = *real == 0;
    *real = other + 1;
    return single;
}

static void add_form(const Steps *s, uint32_t slot, uint32_t real, const fmpq_t coef,
                     unsigned depth, Form *form);

static bool is_linear(const Steps *s, const Step *step, uint32_t real)
{
    bool rational = steps_rational(s, step->number) != NULL;

    for (uint32_t k = 0; rational && k < step->n; k++)
        rational = steps_rational(s, s->weights[step->first + k]) != NULL;
    return rational || !real;
}

/* Adds the terms of a sum. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_terms(const Steps *s, const Step *step, uint32_t real, const fmpq_t coef,
                      unsigned depth, Form *form)
{
    uint32_t one = real;
    fmpq_t own;

    fmpq_init(own);
    fmpq_set(own, coef);
    times_number(s, step->number, own, &one);
    if (!fmpq_is_zero(own))
        add_part(form, (Atom){SLOT_NONE, one}, own);
    for (uint32_t k = 0; k < step->n && !form->failed; k++) {
        fmpq_set(own, coef);
        one = real;
        times_number(s, s->weights[step->first + k], own, &one);
        add_form(s, s->args[step->first + k], one, own, depth + 1, form);
    }
    fmpq_clear(own);
}

/* Adds coef times the value at the slot, times the number `real`. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_form(const Steps *s, uint32_t slot, uint32_t real, const fmpq_t coef,
                     unsigned depth, Form *form)
{
    const Step *step = &s->step[slot];
    uint32_t rest, number = real;
    fmpq_t own;

    fmpq_init(own);
    fmpq_set(own, coef);
    /* a number, a sum, a product with one unknown operand, or an atom */
    if ((step->op == EXPR_CONST || step->known) && times_number(s, step->number, own, &number)) {
        add_part(form, (Atom){SLOT_NONE, number}, own);
    } else if (step->op == EXPR_SUM && depth < MOST_DEPTH && step->n < MOST_PARTS &&
               is_linear(s, step, real)) {
        add_terms(s, step, real, coef, depth, form);
    } else if (step->op == EXPR_PRODUCT && depth < MOST_DEPTH &&
               split_product(s, step, own, &rest)) {
        if (rest == SLOT_NONE)
            add_part(form, (Atom){SLOT_NONE, real}, own);
        else
            add_form(s, rest, real, own, depth + 1, form);
    } else {
        add_part(form, (Atom){slot, real}, coef);
    }
    fmpq_clear(own);
}

static void form_init(Form *form)
{
    *form = (Form){0};
    for (size_t k = 0; k < MOST_PARTS; k++)
        fmpq_init(form->parts[k].coef);
}

static void form_done(Form *form)
{
    for (size_t k = 0; k < MOST_PARTS; k++)
        fmpq_clear(form->parts[k].coef);
}

static void make_form(const Steps *s, uint32_t slot, Form *form)
{
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    add_form(s, slot, 0, one, 0, form);
    fmpq_clear(one);
    if (!form->failed)
        return;
    form_done(form);
    form_init(form);
    form->n = 1;
    form->parts[0].atom = (Atom){slot, 0};
    fmpq_one(form->parts[0].coef);
}

/* An atom of one kind and the greatest common measure of its coefficients. */
typedef struct Measure {
    BaseKind kind;
    Atom atom;
    uint32_t base;
    fmpq_t measure;
} Measure;

typedef struct Collection {
    Multiples *m;
    Form *forms; /* by argument */
    Measure *measures;
    size_t n_measures;
} Collection;

/* gcd(a/b, c/d) = gcd(a d, c b) / (b d). */
static void common_measure(fmpq_t ret, const fmpq_t x)
{
    fmpz_t left, right, den;

    fmpz_init(left);
    fmpz_init(right);
    fmpz_init(den);
    fmpz_mul(left, fmpq_numref(ret), fmpq_denref(x));
    fmpz_mul(right, fmpq_numref(x), fmpq_denref(ret));
    fmpz_mul(den, fmpq_denref(ret), fmpq_denref(x));
    fmpz_gcd(left, left, right);
    fmpq_set_fmpz_frac(ret, left, den);
    fmpz_clear(left);
    fmpz_clear(right);
    fmpz_clear(den);
}

static Measure *measure_of(Collection *c, BaseKind kind, Atom atom)
{
    for (size_t k = 0; k < c->n_measures; k++)
        if (c->measures[k].kind == kind && same_atom(c->measures[k].atom, atom))
            return &c->measures[k];
    Measure *measure = &c->measures[c->n_measures++];
    *measure = (Measure){.kind = kind, .atom = atom, .base = SLOT_NONE};
    fmpq_init(measure->measure);
    return measure;
}

static uint32_t new_base(Multiples *m, BaseKind kind, uint32_t level)
{
    m->bases[m->n_bases] = (Base){.kind = kind, .level = level};
    return (uint32_t)m->n_bases++;
}

static uint32_t base_of(Multiples *m, const Steps *s, const Measure *measure)
{
    const Atom atom = measure->atom;
    const bool constant = atom.slot == SLOT_NONE;
    const uint32_t base = new_base(m, measure->kind, constant ? 0 : s->step[atom.slot].level);

    m->bases[base].fixed =
        constant && measure->kind == BASE_ANGLE && atom.real > 0 &&
        numbers_turns(&s->reals, atom.real - 1, measure->measure, &m->bases[base].turns);
    return base;
}

static bool whole_multiple(const fmpq_t coef, const fmpq_t measure, slong *ret)
{
    fmpq_t times;

    fmpq_init(times);
    fmpq_div(times, coef, measure);
    const bool fits =
        fmpz_is_one(fmpq_denref(times)) && fmpz_bits(fmpq_numref(times)) <= TIMES_BITS;
    *ret = fits ? fmpz_get_si(fmpq_numref(times)) : 0;
    fmpq_clear(times);
    return fits;
}

/* The multiples of one argument; if one of them is too large, the argument is a base of its own. */
static void resolve(Collection *c, const Steps *s, size_t k)
{
    Multiples *m = c->m;
    Argument *argument = &m->arguments[k];
    const Form *form = &c->forms[k];

    argument->first = (uint32_t)m->n_multiples;
    for (size_t i = 0; i < form->n; i++) {
        const Part *part = &form->parts[i];
        if (fmpq_is_zero(part->coef))
            continue;
        /* a multiple too large: the argument itself is the base */
        Measure *measure = measure_of(c, argument->kind, part->atom);
        slong times;
        if (!whole_multiple(part->coef, measure->measure, &times)) {
            m->n_multiples = argument->first;
            m->multiples[m->n_multiples++] =
                (Multiple){new_base(m, argument->kind, s->step[argument->slot].level), 1};
            break;
        }
        /* the base of a measure is made when it is first needed */
        if (measure->base == SLOT_NONE)
            measure->base = base_of(m, s, measure);
        m->multiples[m->n_multiples++] = (Multiple){measure->base, times};
    }
    argument->n = (uint32_t)m->n_multiples - argument->first;
}

static void collect_arguments(Multiples *m, const Steps *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const Step *step = &s->step[i];
        BaseKind kind;
        if (!multiples_kind(step->op, &kind))
            continue;
        const uint32_t slot = s->args[step->first];
        if (m->argument_of[kind][slot])
            continue;
        m->arguments[m->n_arguments++] = (Argument){.kind = kind, .slot = slot};
        m->argument_of[kind][slot] = (uint32_t)m->n_arguments;
    }
}

static void measure_all(Collection *c, const Steps *s)
{
    for (size_t k = 0; k < c->m->n_arguments; k++) {
        Form *form = &c->forms[k];
        form_init(form);
        make_form(s, c->m->arguments[k].slot, form);
        for (size_t i = 0; i < form->n; i++)
            common_measure(measure_of(c, c->m->arguments[k].kind, form->parts[i].atom)->measure,
                           form->parts[i].coef);
    }
    for (size_t k = 0; k < c->m->n_arguments; k++)
        resolve(c, s, k);
    for (size_t k = 0; k < c->m->n_arguments; k++)
        form_done(&c->forms[k]);
    for (size_t k = 0; k < c->n_measures; k++)
        fmpq_clear(c->measures[k].measure);
}

/* Too many arguments to compare: each is a base. */
static void separate_all(Multiples *m, const Steps *s)
{
    for (size_t k = 0; k < m->n_arguments; k++) {
        Argument *argument = &m->arguments[k];
        argument->first = (uint32_t)m->n_multiples;
        argument->n = 1;
        m->multiples[m->n_multiples++] =
            (Multiple){new_base(m, argument->kind, s->step[argument->slot].level), 1};
    }
}

static size_t count_functions(const Steps *s)
{
    size_t count = 0;
    BaseKind kind;

    for (size_t i = 0; i < s->n; i++)
        count += multiples_kind(s->step[i].op, &kind);
    return count;
}

bool multiples_init(Multiples *m, Steps *s)
{
    const size_t most = count_functions(s);

    *m = (Multiples){0};
    m->argument_of[BASE_ANGLE] = ARENA_NEW(&s->arena, s->n, uint32_t);
    m->argument_of[BASE_EXPONENT] = ARENA_NEW(&s->arena, s->n, uint32_t);
    m->arguments = ARENA_NEW(&s->arena, most, Argument);
    m->multiples = ARENA_NEW(&s->arena, most * MOST_PARTS, Multiple);
    m->bases = ARENA_NEW(&s->arena, most * (MOST_PARTS + 1), Base);
    if (arena_failed(&s->arena))
        return false;
    /* find the arguments, and bases that they share unless there are too many */
    collect_arguments(m, s);
    if (m->n_arguments > MOST_ARGUMENTS) {
        separate_all(m, s);
        return true;
    }
    Arena scratch = {0};
    Collection c = {.m = m,
                    .forms = ARENA_NEW(&scratch, m->n_arguments, Form),
                    .measures = ARENA_NEW(&scratch, m->n_arguments * MOST_PARTS, Measure)};
    const bool made = !arena_failed(&scratch);
    if (made)
        measure_all(&c, s);
    arena_done(&scratch);
    return made;
}
