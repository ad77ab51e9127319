/* A linear stage is solved by elimination. Nonlinear equations are solved one after the other, each
 * for an unknown that no equation before it has, and in which it is a polynomial of low degree (an
 * angle counts through the tangent of its half). The polynomial comes from interpolation, its
 * factors from Cantor and Zassenhaus (FLINT). Equations too coupled for such an order are not
 * solved.
 *
 * A property of one root holds for its conjugates, the roots of the same factor over the rationals.
 * A factor of (x^2 - 109 y^2) (x - y) may have no root in a field at any point, because sqrt(109)
 * is not in the field. So there must be a proof that there is only one factor, by the degrees at
 * several points (D. R. Musser, J. ACM 25 (1978) 271). Otherwise all roots of a polynomial that
 * splits into linear factors are visited. */
#include "core/exact/place.h"

#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <math.h>
#include <string.h>

enum { PROOFS = 2, TRIES = 12 };
/* A random element is a quotient of two numbers this small with a chance of 2^-29. */
enum { SMALL_NUMBER = 1 << 16 };

/* The steps of a level that some roots need, in order. seen[n of s] is work space. */
static uint32_t *list_needed(Steps *s, const uint32_t *roots, size_t n_roots, uint32_t level,
                             bool *seen, size_t *ret_n)
{
    size_t n = 0;

    memset(seen, 0, s->n * sizeof *seen);
    for (size_t i = 0; i < n_roots; i++)
        seen[roots[i]] = true;
    /* mark all steps below the roots */
    for (size_t i = s->n; i-- > 0;) {
        const Step *step = &s->step[i];
        for (uint32_t k = 0; seen[i] && k < step->n; k++)
            seen[s->args[step->first + k]] = true;
        n += seen[i] && step->level == level;
    }
    uint32_t *slots = ARENA_NEW(&s->arena, n, uint32_t);
    *ret_n = 0;
    for (size_t i = 0; slots && i < s->n; i++)
        if (seen[i] && s->step[i].level == level)
            slots[(*ret_n)++] = (uint32_t)i;
    return slots;
}

/* Numbers of handles: slots first, then bases. */
static size_t handle_number(const Steps *s, Handle h)
{
    return h.is_base ? s->n + h.at : h.at;
}

static Handle handle_of(const Steps *s, size_t number)
{
    return number >= s->n ? (Handle){true, (uint32_t)(number - s->n)}
                          : (Handle){false, (uint32_t)number};
}

/* ret[handle]: it belongs to this stage, and the equation depends on it. A symbol inside the
 * argument of an angle or exponential does not count. */
static void mark_handles(const Steps *s, const Multiples *m, uint32_t root, uint32_t level,
                         bool *seen, bool *ret)
{
    memset(seen, 0, s->n * sizeof *seen);
    memset(ret, 0, (s->n + m->n_bases) * sizeof *ret);
    seen[root] = true;
    for (size_t i = root + 1; i-- > 0;) {
        const Step *step = &s->step[i];
        BaseKind kind;
        if (!seen[i])
            continue;
        ret[i] = step->op == EXPR_SYMBOL && step->stage == level;
        if (!multiples_kind(step->op, &kind)) {
            for (uint32_t k = 0; k < step->n; k++)
                seen[s->args[step->first + k]] = true;
            continue;
        }
        /* the bases of an angle or exponential */
        const Argument *a = &m->arguments[m->argument_of[kind][s->args[step->first]] - 1];
        for (uint32_t k = 0; k < a->n; k++) {
            const uint32_t base = m->multiples[a->first + k].base;
            ret[s->n + base] = m->bases[base].level == level;
        }
    }
}

/* Incidence of equations and handles: has[equation][handle]. */
typedef struct Incidence {
    size_t n_equations, n_handles;
    const Multiples *multiples;
    bool *has, *seen;
    double *degrees; /* by slot: work space */
    bool *taken;     /* by equation: its place is found */
} Incidence;

/* The degree of a root in a handle (for an angle: in the tangent of its half); negative: none. */
static double degree_in(const Steps *s, const Multiples *m, uint32_t root, Handle h,
                        double *degrees)
{
    static const double NONE = -1;

    for (uint32_t i = 0; i <= root; i++) {
        const Step *step = &s->step[i];
        BaseKind kind;
        /* the handle itself, or a function of the base */
        double degree = !h.is_base && i == h.at ? 1 : 0;
        const Argument *a = NULL;
        if (multiples_kind(step->op, &kind) && step->op != EXPR_TAN && step->op != EXPR_TANH)
            a = &m->arguments[m->argument_of[kind][s->args[step->first]] - 1];
        for (uint32_t k = 0; a && h.is_base && k < a->n; k++)
            if (m->multiples[a->first + k].base == h.at)
                degree = 2 * fabs((double)m->multiples[a->first + k].times);
        for (uint32_t k = 0; !a && k < step->n && degree != NONE; k++) {
            const double one = degrees[s->args[step->first + k]];
            const double e = step->op == EXPR_PRODUCT ? s->coefs[step->first + k] : 1;
            if (one != 0 && (one == NONE || e < 0 || step->op > EXPR_PRODUCT))
                degree = NONE;
            else
                degree = step->op == EXPR_PRODUCT ? degree + e * one : fmax(degree, one);
        }
        degrees[i] = degree;
    }
    return degrees[root];
}

/* Of the handles that only this equation and equations with a place have: that of lowest degree. */
static bool own_handle(const Incidence *in, const Place *place, const Steps *s, size_t equation,
                       size_t *ret)
{
    double lowest = PLACE_DEGREE + 1;

    for (size_t h = 0; h < in->n_handles; h++) {
        /* no other unplaced equation may have the handle */
        bool own = in->has[equation * in->n_handles + h];
        for (size_t e = 0; own && e < in->n_equations; e++)
            own = e == equation || in->taken[e] || !in->has[e * in->n_handles + h];
        if (!own)
            continue;
        const double degree = degree_in(s, in->multiples, place->stage->equations[equation],
                                        handle_of(s, h), in->degrees);
        if (degree > 0 && degree < lowest) {
            lowest = degree;
            *ret = h;
        }
    }
    return lowest <= PLACE_DEGREE;
}

/* Lists the handles of the equation that no equation before it has, except its own. */
static bool list_others(Steps *s, const Incidence *in, const Place *place, size_t at,
                        const size_t *equations)
{
    Solved *solved = &place->solved[at];

    solved->alone = true;
    solved->others = ARENA_NEW(&s->arena, in->n_handles, Handle);
    for (size_t h = 0; solved->others && h < in->n_handles; h++) {
        bool only = true;
        /* skip handles that the equation does not have, and its own */
        if (!in->has[equations[at] * in->n_handles + h] || h == handle_number(s, solved->handle))
            continue;
        for (size_t k = 0; only && k < at; k++)
            only = !in->has[equations[k] * in->n_handles + h];
        solved->alone = solved->alone && only;
        if (only)
            solved->others[solved->n_others++] = handle_of(s, h);
    }
    solved->line = ARENA_NEW(&s->arena, 1 + 2 * solved->n_others, mp_limb_t);
    return solved->others && solved->line;
}

static bool order_equations(Place *place, Steps *s, Incidence *in, size_t *equations)
{
    const size_t n = in->n_equations;

    /* from the last equation to the first: one that has a handle of its own */
    for (size_t at = n; at-- > 0;) {
        size_t e = 0, h = 0;
        while (e < n && (in->taken[e] || !own_handle(in, place, s, e, &h)))
            e++;
        if (e == n) {
            s->why = "its equations hang together too much to be solved exactly";
            return true;
        }
        in->taken[e] = true;
        equations[at] = e;
        place->solved[at] =
            (Solved){.equation = place->stage->equations[e], .handle = handle_of(s, h)};
    }
    /* the steps and the other handles that each needs */
    for (size_t at = 0; at < n; at++) {
        Solved *solved = &place->solved[at];
        solved->slots =
            list_needed(s, &solved->equation, 1, place->level, in->seen, &solved->n_slots);
        if (!solved->slots || !list_others(s, in, place, at, equations))
            return false;
    }
    return true;
}

static bool init_solved(Place *place, Steps *s, const Multiples *m)
{
    const size_t n = place->stage->stage->n_equations, n_handles = s->n + m->n_bases;
    Arena scratch = {0};
    Incidence in = {.n_equations = n,
                    .n_handles = n_handles,
                    .multiples = m,
                    .degrees = arena_doubles(&scratch, s->n),
                    .has = ARENA_NEW(&scratch, n * n_handles, bool),
                    .seen = ARENA_NEW(&scratch, s->n, bool),
                    .taken = ARENA_NEW(&scratch, n, bool)};
    size_t *equations = arena_sizes(&scratch, n);

    place->solved = ARENA_NEW(&s->arena, n, Solved);
    bool made = !arena_failed(&scratch) && place->solved;
    /* mark the handles of each equation, then find an order to solve them for one each */
    for (size_t e = 0; made && e < n; e++)
        mark_handles(s, m, place->stage->equations[e], place->level, in.seen,
                     in.has + e * n_handles);
    made = made && order_equations(place, s, &in, equations);
    arena_done(&scratch);
    return made;
}

static bool init_linear(Place *place, Steps *s)
{
    const ExactStage *stage = place->stage->stage;
    Arena scratch = {0};
    bool *seen = ARENA_NEW(&scratch, s->n, bool);
    const bool made = seen != NULL;

    if (made)
        place->slots =
            list_needed(s, place->stage->equations, stage->from_zero ? 0 : stage->n_equations,
                        place->level, seen, &place->n_slots);
    arena_done(&scratch);
    place->matrix = ARENA_NEW(&s->arena, stage->n_equations * (stage->n_unknowns + 1), mp_limb_t);
    place->pivots = arena_sizes(&s->arena, stage->n_equations);
    return made && !arena_failed(&s->arena);
}

bool place_init(Place *place, Steps *s, const Multiples *m, size_t stage)
{
    *place = (Place){.stage = &s->stages[stage], .level = (uint32_t)stage + 1};
    if (!place->stage->used)
        return true;
    return place->stage->stage->linear ? init_linear(place, s) : init_solved(place, s, m);
}

static mp_limb_t unknown(const Place *place, const Point *p, size_t j)
{
    const uint32_t slot = place->stage->unknowns[j];
    return slot == SLOT_NONE ? 0 : p->value[slot];
}

static bool place_linear(const Place *place, Point *p)
{
    const ExactStage *stage = place->stage->stage;
    const size_t m = stage->n_equations, n = stage->n_unknowns;
    mp_limb_t *a = place->matrix;
    size_t rank;

    if (!point_evaluate(p, place->slots, place->n_slots))
        return false;
    /* the equations at the unknowns' present values */
    for (size_t i = 0; i < m; i++) {
        mp_limb_t residual = p->value[place->stage->equations[i]];
        for (size_t j = 0; j < n; j++) {
            a[i * (n + 1) + j] = p->value[place->stage->jacobian[i * n + j]];
            if (stage->from_zero)
                NMOD_ADDMUL(residual, a[i * (n + 1) + j], unknown(place, p, j), p->field.mod);
        }
        a[i * (n + 1) + n] = residual;
    }
    p->work += m * m * (n + 1);
    if (!elimination_reduce(a, m, n, p->field.mod, place->pivots, &rank))
        return false;
    /* correct the unknowns that have a pivot */
    for (size_t k = 0; k < rank; k++) {
        const uint32_t slot = place->stage->unknowns[place->pivots[k]];
        if (slot != SLOT_NONE)
            p->value[slot] = nmod_sub(p->value[slot], a[k * (n + 1) + n], p->field.mod);
    }
    return true;
}

static void set_handle(Point *p, Handle h, mp_limb_t x)
{
    if (h.is_base)
        point_set_base(p, h.at, x);
    else
        p->value[h.at] = x;
}

static bool is_angle(const Point *p, Handle h)
{
    return h.is_base && p->multiples->bases[h.at].kind == BASE_ANGLE;
}

/* Turns an angle by a constant, so that half a turn, whose tangent is infinite, is no solution. */
static mp_limb_t turned(Point *p, mp_limb_t x)
{
    const nmod_t mod = p->field.mod;
    const mp_limb_t under = nmod_sub(1, nmod_mul(p->turned, x, mod), mod);

    p->pole |= under == 0;
    return p->pole ? 0 : nmod_div(nmod_add(x, p->turned, mod), under, mod);
}

/* The equation's value with a handle equal to x; for an angle times (1 + x^2)^(degree / 2), which
 * makes it a polynomial of at most that degree. False at a pole. */
static bool equation_at(const Solved *solved, Point *p, Handle handle, mp_limb_t x, ulong degree,
                        mp_limb_t *ret)
{
    p->pole = false;
    set_handle(p, handle, is_angle(p, handle) ? turned(p, x) : x);
    point_evaluate(p, solved->slots, solved->n_slots);
    if (p->pole || p->why)
        return false;
    *ret = p->value[solved->equation];
    if (is_angle(p, handle)) {
        const mp_limb_t square = nmod_add(1, nmod_mul(x, x, p->field.mod), p->field.mod);
        *ret = nmod_mul(*ret, nmod_pow_ui(square, degree / 2, p->field.mod), p->field.mod);
    }
    return true;
}

/* Moves the other handles, except angles and exponentials, along the line. */
static void go_along(const Solved *solved, Point *p, mp_limb_t x)
{
    for (size_t j = 0; j < solved->n_others; j++)
        if (!solved->others[j].is_base)
            set_handle(p, solved->others[j],
                       nmod_add(solved->line[2 * j],
                                nmod_mul(solved->line[2 * j + 1], x, p->field.mod), p->field.mod));
}

/* The equation as a polynomial of at most this degree in a handle; false if it is none. The other
 * handles move along the line or stay. */
static bool interpolate(const Solved *solved, Point *p, Handle handle, bool line, ulong degree,
                        nmod_poly_t ret)
{
    mp_limb_t x[PLACE_DEGREE + 1 + PROOFS], y[PLACE_DEGREE + 1 + PROOFS];
    const size_t n = degree + 1;

    /* degree + 1 values, and PROOFS more as a check */
    for (size_t i = 0; i < n + PROOFS; i++) {
        x[i] = field_random(&p->field, &p->random);
        for (size_t j = 0; j < i; j++)
            if (x[j] == x[i])
                return false;
        if (line)
            go_along(solved, p, x[i]);
        if (!equation_at(solved, p, handle, x[i], degree, &y[i]))
            return false;
    }
    nmod_poly_interpolate_nmod_vec(ret, x, y, (slong)n);
    for (size_t i = n; i < n + PROOFS; i++)
        if (nmod_poly_evaluate_nmod(ret, x[i]) != y[i])
            return false;
    return true;
}

static bool is_polynomial(const Solved *solved, Point *p, Handle handle, bool line, nmod_poly_t ret)
{
    for (ulong degree = 2; degree <= PLACE_DEGREE; degree *= 2)
        if (interpolate(solved, p, handle, line, degree, ret))
            return true;
    return false;
}

/* u^2 + 1. An angle's polynomial has this factor if its degree is less than assumed. */
static bool is_circle(const nmod_poly_t factor)
{
    return nmod_poly_degree(factor) == 2 && nmod_poly_get_coeff_ui(factor, 1) == 0 &&
           nmod_poly_get_coeff_ui(factor, 0) == 1;
}

static void note_coefficients(Solved *solved, const Point *p, const nmod_poly_t poly)
{
    const bool known = solved->prime == p->field.mod.n;

    for (slong k = 0; k <= PLACE_DEGREE; k++) {
        const mp_limb_t a = nmod_poly_get_coeff_ui(poly, k);
        solved->steady |= known && a != 0 && a == solved->last[k];
        solved->last[k] = a;
    }
    solved->prime = p->field.mod.n;
}

static void note_degrees(Degrees *degrees, size_t degree, uint32_t splits)
{
    if (degree > degrees->degree)
        *degrees = (Degrees){degree, splits};
    else if (degree == degrees->degree)
        degrees->splits &= splits;
}

/* Finds the distinct roots; returns the degree without multiple factors. */
static size_t find_factors(Point *p, const nmod_poly_t poly, bool angle, Degrees *degrees,
                           mp_limb_t *ret_roots, size_t *ret_n)
{
    size_t degree = 0;
    uint32_t splits = 1;
    nmod_poly_factor_t factors;

    *ret_n = 0;
    nmod_poly_factor_init(factors);
    nmod_poly_factor(factors, poly);
    for (slong k = 0; k < factors->num; k++) {
        const nmod_poly_struct *factor = factors->p + k;
        const size_t d = (size_t)nmod_poly_degree(factor);
        if (angle && is_circle(factor))
            continue;
        splits |= splits << d;
        degree += d;
        if (d == 1) /* the factor x - root */
            ret_roots[(*ret_n)++] = nmod_neg(nmod_poly_get_coeff_ui(factor, 0), p->field.mod);
    }
    nmod_poly_factor_clear(factors);
    p->work += 5000;
    note_degrees(degrees, degree, splits);
    return degree;
}

/* One of n roots: the next one if all are to be taken and the equation has several parts. */
static size_t choose_root(const Solved *solved, Point *p, size_t n)
{
    Choices *c = &p->choices;

    if (!c->all || solved->whole)
        return (size_t)(random_bits(&p->random) % n);
    if (c->n == POINT_CHOICES) {
        c->missed = true;
        return 0;
    }
    if (c->n == c->given)
        c->at[c->given++] = 0;
    c->of[c->n] = n;
    return c->at[c->n++];
}

/* Takes one root. False if there is none, or if all are wanted and some are not in the field. */
static bool take_root(Solved *solved, Point *p, const nmod_poly_t poly, mp_limb_t *ret)
{
    mp_limb_t roots[PLACE_DEGREE];
    size_t n;

    if (nmod_poly_degree(poly) < 1)
        return false;
    const size_t degree =
        find_factors(p, poly, is_angle(p, solved->handle), &solved->slices, roots, &n);
    if (n == 0 || (p->choices.all && !solved->whole && n < degree))
        return false;
    *ret = roots[choose_root(solved, p, n)];
    return true;
}

static bool solve_one(Solved *solved, Point *p)
{
    nmod_poly_t poly;
    mp_limb_t root = 0, value;
    bool found = false;

    nmod_poly_init_mod(poly, p->field.mod);
    if (is_polynomial(solved, p, solved->handle, false, poly)) {
        note_coefficients(solved, p, poly);
        found = take_root(solved, p, poly, &root);
    }
    nmod_poly_clear(poly);
    p->pole = false;
    return found && equation_at(solved, p, solved->handle, root, 0, &value) && value == 0;
}

static bool place_solved(const Place *place, Point *p)
{
    for (size_t k = 0; k < place->stage->stage->n_equations; k++) {
        Solved *solved = &place->solved[k];
        const size_t chosen = p->choices.n;
        bool found = solve_one(solved, p);
        for (size_t tries = 0;
             !found && p->choices.n == chosen && tries < TRIES && solved->n_others > 0; tries++) {
            for (size_t i = 0; i < solved->n_others; i++)
                set_handle(p, solved->others[i], field_random(&p->field, &p->random));
            found = solve_one(solved, p);
        }
        if (!found) {
            /* a point at a pole does not count as missed */
            p->choices.missed |= p->choices.n == chosen || !p->pole;
            return false;
        }
    }
    return true;
}

bool place_point(const Place *place, Point *p)
{
    if (!place->stage->used)
        return true;
    return place->stage->stage->linear ? place_linear(place, p) : place_solved(place, p);
}

static bool is_irreducible(const Degrees *d)
{
    return d->degree > 0 && d->splits == (UINT32_C(1) | UINT32_C(1) << d->degree);
}

static void look_along_line(Solved *solved, Point *p)
{
    mp_limb_t roots[PLACE_DEGREE];
    nmod_poly_t poly;
    size_t n;

    for (size_t j = 0; j < 2 * solved->n_others; j++)
        solved->line[j] = field_random(&p->field, &p->random);
    nmod_poly_init_mod(poly, p->field.mod);
    if (is_polynomial(solved, p, solved->handle, true, poly) && nmod_poly_degree(poly) > 0)
        find_factors(p, poly, false, &solved->lines, roots, &n);
    nmod_poly_clear(poly);
}

void place_look_along_lines(const Place *places, size_t n, Point *p)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; places[i].solved && k < places[i].stage->stage->n_equations; k++) {
            Solved *solved = &places[i].solved[k];
            if (!solved->whole && solved->alone && !solved->handle.is_base)
                look_along_line(solved, p);
        }
}

bool place_note_whole(const Place *places, size_t n)
{
    bool whole = true;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; places[i].solved && k < places[i].stage->stage->n_equations; k++) {
            Solved *solved = &places[i].solved[k];
            whole = whole && (is_irreducible(&solved->slices) || is_irreducible(&solved->lines));
            solved->whole = whole;
        }
    return whole;
}

/* Whether a factor, whose coefficients are quotients of small numbers, has no real zero. */
static bool has_no_real_zero(const nmod_poly_t factor)
{
    fmpq_poly_t exact;
    fmpq_t coef;
    fmpz_t residue, prime, bound;
    bool known = true;

    fmpq_poly_init(exact);
    fmpq_init(coef);
    fmpz_init(residue);
    fmpz_init_set_ui(prime, factor->mod.n);
    fmpz_init_set_ui(bound, SMALL_NUMBER);
    for (slong k = 0; known && k <= nmod_poly_degree(factor); k++) {
        fmpz_set_ui(residue, nmod_poly_get_coeff_ui(factor, k));
        known = fmpq_reconstruct_fmpz_2(coef, residue, prime, bound, bound);
        fmpq_poly_set_coeff_fmpq(exact, k, coef);
    }
    /* irreducible over the field, so without multiple roots */
    fmpz_poly_t whole;
    fmpz_poly_init(whole);
    fmpq_poly_get_numerator(whole, exact);
    known = known && fmpz_poly_num_real_roots(whole) == 0;
    fmpz_poly_clear(whole);
    fmpq_poly_clear(exact);
    fmpq_clear(coef);
    fmpz_clear(residue);
    fmpz_clear(prime);
    fmpz_clear(bound);
    return known;
}

/* True if a factor in this handle has no zero; an exponential itself has none. */
static bool is_unit(const Point *p, Handle handle, const nmod_poly_t factor)
{
    if (is_angle(p, handle))
        return is_circle(factor);
    if (handle.is_base && nmod_poly_degree(factor) == 1 && nmod_poly_get_coeff_ui(factor, 0) == 0)
        return true;
    return has_no_real_zero(factor);
}

/* Whether the equations at two values of their handle have no common zero in another handle. */
static bool is_coprime(const Solved *solved, Point *p, Handle other)
{
    nmod_poly_t one, two;
    nmod_poly_factor_t common;

    nmod_poly_init_mod(one, p->field.mod);
    nmod_poly_init_mod(two, p->field.mod);
    nmod_poly_factor_init(common);
    /* the polynomials at two random values */
    set_handle(p, solved->handle, field_random(&p->field, &p->random));
    bool coprime = is_polynomial(solved, p, other, false, one);
    set_handle(p, solved->handle, field_random(&p->field, &p->random));
    coprime = coprime && is_polynomial(solved, p, other, false, two);
    /* each common factor must be without zeros */
    nmod_poly_gcd(one, one, two);
    if (coprime)
        nmod_poly_factor(common, one);
    for (slong k = 0; coprime && k < common->num; k++)
        coprime = is_unit(p, other, common->p + k);
    nmod_poly_factor_clear(common);
    nmod_poly_clear(one);
    nmod_poly_clear(two);
    return coprime;
}

bool place_is_primitive(const Place *places, size_t n, Point *p)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; places[i].solved && k < places[i].stage->stage->n_equations; k++) {
            const Solved *solved = &places[i].solved[k];
            if (!solved->steady && !solved->alone)
                return false;
            for (size_t j = 0; !solved->steady && j < solved->n_others; j++)
                if (!is_coprime(solved, p, solved->others[j]))
                    return false;
        }
    return true;
}
