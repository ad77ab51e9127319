/* Nonholonomic against vakonomic dynamics: do the motions of Lagrange-d'Alembert come out of a
 * variational principle?
 *
 * Sections mu = phi(q, v, t) of the multipliers are tried: mu = p, for complements of the allowed
 * velocities; mu = p with additions of a client; and mu = 0 (M. Crampin, T. Mestdag, on
 * nonholonomic and vakonomic dynamics). One that is strongly consistent proves that they do; a
 * state that lies on no vakonomic motion at all proves that no section is. Random motions that are
 * vakonomic for no multipliers make it likely. */
#include <stdio.h>
#include <string.h>

#include "core/expr/parse/parse.h"
#include "core/invariants/consistency/study.h"
#include "core/invariants/generator.h"
#include "core/invariants/observation.h"

/* The options: the complement and the additions of a client. */

typedef struct Reader {
    const Model *model;
    ExprPool *pool;
    ExprScope *scope;
    Diagnostics *diag;
    SectionOptions *options;
} Reader;

/* The named complement: the given one, the model's frame beyond its tangent fields, or
 * symmetries, one for each constraint. */
static Status read_complement(const Reader *r, const Value *given, Error *err)
{
    const Model *model = r->model;
    SectionOptions *o = r->options;
    ModelField *fields;

    /* a client's fields, at most one for each constraint */
    if (given) {
        Status status =
            generators_read(model, r->pool, given, r->diag, &fields, &o->n_complement, err);
        if (status != OK)
            return status;
        o->complement = fields;
        o->given = true;
        if (o->n_complement == 0 || o->n_complement > model->r) {
            diagnostics_add(r->diag, given->pointer, -1, NULL,
                            "a complement has as many fields as there are independent constraints");
            return error_set(err, ERR_INVALID, "the complement has %zu fields", o->n_complement);
        }
    } else if (model->given.n_frame == model->n) {
        o->complement = model->given.frame + (model->n - model->r);
        o->n_complement = model->r;
    } else if (model->given.n_base == 0 && model->given.n_symmetries == model->r) {
        o->complement = model->given.symmetries;
        o->n_complement = model->r;
    }
    return OK;
}

/* The place to which an expression of this name is added; NULL: there is none. *ret_field: it
 * belongs to a field. */
static Expr *place_of(const Reader *r, const char *name, bool *ret_field)
{
    char number[32];

    *ret_field = false;
    for (size_t a = 0; a < r->model->r; a++) {
        snprintf(number, sizeof number, "c%zu", a + 1);
        if (strcmp(name, r->model->constraints[a].name) == 0 || strcmp(name, number) == 0)
            return &r->options->by_constraint[a];
    }
    *ret_field = true;
    for (size_t b = 0; b < r->options->n_complement; b++)
        if (strcmp(name, r->options->complement[b].name) == 0)
            return &r->options->by_field[b];
    return NULL;
}

static void read_added(const Reader *r, const Value *added)
{
    if (added->kind != VALUE_RECORD) {
        diagnostics_add(
            r->diag, added->pointer, -1, NULL,
            "\"%s\" must be an object of expressions by constraint or field of the complement",
            added->name);
        return;
    }
    for (const Value *v = added->first; v; v = v->next) {
        bool field;
        Expr *place = place_of(r, v->name, &field);
        if (!place) {
            diagnostics_add(r->diag, v->pointer, -1, NULL,
                            "\"%.80s\" is neither a constraint nor a field of the complement",
                            v->name);
        } else if (v->kind != VALUE_TEXT) {
            diagnostics_add(r->diag, v->pointer, -1, NULL,
                            "an added term must be an expression, in quotes");
        } else {
            /* a text that cannot be read is reported there, and adds nothing */
            Expr e = expr_parse(r->pool, r->scope, v->text, PARSE_EXPRESSION, v->pointer, r->diag);
            *place = expr_is_none(e) ? *place : e;
            r->options->adds = true;
            r->options->adds_to_fields = r->options->adds_to_fields || field;
        }
    }
}

/* Builds in `pool`, a clone of the model's. Mistakes go to diag, then ERR_INVALID. */
static Status read_options(const Model *model, ExprPool *pool, const Value *options,
                           Diagnostics *diag, SectionOptions *ret, Error *err)
{
    const size_t before = diag->total;
    const Value *added = value_member(options, "add");
    SectionOptions found = {.by_constraint =
                                arena_alloc(diag->arena, model->r, sizeof *found.by_constraint),
                            .by_field = arena_alloc(diag->arena, model->r, sizeof *found.by_field)};
    Reader r = {.model = model,
                .pool = pool,
                .scope = model_scope(model, pool, false, NULL),
                .diag = diag,
                .options = &found};
    Status status = r.scope && found.by_constraint && found.by_field
                        ? OK
                        : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* nothing is added unless the options say so */
    for (size_t a = 0; status == OK && a < model->r; a++)
        found.by_constraint[a] = found.by_field[a] = expr_const(pool, 0);
    if (status == OK)
        status = read_complement(&r, value_member(options, "complement"), err);
    if (status == OK && added)
        read_added(&r, added);
    expr_scope_free(r.scope);
    /* with a mistake of the client there are no options */
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the section has mistakes");
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK)
        *ret = found;
    return status;
}

/* The reason why the theory does not apply, or NULL. */
static const char *objection(const Model *model, Arena *arena)
{
    /* trivial cases: without constraints, or with constraints on positions alone */
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
        /* rows that follow from the others have no multiplier */
        for (size_t i = 0; i < s->problem.r; i++)
            value_add_text(c->arena, multipliers, c->model->constraints[c->rows[i]].name,
                           analysis_text(c, section->mu[i], "(long)"));
    }
}

static const char *consistency_reason(const Study *s)
{
    const Model *model = s->context.model;
    Arena *arena = s->context.arena;

    if (s->predicted == PREDICTED_YES)
        return arena_printf(
            arena,
            "At %zu random admissible states the section %s satisfied both "
            "conditions, so that every nonholonomic motion is a vakonomic one and "
            "solves the Euler-Lagrange equations of L - mu phi%s.",
            s->strong->verdict.states, s->strong->text,
            !exprs_are_zero(s->context.pool, model->F, model->n) ? " with the same forces" : "");
    if (s->predicted == PREDICTED_NO)
        return "At a random admissible state no multipliers satisfy the conditions for the motion "
               "to "
               "be vakonomic together with their rates along it, so that no section of the "
               "multipliers can be strongly consistent.";
    /* the search covers a few kinds of sections, so that its failure proves nothing */
    return arena_printf(arena,
                        "No section mu = p, or mu = p + k with k linear in the velocities and "
                        "simple in the coordinates, is strongly consistent, and %zu of %zu random "
                        "motions are vakonomic for no multipliers: another section may be.",
                        s->refuted, s->tried);
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
    verdict->states = shown->verdict.states;
    verdict->largest = shown->verdict.strong_largest;
    if (s->predicted == PREDICTED_YES)
        verdict->proof = s->strong->verdict.proof;
    else if (s->predicted == PREDICTED_NO)
        verdict->proof = s->contradiction.proof;
    else
        verdict->proof = (Proof){.likely = s->refuted >= 2 ? PREDICTED_NO : PREDICTED_UNDECIDED,
                                 .doubt = "it is no sum of terms"};
    verdict->reason = consistency_reason(s);

    /* the record: the section, the list of sections, and the random motions */
    value_add_bool(arena, record, "applies", true);
    value_add_text(arena, record, "weak", "yes"); /* at least on mu = 0 */
    value_add_text(arena, record, "strong", predicted_name(s->predicted));
    value_add_text(arena, record, "section", shown->text);
    value_add_number(arena, record, "residual", shown->verdict.strong_largest);
    value_add_text(arena, record, "variational_lagrangian",
                   s->strong ? analysis_short_text(&s->context,
                                                   section_lagrangian(&s->problem, s->strong->mu),
                                                   "L - mu phi")
                             : NULL);
    describe_sections(s, record);
    Value *motions = value_add(arena, record, "random_motions", VALUE_RECORD);
    value_add_count(arena, motions, "tried", s->tried);
    value_add_count(arena, motions, "not_vakonomic", s->refuted);
    value_add_text(arena, record, "reason", verdict->reason);
}

static Status study(Study *s, const Value *options, Value *record, Verdict *verdict, Error *err)
{
    Diagnostics diag;
    Status status = section_problem_init(&s->problem, &s->context, err);

    diagnostics_init(&diag, s->context.arena);
    if (status == OK)
        status = read_options(s->context.model, s->context.pool, options, &diag, &s->options, err);
    if (status == OK)
        status = study_candidates(s, err);
    /* without a strong one look for a proof that there is none, or for motions that make that
     * likely */
    if (status == OK && !s->strong)
        status = study_contradict(s, err);
    const bool contradicted = s->contradiction.predicted == PREDICTED_NO;
    if (status == OK && !s->strong && !contradicted && !study_too_large(s))
        status = study_refute(s, err);
    if (status == OK && !s->strong && !contradicted && s->refuted < 2)
        status = study_search(s, err);
    /* decide, then test the motion of the run */
    if (status == OK) {
        s->predicted = s->strong      ? PREDICTED_YES
                       : contradicted ? PREDICTED_NO
                                      : PREDICTED_UNDECIDED;
        describe(s, record, verdict);
        status = study_individual(s, record, verdict, err);
    }
    return status;
}

static Status consistency_check(const Model *model, ExprPool *pool, const Value *options,
                                Diagnostics *diag, Error *err)
{
    SectionOptions read;
    return read_options(model, pool, options, diag, &read, err);
}

static Status consistency_run(const AnalysisContext *asked, const Value *options,
                              Findings *findings, Error *err)
{
    Value *record = value_add(findings->arena, findings->record, "consistency", VALUE_RECORD);
    const char *why_not = objection(asked->model, findings->arena);
    Study s = {.asked = asked, .contradiction.predicted = PREDICTED_UNDECIDED};
    Verdict verdict = {0};

    /* if the theory does not apply, only the reason is reported */
    if (why_not) {
        value_add_bool(findings->arena, record, "applies", false);
        value_add_text(findings->arena, record, "reason", why_not);
        return OK;
    }
    /* work on the motions of Lagrange-d'Alembert, even if the job has others */
    Status status = reaction_context(asked, &s.context, err);
    if (status == OK)
        status = study(&s, options, record, &verdict, err);
    if (status == OK)
        *findings_add(findings) = verdict;
    return status;
}

static const AnalysisOption OPTIONS[] = {
    {.name = "complement",
     .meaning = "fields {name: {coordinate: expression}} beside the allowed velocities; left "
                "out: those of the model's frame, symmetries, or any"},
    {.name = "add",
     .meaning = "expressions by constraint or field, added to the section of multipliers"},
    {.name = NULL}};

const Analysis analysis_consistency = {
    .name = "consistency",
    .meaning = "Are the nonholonomic motions those of a variational principle?",
    .options = OPTIONS,
    .check = consistency_check,
    .run = consistency_run};
