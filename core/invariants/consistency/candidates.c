/* The sections that are tried: mu = p on complements of the allowed velocities, and mu = 0. */
#include "core/invariants/consistency/study.h"

#include <string.h>

#include "core/invariants/consistency/section.h"

/* Complements of unit vectors that are tried. Convention. */
enum { MAX_UNIT_COMPLEMENTS = 24 };

/* Judges a section and adds it to the list: always, or only if it is strongly consistent. */
static Status try_section(Study *s, const char *text, const Expr *mu, bool always, Error *err)
{
    const size_t r = s->problem.r;
    Section *section = &s->sections[s->n_sections];

    if (s->n_sections == MAX_SECTIONS)
        return OK;
    section->text = text;
    section->mu = arena_alloc(s->context.arena, r, sizeof *section->mu);
    Status status = arena_status(s->context.arena, err);
    if (status != OK)
        return status;
    memcpy(section->mu, mu, r * sizeof *mu);
    status = section_judge(&s->problem, mu, &section->verdict, err);
    /* another try joins the list only if it is strongly consistent */
    const bool strong = section->verdict.strong == PREDICTED_YES;
    if (status != OK || (!always && !strong))
        return status;
    s->n_sections++;
    if (strong && !s->strong)
        s->strong = section;
    return OK;
}

/* The names of the fields of the complement; which: of unit vectors instead, "d/dx, d/dy". */
static const char *field_names(const Study *s, const size_t *which)
{
    const char *text = "";

    for (size_t k = 0; text && k < s->problem.r; k++) {
        const char *name =
            which ? s->context.model->names.coordinates[which[k]] : s->options.complement[k].name;
        text = arena_printf(s->context.arena, "%s%s%s%s", text, k ? ", " : "", which ? "d/d" : "",
                            name);
    }
    return text;
}

static const char *momentum_text(const Study *s, const char *fields, const char *more)
{
    return fields ? arena_printf(s->context.arena, "mu = p%s on %s", more, fields) : NULL;
}

static void unit_fields(const Study *s, const size_t *which, Expr *Y)
{
    const size_t n = s->problem.n;

    for (size_t k = 0; k < s->problem.r; k++)
        for (size_t i = 0; i < n; i++)
            Y[k * n + i] = expr_const(s->context.pool, i == which[k]);
}

/* mu = p on the complement Y, and with the additions. `chosen`: not just another try. */
static Status try_momentum(Study *s, const char *fields, const Expr *Y, bool chosen, Error *err)
{
    const size_t r = s->problem.r;
    const SectionOptions *o = &s->options;
    Expr *mu = ARENA_NEW(s->context.scratch, r, Expr);
    Status status = arena_status(s->context.scratch, err);

    if (status == OK)
        status = section_momentum(&s->problem, Y, NULL, mu, err);
    if (status == OK)
        status = try_section(s, momentum_text(s, fields, ""), mu, chosen, err);
    /* then with the additions, which may belong to fields of the chosen complement */
    if (status == OK && o->adds && (chosen || !o->adds_to_fields)) {
        status = section_momentum(&s->problem, Y, o->by_field, mu, err);
        for (size_t k = 0; status == OK && k < r; k++)
            mu[k] = expr_add(s->context.pool, mu[k], o->by_constraint[s->context.rows[k]]);
        if (status == OK)
            status = try_section(s, momentum_text(s, fields, " + k"), mu, chosen, err);
    }
    return status;
}

/* The next choice of r out of n in lexical order; false after the last. */
static bool next_choice(size_t *which, size_t r, size_t n)
{
    size_t k = r;

    while (k > 0 && which[k - 1] == n - r + k - 1)
        k--;
    if (k == 0)
        return false;
    which[k - 1]++;
    for (; k < r; k++)
        which[k] = which[k - 1] + 1;
    return true;
}

static Status try_units(Study *s, Error *err)
{
    const size_t n = s->problem.n, r = s->problem.r;
    size_t *which = arena_sizes(s->context.scratch, r);
    Expr *Y = ARENA_NEW(s->context.scratch, r * n, Expr);
    Status status = arena_status(s->context.scratch, err);
    bool more = true;

    /* all choices in lexical order, except the one that was tried first */
    for (size_t k = 0; status == OK && k < r; k++)
        which[k] = k;
    for (size_t k = 0; status == OK && k < MAX_UNIT_COMPLEMENTS && more && !s->strong; k++) {
        bool completes = false;
        unit_fields(s, which, Y);
        if (!s->dependent_tried || memcmp(which, s->context.dependent, r * sizeof *which) != 0)
            status = section_completes(&s->problem, Y, &completes, err);
        if (status == OK && completes)
            status = try_momentum(s, field_names(s, which), Y, false, err);
        if (status == OK)
            status = analysis_poll(&s->context, err);
        more = next_choice(which, r, n);
    }
    return status;
}

static Status try_zero(Study *s, Error *err)
{
    Expr *mu = exprs_zeros(s->context.pool, s->context.scratch, s->problem.r);
    return mu ? try_section(s, "mu = 0", mu, false, err) : arena_status(s->context.scratch, err);
}

/* The named fields if they complete the allowed velocities; otherwise unit vectors. */
static Status choose_complement(Study *s, Expr *Y, const char **ret_fields, Error *err)
{
    const size_t n = s->problem.n, r = s->problem.r;
    const SectionOptions *o = &s->options;
    bool completes = false;
    Status status = OK;

    /* the named fields must be as many as the constraints, and independent of the allowed
     * velocities */
    if (o->n_complement == r) {
        for (size_t k = 0; k < r; k++)
            memcpy(Y + k * n, o->complement[k].components, n * sizeof *Y);
        status = section_completes(&s->problem, Y, &completes, err);
    }
    if (status == OK && !completes && (o->given || o->adds_to_fields))
        status = error_set(err, ERR_INVALID,
                           "the fields of the complement do not complete the velocities that the "
                           "%zu independent constraints allow",
                           r);
    if (status == OK && !completes)
        unit_fields(s, s->context.dependent, Y);
    if (status == OK)
        *ret_fields = field_names(s, completes ? NULL : s->context.dependent);
    s->dependent_tried = !completes;
    return status;
}

/* Nothing may be added to the multiplier of a constraint that is not in use. */
static Status check_added(const Study *s, Error *err)
{
    const Model *model = s->context.model;

    for (size_t a = 0, k = 0; a < model->r; a++) {
        if (k < s->problem.r && s->context.rows[k] == a)
            k++;
        else if (!expr_is_zero(s->context.pool, s->options.by_constraint[a]))
            return error_set(err, ERR_INVALID, "the constraint %.80s follows from the others",
                             model->constraints[a].name);
    }
    return OK;
}

Status study_candidates(Study *s, Error *err)
{
    const size_t n = s->problem.n, r = s->problem.r;
    const char *fields;
    Expr *Y = ARENA_NEW(s->context.scratch, r * n, Expr);
    Status status = Y ? check_added(s, err) : arena_status(s->context.scratch, err);

    if (status == OK)
        status = choose_complement(s, Y, &fields, err);
    if (status == OK)
        status = try_momentum(s, fields, Y, true, err);
    if (status == OK && !s->strong)
        status = try_zero(s, err);
    if (status == OK && !s->strong)
        status = try_units(s, err);
    return status;
}

Status study_search(Study *s, Error *err)
{
    const size_t r = s->problem.r;
    Expr *mu = ARENA_NEW(s->context.scratch, r, Expr);
    bool found = false;
    if (!mu)
        return arena_status(s->context.scratch, err);

    memcpy(mu, s->sections[0].mu, r * sizeof *mu);
    Status status = section_search(&s->problem, mu, &found, err);
    if (status == OK && found)
        status = try_section(s,
                             arena_printf(s->context.arena, "%s + k, k linear in the velocities",
                                          s->sections[0].text),
                             mu, false, err);
    return status;
}
