/* Nonholonomic against vakonomic dynamics: do the motions of Lagrange-d'Alembert come out of a
 * variational principle?
 *
 * Sections mu = phi(q, v, t) of the multipliers are tried: mu = p, for complements of the allowed
 * velocities; what a client adds to it; and mu = 0 (M. Crampin, T. Mestdag, on nonholonomic and
 * vakonomic dynamics). One that is strongly consistent proves that they do; random motions that are
 * vakonomic for no multipliers at all prove that no section is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/analyses.h"
#include "core/invariants/consistency/motion.h"
#include "core/invariants/consistency/options.h"
#include "core/invariants/consistency/search.h"
#include "core/invariants/generator.h"
#include "core/invariants/reaction.h"

enum {
    MOST_UNITS = 24,   /* complements of unit vectors that are tried */
    MOST_SECTIONS = 8, /* of all that are listed */
    RANDOM_SAMPLES = 24,
    RANDOM_TRIES = 6,
    MOTION_SAMPLES = 96,
};

static const double CONSISTENT = 1e-9, PROOF = 1e-6;

typedef struct Section {
    const char *text;
    Expr *mu; /* r */
    SectionVerdict verdict;
} Section;

typedef struct Study {
    const AnalysisContext *asked; /* with the motion */
    AnalysisContext context;      /* with states of Lagrange-d'Alembert */
    SectionProblem problem;
    ExprPool *pool;
    SectionOptions options;
    Section sections[MOST_SECTIONS];
    size_t n_sections;
    const Section *strong; /* NULL: none was found */
    bool dependent_tried;  /* the unit vectors of the context's dependent coordinates */
    size_t tried, refuted; /* random motions, and those that are not vakonomic */
    double refuted_by;     /* the smallest residual of these */
    Predicted predicted;
} Study;

static Status out_of_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory");
}

/* NULL where the theory applies. */
static const char *objection(const Model *model, Arena *arena)
{
    if (model->r == 0)
        return "There are no constraints: both dynamics are that of L.";
    if (model->n_holonomic == model->r)
        return "All constraints are on positions: nonholonomic and vakonomic motions are the same.";
    for (size_t a = 0; a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        const char *what = c->time_dependent                 ? "depends on time"
                           : c->kind == CONSTRAINT_HOLONOMIC ? "is one on positions"
                           : c->kind == CONSTRAINT_AFFINE    ? "is affine in the velocities"
                           : c->kind == CONSTRAINT_NONLINEAR ? "is nonlinear in the velocities"
                                                             : NULL;
        if (what)
            return arena_printf(arena,
                                "The comparison is defined for constraints that are linear in the "
                                "velocities and free of time; the constraint %s %s.",
                                c->name, what);
    }
    return NULL;
}

/* Sections ------------------------------------------------------------------------------------ */

/* Judges a section and keeps it: always, or only where it is strongly consistent. */
static Status try_section(Study *s, const char *text, const Expr *mu, bool always, Error *err)
{
    const size_t r = s->problem.r;
    Section *section = &s->sections[s->n_sections];

    if (s->n_sections == MOST_SECTIONS)
        return OK;
    section->text = text;
    section->mu = arena_alloc(s->context.arena, r, sizeof *section->mu);
    if (!section->mu || !text)
        return out_of_memory(err);
    memcpy(section->mu, mu, r * sizeof *mu);
    Status status = section_judge(&s->problem, mu, &section->verdict, err);
    const bool strong = section->verdict.strong == PREDICTED_YES;
    if (status != OK || (!always && !strong))
        return status;
    s->n_sections++;
    if (strong && !s->strong)
        s->strong = section;
    return OK;
}

/* "d/dx, d/dy" */
static const char *unit_names(const Study *s, const size_t *which)
{
    const Model *model = s->context.model;
    const char *text = "";

    for (size_t k = 0; text && k < s->problem.r; k++)
        text = arena_printf(s->context.arena, "%s%sd/d%s", text, k ? ", " : "",
                            model->coordinate_names[which[k]]);
    return text;
}

static const char *field_names(const Study *s)
{
    const char *text = "";

    for (size_t k = 0; text && k < s->options.n_complement; k++)
        text = arena_printf(s->context.arena, "%s%s%s", text, k ? ", " : "",
                            s->options.complement[k].name);
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
            Y[k * n + i] = expr_const(s->pool, i == which[k]);
}

/* mu = p on the complement Y, and with what is added to it. `chosen`: not just another try. */
static Status try_momentum(Study *s, const char *fields, const Expr *Y, bool chosen, Error *err)
{
    const size_t r = s->problem.r;
    const SectionOptions *o = &s->options;
    Expr *mu = alloc_array(r, sizeof *mu);
    bool ok = mu && section_momentum(&s->problem, Y, NULL, mu);
    Status status = ok ? OK : out_of_memory(err);

    if (status == OK)
        status = try_section(s, momentum_text(s, fields, ""), mu, chosen, err);
    if (status == OK && o->adds && (chosen || !o->adds_to_fields)) {
        ok = section_momentum(&s->problem, Y, o->by_field, mu);
        for (size_t k = 0; ok && k < r; k++)
            mu[k] = expr_add(s->pool, mu[k], o->by_constraint[s->context.rows[k]]);
        status = ok ? try_section(s, momentum_text(s, fields, " + k"), mu, chosen, err)
                    : out_of_memory(err);
    }
    free(mu);
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

/* Another complement of unit vectors, if it is one; kept where strongly consistent. */
static Status try_other(Study *s, const size_t *which, Expr *Y, Error *err)
{
    bool completes = false;

    unit_fields(s, which, Y);
    Status status = section_completes(&s->problem, Y, &completes, err);
    if (status == OK && completes)
        status = try_momentum(s, unit_names(s, which), Y, false, err);
    return status;
}

/* As far as there are few. */
static Status try_units(Study *s, Error *err)
{
    const size_t n = s->problem.n, r = s->problem.r;
    size_t *which = alloc_array(r, sizeof *which);
    Expr *Y = alloc_array(r * n, sizeof *Y);
    Status status = which && Y ? OK : out_of_memory(err);
    bool more = true;

    for (size_t k = 0; status == OK && k < r; k++)
        which[k] = k;
    for (size_t k = 0; status == OK && k < MOST_UNITS && more && !s->strong; k++) {
        if (!s->dependent_tried || memcmp(which, s->context.dependent, r * sizeof *which) != 0)
            status = try_other(s, which, Y, err);
        if (status == OK && s->context.poll)
            status = s->context.poll(s->context.self, err);
        more = next_choice(which, r, n);
    }
    free(which);
    free(Y);
    return status;
}

static Status try_zero(Study *s, Error *err)
{
    Expr *mu = alloc_array(s->problem.r, sizeof *mu);
    if (!mu)
        return out_of_memory(err);
    for (size_t k = 0; k < s->problem.r; k++)
        mu[k] = expr_const(s->pool, 0);
    Status status = try_section(s, "mu = 0", mu, false, err);
    free(mu);
    return status;
}

/* The fields with names, where they complete the allowed velocities; else unit vectors. */
static Status choose_complement(Study *s, Expr *Y, const char **ret_fields, Error *err)
{
    const size_t n = s->problem.n, r = s->problem.r;
    const SectionOptions *o = &s->options;
    bool completes = false;
    Status status = OK;

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
        *ret_fields = completes ? field_names(s) : unit_names(s, s->context.dependent);
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
        else if (!expr_is_zero(s->pool, s->options.by_constraint[a]))
            return error_set(err, ERR_INVALID, "the constraint %.80s follows from the others",
                             model->constraints[a].name);
    }
    return OK;
}

static Status try_sections(Study *s, Error *err)
{
    const size_t n = s->problem.n, r = s->problem.r;
    const char *fields;
    Expr *Y = alloc_array(r * n, sizeof *Y);
    Status status = Y ? check_added(s, err) : out_of_memory(err);

    if (status == OK)
        status = choose_complement(s, Y, &fields, err);
    if (status == OK)
        status = try_momentum(s, fields, Y, true, err);
    free(Y);
    if (status == OK && !s->strong)
        status = try_zero(s, err);
    if (status == OK && !s->strong)
        status = try_units(s, err);
    return status;
}

/* What has to be added to the first section, if that can be found. */
static Status search(Study *s, Error *err)
{
    const size_t r = s->problem.r;
    Expr *mu = alloc_array(r, sizeof *mu);
    bool found = false;
    if (!mu)
        return out_of_memory(err);

    memcpy(mu, s->sections[0].mu, r * sizeof *mu);
    Status status = section_search(&s->problem, mu, &found, err);
    if (status == OK && found)
        status = try_section(s,
                             arena_printf(s->context.arena, "%s + k, k linear in the velocities",
                                          s->sections[0].text),
                             mu, false, err);
    free(mu);
    return status;
}

/* Motions ------------------------------------------------------------------------------------- */

static bool too_large(const Study *s)
{
    return s->problem.n > INDIVIDUAL_MAX_COORDINATES || s->problem.r > INDIVIDUAL_MAX_CONSTRAINTS;
}

/* A time in which a motion gets well around. */
static double span(const Study *s)
{
    const StateRange *range = &s->context.range;
    double width = 0, time = fabs(range->t_to - range->t_from);

    for (size_t i = 0; i < s->problem.n; i++)
        width = fmax(width, range->width[i]);
    double around = range->speed > 0 && width > 0 ? 4 * width / range->speed : 1;
    return time > 0 ? fmin(time, around) : around;
}

/* Random motions that are not vakonomic, until two are found. */
static Status refute(Study *s, Error *err)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->problem.n;
    MotionFinding found = {.mu0 = alloc_array(s->problem.r, sizeof *found.mu0)};
    Status status = found.mu0 ? OK : out_of_memory(err);

    for (size_t k = 0; status == OK && k < states->n_states && k < RANDOM_TRIES && s->refuted < 2;
         k++) {
        MotionTest test = {.problem = &s->problem,
                           .t0 = states->t[k],
                           .t_end = states->t[k] + span(s),
                           .q0 = states->q + k * n,
                           .v0 = states->v + k * n,
                           .samples = RANDOM_SAMPLES};
        status = motion_test(&test, &found, err);
        if (status != OK || found.samples < RANDOM_SAMPLES / 2)
            continue;
        s->tried++;
        if (found.failures >= 2 && found.residual > PROOF) {
            s->refuted_by = s->refuted ? fmin(s->refuted_by, found.residual) : found.residual;
            s->refuted++;
        }
    }
    free(found.mu0);
    return status;
}

static Predicted judge_motion(const MotionFinding *found, bool given)
{
    if (found->samples == 0)
        return PREDICTED_UNDECIDED;
    if (found->residual < CONSISTENT)
        return PREDICTED_YES;
    return found->failures >= (given ? 1 : 2) ? PREDICTED_NO : PREDICTED_UNDECIDED;
}

static const char *motion_reason(Predicted consistent, bool given, const MotionFinding *found)
{
    switch (consistent) {
    case PREDICTED_YES:
        return given ? "With its multipliers this vakonomic motion is a nonholonomic one as well."
                     : "With the multipliers mu at the start the vakonomic motion from the same "
                       "state is this motion.";
    case PREDICTED_NO:
        return given ? "The multipliers of this vakonomic motion push it along velocities that the "
                       "constraints allow, as no reaction does."
                     : "For no choice of the multipliers at the start do the forces of the "
                       "vakonomic equations agree with the reactions along this motion.";
    case PREDICTED_UNDECIDED:
        break;
    }
    return found->samples ? "The residual is too small for a no and too large for a yes."
                          : "The motion is too short to be tested.";
}

static void add_multipliers(const Study *s, const double *mu, Value *record)
{
    const AnalysisContext *c = &s->context;
    Value *list = value_add(c->arena, record, "mu", VALUE_RECORD);

    for (size_t k = 0; k < s->problem.r; k++)
        value_add_number(c->arena, list, c->model->constraints[c->rows[k]].name, mu[k]);
}

static void describe_motion(const Study *s, const MotionFinding *found, bool given, Value *record,
                            Verdict *verdict)
{
    Arena *arena = s->context.arena;
    const Predicted consistent = judge_motion(found, given);

    value_add_text(arena, record, "consistent", predicted_name(consistent));
    if (found->samples) {
        value_add_number(arena, record, "residual", found->residual);
        value_add_count(arena, record, "samples", found->samples);
        value_add_number(arena, record, "t_from", s->asked->trajectory->t[0]);
        value_add_number(arena, record, "t_to", found->t);
        if (!given)
            value_add_count(arena, record, "freedom", found->freedom);
        verdict->observed = true;
        verdict->final = verdict->max_drift = found->residual;
        verdict->conserved = consistent == PREDICTED_YES;
    }
    if (given || consistent == PREDICTED_YES)
        add_multipliers(s, found->mu0, record);
    value_add_text(arena, record, "reason", motion_reason(consistent, given, found));
}

/* The motion from the first state: with the best multipliers, or those of a vakonomic motion, which
 * has to be nonholonomic then. */
static Status test_motion(const Study *s, Value *record, Verdict *verdict, Error *err)
{
    const Trajectory *motion = s->asked->trajectory;
    const size_t r = s->problem.r;
    const bool given = s->asked->formulation && s->asked->formulation->keeps_multipliers;
    double *mu0 = alloc_array(2 * r, sizeof *mu0);
    MotionFinding found = {.mu0 = mu0};
    MotionTest test = {.problem = &s->problem,
                       .t0 = motion->t[0],
                       .q0 = motion->q,
                       .v0 = motion->v,
                       .t_end = motion->t[motion->n_states - 1],
                       .samples = MOTION_SAMPLES,
                       .follow = motion,
                       .mu0 = given ? mu0 + r : NULL};
    if (!mu0)
        return out_of_memory(err);
    for (size_t k = 0; given && k < r; k++)
        mu0[r + k] = motion->lambda[s->context.rows[k]];
    Status status = motion_test(&test, &found, err);
    if (status == OK)
        describe_motion(s, &found, given, record, verdict);
    free(mu0);
    return status;
}

static Status test_individual(const Study *s, Value *record, Verdict *verdict, Error *err)
{
    const AnalysisContext *asked = s->asked;

    if (!asked->trajectory || asked->trajectory->n_states < 2)
        return OK;
    Value *individual = value_add(s->context.arena, record, "individual", VALUE_RECORD);
    if (too_large(s)) {
        value_add_text(s->context.arena, individual, "consistent", "undecided");
        value_add_text(s->context.arena, individual, "reason",
                       "The system is too large for this test.");
        return OK;
    }
    return test_motion(s, individual, verdict, err);
}

/* Findings ------------------------------------------------------------------------------------ */

static void describe_sections(const Study *s, Value *record)
{
    const AnalysisContext *c = &s->context;
    Value *list = value_add(c->arena, record, "sections", VALUE_LIST);

    for (size_t k = 0; k < s->n_sections; k++) {
        const Section *section = &s->sections[k];
        const SectionVerdict *v = &section->verdict;
        Value *item = value_add(c->arena, list, NULL, VALUE_RECORD);
        value_add_text(c->arena, item, "section", section->text);
        value_add_text(c->arena, item, "weak", predicted_name(v->weak));
        value_add_text(c->arena, item, "strong", predicted_name(v->strong));
        value_add_count(c->arena, item, "states", v->states);
        value_add_number(c->arena, item, "weak_largest", v->weak_largest);
        value_add_number(c->arena, item, "strong_largest", v->strong_largest);
        Value *multipliers = value_add(c->arena, item, "multipliers", VALUE_RECORD);
        for (size_t i = 0; i < s->problem.r; i++)
            value_add_text(c->arena, multipliers, c->model->constraints[c->rows[i]].name,
                           analysis_text(c, s->pool, section->mu[i], "(long)"));
    }
}

static bool has_forces(const Study *s)
{
    const Model *model = s->context.model;

    for (size_t i = 0; i < model->n; i++)
        if (!expr_is_zero(s->pool, model->F[i]))
            return true;
    return false;
}

static const char *reason(const Study *s)
{
    Arena *arena = s->context.arena;

    switch (s->predicted) {
    case PREDICTED_YES:
        return arena_printf(arena,
                            "At %zu random admissible states the section %s satisfied both "
                            "conditions, so that every nonholonomic motion is a vakonomic one and "
                            "solves the Euler-Lagrange equations of L - mu phi%s.",
                            s->strong->verdict.states, s->strong->text,
                            has_forces(s) ? " with the same forces" : "");
    case PREDICTED_NO:
        return arena_printf(arena,
                            "%zu of %zu random nonholonomic motions are vakonomic for no initial "
                            "multipliers (residual at least %.3g), so that no section of the "
                            "multipliers can be strongly consistent.",
                            s->refuted, s->tried, s->refuted_by);
    case PREDICTED_UNDECIDED:
        break;
    }
    return arena_printf(arena,
                        "No section mu = p, or mu = p + k with k linear in the velocities and "
                        "simple in the coordinates, is strongly consistent, and %zu of %zu random "
                        "motions are vakonomic for no multipliers: another section may be.",
                        s->refuted, s->tried);
}

/* The shorter of its forms. */
static const char *lagrangian(const Study *s)
{
    Expr L = section_lagrangian(&s->problem, s->strong->mu), expanded;

    expr_expand(s->pool, &L, 1, &expanded);
    const char *text = analysis_text(&s->context, s->pool, L, "L - mu phi");
    const char *other = analysis_text(&s->context, s->pool, expanded, text);
    return strlen(other) < strlen(text) ? other : text;
}

static void describe(const Study *s, Value *record, Verdict *verdict)
{
    Arena *arena = s->context.arena;
    const Section *shown = s->strong ? s->strong : &s->sections[0];

    verdict->name = verdict->kind = "consistency";
    verdict->expression = shown->text;
    verdict->predicted = s->predicted;
    verdict->evidence =
        s->predicted == PREDICTED_NO ? EVIDENCE_COUNTEREXAMPLE : EVIDENCE_RANDOM_STATES;
    verdict->states = s->predicted == PREDICTED_NO ? s->tried : shown->verdict.states;
    verdict->largest = s->predicted == PREDICTED_NO ? s->refuted_by : shown->verdict.strong_largest;
    verdict->reason = reason(s);

    value_add_bool(arena, record, "applies", true);
    value_add_text(arena, record, "weak", "yes"); /* on mu = 0, at the least */
    value_add_text(arena, record, "strong", predicted_name(s->predicted));
    value_add_text(arena, record, "section", shown->text);
    value_add_number(arena, record, "residual", shown->verdict.strong_largest);
    value_add_text(arena, record, "variational_lagrangian", s->strong ? lagrangian(s) : NULL);
    describe_sections(s, record);
    Value *motions = value_add(arena, record, "random_motions", VALUE_RECORD);
    value_add_count(arena, motions, "tried", s->tried);
    value_add_count(arena, motions, "not_vakonomic", s->refuted);
    value_add_text(arena, record, "reason", verdict->reason);
}

static Status study(Study *s, const Value *options, Value *record, Verdict *verdict, Error *err)
{
    Diagnostics diag;
    Status status = section_problem_init(&s->problem, &s->context, s->pool, err);

    diagnostics_init(&diag, s->context.arena);
    if (status == OK)
        status = section_options_read(s->context.model, s->pool, options, &diag, &s->options, err);
    if (status == OK)
        status = try_sections(s, err);
    if (status == OK && !s->strong && !too_large(s))
        status = refute(s, err);
    if (status == OK && !s->strong && s->refuted < 2)
        status = search(s, err);
    if (status == OK) {
        s->predicted = s->strong         ? PREDICTED_YES
                       : s->refuted >= 2 ? PREDICTED_NO
                                         : PREDICTED_UNDECIDED;
        describe(s, record, verdict);
        status = test_individual(s, record, verdict, err);
    }
    section_problem_done(&s->problem);
    return status;
}

/* The analysis -------------------------------------------------------------------------------- */

static Status check(const Model *model, const Value *options, Diagnostics *diag, Error *err)
{
    SectionOptions read;
    if (!options)
        return OK;
    ExprPool *pool = expr_pool_clone(model->pool);
    Status status =
        pool ? section_options_read(model, pool, options, diag, &read, err) : out_of_memory(err);
    expr_pool_free(pool);
    return status;
}

static Status run(const AnalysisContext *asked, const Value *options, Findings *findings,
                  Error *err)
{
    Value *record = value_add(findings->arena, findings->record, "consistency", VALUE_RECORD);
    const char *why_not = objection(asked->model, findings->arena);
    Study s = {.asked = asked};
    Verdict verdict = {0};

    if (why_not) {
        value_add_bool(findings->arena, record, "applies", false);
        value_add_text(findings->arena, record, "reason", why_not);
        return OK;
    }
    s.pool = expr_pool_clone(asked->model->pool);
    Status status = s.pool ? reaction_context(asked, &s.context, err) : out_of_memory(err);
    if (status == OK)
        status = study(&s, options, record, &verdict, err);
    if (status == OK)
        *findings_add(findings) = verdict;
    expr_pool_free(s.pool);
    return status;
}

static const char *const OPTIONS[] = {"complement", "add", NULL};

const Analysis analysis_consistency = {
    .name = "consistency", .options = OPTIONS, .check = check, .run = run};
