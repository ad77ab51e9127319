/* The structure of the constraints: curvature, integrability, growth, hidden holonomic constraints.
 *
 * Constraints affine in the velocities, ydot^nu = a_nu,i xdot^i + a_nu, span a distribution on the
 * space of positions and time (core/invariants/structure/distribution.h). Its curvature
 *
 *     A^nu_ij = D_j a_nu,i - D_i a_nu,j,     A^nu_it = D_t a_nu,i - D_i a_nu
 *
 * is the vertical part of the brackets, -[X_i, X_j] and -[X_i, X_0]; by Frobenius' theorem the
 * constraints are integrable, that is equivalent to relations between positions and time, exactly
 * if it vanishes. A distribution may be integrable at every frozen time and yet not be on the
 * extended space. Nonlinear constraints have no such test. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/text.h"
#include "core/invariants/proof.h"
#include "core/invariants/structure/distribution.h"
#include "core/invariants/structure/hidden.h"
#include "core/motion/dependent/curvature.h"
#include "core/numeric/vectors.h"

/* Coefficients and formulas that are listed, characters of a formula, and coefficients a_nu,i
 * beyond which the analysis is refused. Conventions. */
enum { MAX_COEFFICIENTS = 600, MAX_FORMULAS = 40, FORMULA_LENGTH = 160, MAX_ENTRIES = 1500 };

static const AnalysisOption OPTIONS[] = {
    {.name = "dependent",
     .meaning = "as many coordinates as there are constraints, whose velocities these determine; "
                "left out: those that they determine best"},
    {.name = NULL}};

typedef struct Structured {
    const AnalysisContext *context;
    Findings *findings;
    Distribution d;
    Fields extended_fields, frozen_fields;
    Flags extended, frozen;
    Curvature curvature;
    Expr *coefficients; /* n_coefficients: of the curvature, the first n_frozen without time */
    size_t (*index)[3];
    size_t n_coefficients, n_frozen;
    Verdict integrable, integrable_frozen;
    const char *example; /* "A[z](x,y) = 2", the largest at the start, or a formula; or NULL */
} Structured;

static bool find_coordinate(const Model *model, const char *name, size_t *ret)
{
    for (size_t i = 0; name && i < model->n; i++)
        if (strcmp(model->names.coordinates[i], name) == 0) {
            *ret = i;
            return true;
        }
    return false;
}

static Status structure_check(const Model *model, ExprPool *pool, const Value *options,
                              Diagnostics *diag, Error *err)
{
    const Value *list = value_member(options, "dependent");
    bool seen[MODEL_MAX_COORDINATES] = {false};
    size_t i;

    (void)pool, (void)err;
    if (list && list->kind != VALUE_LIST)
        diagnostics_add(diag, list->pointer, -1, NULL,
                        "\"dependent\" is a list of coordinates, one for each constraint");
    for (const Value *v = list && list->kind == VALUE_LIST ? list->first : NULL; v; v = v->next) {
        if (v->kind != VALUE_TEXT || !find_coordinate(model, v->text, &i)) {
            diagnostics_add(diag, v->pointer, -1, NULL, "this is no coordinate of the model");
            continue;
        }
        if (seen[i])
            diagnostics_add(diag, v->pointer, -1, NULL, "%s is named twice", v->text);
        seen[i] = true;
    }
    /* fewer may be right: independent constraints are counted when the analysis runs */
    if (list && list->kind == VALUE_LIST && value_count(list) > model->r)
        diagnostics_add(diag, list->pointer, -1, NULL,
                        "%zu dependent coordinates, but only %zu constraints", value_count(list),
                        model->r);
    return OK;
}

/* The dependent coordinates of the options, ascending; NULL: none are given. */
static Status take_dependent(const AnalysisContext *context, const Value *options,
                             const size_t **ret, Error *err)
{
    const Model *model = context->model;
    const Value *list = value_member(options, "dependent");
    size_t *dependent, count = 0;

    /* without the option the analysis chooses them */
    *ret = NULL;
    if (!list)
        return OK;
    if (value_count(list) != context->n_rows)
        return error_set(err, ERR_INVALID, "%zu dependent coordinates for %zu constraints",
                         value_count(list), context->n_rows);
    dependent = arena_sizes(context->scratch, model->n);
    if (!dependent)
        return arena_status(context->scratch, err);
    for (size_t i = 0; i < model->n; i++)
        for (const Value *v = list->first; v; v = v->next)
            if (strcmp(v->text, model->names.coordinates[i]) == 0)
                dependent[count++] = i;
    *ret = dependent;
    return OK;
}

/* Lists the coefficients A^a_ij (i < j), then A^a_it, with a, i, j; j = m stands for t. */
static Status list_coefficients(Structured *s, Error *err)
{
    const Distribution *d = &s->d;
    const size_t most = d->r * d->m * (d->m + 1);
    Status status = curvature_init(&s->curvature, &d->dependent, err);

    s->coefficients = ARENA_NEW(s->context->scratch, most, Expr);
    s->index = arena_alloc(s->context->scratch, most, sizeof *s->index);
    if (status == OK)
        status = arena_status(s->context->scratch, err);
    /* of pairs of coordinates first, then of a coordinate and t */
    for (size_t pass = 0; status == OK && pass < 2; pass++) {
        for (size_t a = 0; a < d->r; a++)
            for (size_t i = 0; i < d->m; i++)
                for (size_t j = pass ? d->m : i + 1; j < d->m + pass; j++) {
                    size_t *index = s->index[s->n_coefficients];
                    s->coefficients[s->n_coefficients++] =
                        pass ? s->curvature.time[a * d->m + i]
                             : s->curvature.space[(a * d->m + i) * d->m + j];
                    index[0] = a;
                    index[1] = i;
                    index[2] = j;
                }
        s->n_frozen = pass ? s->n_frozen : s->n_coefficients;
    }
    return status;
}

static const char *name_of(const Distribution *d, Arena *arena, const size_t index[3])
{
    return coefficient_name(d, arena, "A", index[0], index[1], index[2] < d->m ? &index[2] : NULL);
}

static void add_formulas(Structured *s, Value *curvature)
{
    const Expr *exprs = s->coefficients;
    Arena *arena = s->findings->arena;
    Value *list = value_add(arena, curvature, "formulas", VALUE_RECORD);
    size_t listed = 0;

    for (size_t k = 0; k < s->n_coefficients && listed < MAX_FORMULAS; k++) {
        if (expr_is_zero(s->d.pool, exprs[k]))
            continue;
        const char *text = analysis_text(s->context, exprs[k], NULL);
        if (!text || strlen(text) > FORMULA_LENGTH)
            continue;
        const char *name = name_of(&s->d, arena, s->index[k]);
        value_add_text(arena, list, name, text);
        /* the first one is the example if there are no numbers */
        if (!s->context->trajectory && !s->example)
            s->example = arena_printf(arena, "%s = %s", name, text);
        listed++;
    }
}

/* Adds the numbers at the start, which a model alone does not have. */
static void add_numbers(Structured *s, const double *values, Value *curvature)
{
    Arena *arena = s->findings->arena;
    Value *list = value_add(arena, curvature, "coefficients", VALUE_RECORD);
    double largest = 0;

    for (size_t k = 0; k < s->n_coefficients; k++) {
        const char *name = name_of(&s->d, arena, s->index[k]);
        if (!isfinite(values[k]))
            continue;
        value_add_number(arena, list, name, values[k] + 0.0);
        if (fabs(values[k]) > largest) {
            largest = fabs(values[k]);
            s->example = arena_printf(arena, "%s = %.4g", name, values[k]);
        }
    }
}

static Status add_coefficients(Structured *s, Value *record, Error *err)
{
    const size_t count = s->n_coefficients;
    double *values = arena_doubles(s->context->scratch, count);
    Trajectory start;
    Status status = distribution_start(s->context, &start, err);

    if (status != OK || s->d.r * s->d.m * (s->d.m + 1) > 2 * (size_t)MAX_COEFFICIENTS)
        return status;
    if (count)
        status = analysis_evaluate(s->context, s->coefficients, count, &start, values, err);
    if (status == OK && s->context->trajectory)
        add_numbers(s, values, record);
    if (status == OK)
        add_formulas(s, record);
    return status;
}

static void add_curvature(Arena *arena, Value *record, const char *name, const Flags *flags,
                          const Verdict *integrable)
{
    Value *item = value_add(arena, record, name, VALUE_RECORD);

    value_add_count(arena, item, "rank", flags_curvature(flags));
    predicted_describe(arena, item, "integrable", integrable->predicted);
    value_add_count(arena, item, "states", flags->small.states);
}

static void add_ranks(Arena *arena, Value *record, const char *name, const size_t *ranks, size_t n)
{
    Value *list = value_add(arena, record, name, VALUE_LIST);

    for (size_t k = 0; k < n; k++)
        value_add_number(arena, list, NULL, (double)ranks[k]);
}

/* Yes if the brackets span the whole space. */
static Predicted generating(const Flags *flags)
{
    const Growth *g = &flags->small;

    if (!g->proved)
        return PREDICTED_UNDECIDED;
    if (g->generic[g->length - 1] == flags->most)
        return PREDICTED_YES;
    return g->complete ? PREDICTED_NO : PREDICTED_UNDECIDED;
}

static void add_growth(Arena *arena, Value *record, const char *name, const Flags *flags,
                       bool with_start)
{
    const Growth *g = &flags->small;
    Value *item = value_add(arena, record, name, VALUE_RECORD);

    add_ranks(arena, item, "vector", g->generic, g->length);
    if (with_start && g->start[0] == 0)
        value_add(arena, item, "at_start", VALUE_NULL);
    else if (with_start)
        add_ranks(arena, item, "at_start", g->start, g->start_length);
    value_add_count(arena, item, "dimension", flags->most);
    predicted_describe(arena, item, "bracket_generating", generating(flags));
    value_add_bool(arena, item, "complete", g->complete);
    proof_describe(arena, item, &g->proof);
}

/* Ranks of the annihilators of the derived flag: of the derived systems. */
static void add_derived(Arena *arena, Value *record, const char *name, const Flags *flags,
                        size_t dim)
{
    size_t ranks[GROWTH_MAX_STEPS];

    for (size_t k = 0; k < flags->derived.length; k++)
        ranks[k] = dim - flags->derived.generic[k];
    add_ranks(arena, record, name, ranks, flags->derived.length);
}

/* The curvature of a single constraint as a skew matrix of X_1 .. X_m, and X_0 when extended. */
static void skew_matrix(ExprPool *pool, const Curvature *curvature, size_t m, bool extended,
                        Expr *ret)
{
    const size_t width = m + extended;

    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            ret[i * width + j] = curvature->space[i * m + j];
    for (size_t i = 0; extended && i < m; i++) {
        ret[i * width + m] = curvature->time[i];
        ret[m * width + i] = expr_neg(pool, curvature->time[i]);
    }
    if (extended)
        ret[m * width + m] = expr_const(pool, 0);
}

/* The rank in numbers at the start, and the largest one at any state. */
static Status contact_numbers(const Structured *s, const Expr *skew, size_t width,
                              size_t *ret_start, size_t *ret_most, Error *err)
{
    const Trajectory *states = &s->extended_fields.states;
    const size_t size = width * width;
    double *values = arena_doubles(s->context->scratch, states->n_states * size);
    size_t possible;
    Status status = arena_status(s->context->scratch, err);

    *ret_most = 0;
    if (status == OK)
        status = analysis_evaluate(s->context, skew, size, states, values, err);
    for (size_t k = 0; k < states->n_states && status == OK; k++) {
        double *matrix = values + k * size;
        const double largest = vector_largest(matrix, size);
        /* coefficients that are rounding */
        for (size_t i = 0; i < size; i++)
            if (fabs(matrix[i]) <= ACCURACY_COMPUTED * largest)
                matrix[i] = 0;
        status = rank_of_matrix(matrix, width, width, ret_start, &possible, err);
        *ret_most = *ret_start > *ret_most ? *ret_start : *ret_most;
    }
    return status;
}

/* Whether a form w is a contact form, w ^ (dw)^k not zero for the dimension 2 k + 1: its
 * curvature is nondegenerate on the fields it annihilates. */
static Status contact(const Structured *s, bool extended, Value *record, Error *err)
{
    const size_t m = s->d.m, width = m + extended;
    Arena *arena = s->findings->arena;
    Expr *skew = ARENA_NEW(s->context->scratch, width * width, Expr);
    size_t start, most;
    GenericRank rank = {0};
    Status status = arena_status(s->context->scratch, err);

    if (status == OK) {
        skew_matrix(s->d.pool, &s->curvature, m, extended, skew);
        const RankQuestion question = {.entries = skew,
                                       .rows = width,
                                       .columns = width,
                                       .copies = 1,
                                       .states = &s->extended_fields.states};
        status = generic_rank_prove(s->context, &question, &rank, err);
    }
    if (status == OK)
        status = contact_numbers(s, skew, width, &start, &most, err);
    if (status != OK)
        return status;
    /* a contact form needs the full rank */
    const bool proved = rank.least == rank.most;
    Value *item = value_add(arena, record, extended ? "extended" : "frozen", VALUE_RECORD);
    if (s->context->trajectory)
        value_add_bool(arena, item, "at_start", start == width && width > 0);
    predicted_describe(arena, item, "contact",
                       width == 0 || rank.most < width ? PREDICTED_NO
                       : proved                        ? PREDICTED_YES
                                                       : PREDICTED_UNDECIDED);
    value_add_count(arena, item, "rank", proved ? rank.most : most);
    value_add_count(arena, item, "dimension", width + 1);
    proof_describe(arena, item, &rank.proof);
    return OK;
}

static Status add_contact(const Structured *s, Error *err)
{
    if (s->d.r != 1 || s->d.n_holonomic || s->d.m * (s->d.m + 1) > MAX_COEFFICIENTS)
        return OK;
    Value *record = value_add(s->findings->arena, s->findings->record, "contact", VALUE_RECORD);
    Status status = contact(s, true, record, err);
    return status == OK ? contact(s, false, record, err) : status;
}

/* Whether the curvature vanishes, each coefficient by itself. */
static Status judge_curvature(Structured *s, Error *err)
{
    const Expr *exprs = s->coefficients;
    /* at frozen time only those without t; a no there is one for all */
    Status status =
        verdict_predict_each(s->context, exprs, s->n_frozen, NULL, &s->integrable_frozen, err);

    if (status == OK && s->integrable_frozen.predicted == PREDICTED_NO)
        s->integrable = s->integrable_frozen;
    else if (status == OK)
        status =
            verdict_predict_each(s->context, exprs, s->n_coefficients, NULL, &s->integrable, err);
    return status;
}

static void take_evidence(const Structured *s, const Verdict *judged, Verdict *verdict)
{
    const char *name = verdict->name;

    *verdict = *judged;
    verdict->name = name;
    verdict->kind = "structure";
    if (s->example && verdict->predicted == PREDICTED_NO && judged == &s->integrable)
        verdict->expression = s->example;
}

static const char *extended_reason(const Structured *s, Arena *arena)
{
    const Flags *flags = &s->extended;
    const size_t gained = flags_curvature(flags); /* in numbers */

    if (s->integrable.predicted == PREDICTED_YES)
        return flags->trivial
                   ? "All constraints in use are relations between positions and time."
                   : "Two allowed motions made one after the other lead to the same place in "
                     "either order, so that the velocity constraints amount to relations between "
                     "positions and time.";
    if (s->integrable.predicted == PREDICTED_NO)
        return arena_printf(
            arena,
            "A small circuit of allowed motions does not close but ends displaced "
            "against the constraints%s%s%s, so that these are no mere relations "
            "between positions and time%s.",
            !s->example              ? ""
            : s->context->trajectory ? " (at the start "
                                     : " (",
            s->example ? s->example : "", s->example ? ")" : "",
            gained
                ? arena_printf(arena, "; one bracket gains %zu of %zu directions", gained, s->d.r)
                : "");
    return arena_printf(arena,
                        "The curvature was at most %.3g of its terms at %zu random admissible "
                        "states; no exact test decides: %s.",
                        s->integrable.largest, s->integrable.states, proof_doubt(&s->integrable));
}

static const char *frozen_reason(const Structured *s, Arena *arena)
{
    const Predicted frozen = s->integrable_frozen.predicted;

    if (frozen == PREDICTED_YES)
        return s->integrable.predicted == PREDICTED_NO
                   ? "At every fixed instant the allowed displacements fit together to surfaces, "
                     "but the motion does not stay on any of them as time goes on: the constraints "
                     "are integrable at frozen time only."
                   : "At every fixed instant the allowed displacements fit together to surfaces.";
    /* ranks that are not proved may be those around the motion alone */
    if (frozen == PREDICTED_NO && !s->frozen.small.proved)
        return "Already at a fixed instant small circuits of allowed displacements do not close.";
    if (frozen == PREDICTED_NO)
        return arena_printf(arena,
                            "Already at a fixed instant small circuits of allowed displacements do "
                            "not close; brackets of them span %zu of %zu dimensions.",
                            s->frozen.small.generic[s->frozen.small.length - 1], s->frozen.most);
    return "No exact test decides whether the curvature at frozen time vanishes.";
}

static void add_verdicts(const Structured *s)
{
    Verdict *verdict = findings_add(s->findings);

    verdict->name = "integrable";
    take_evidence(s, &s->integrable, verdict);
    verdict->reason = extended_reason(s, s->findings->arena);
    verdict = findings_add(s->findings);
    verdict->name = "integrable at frozen time";
    take_evidence(s, &s->integrable_frozen, verdict);
    verdict->reason = frozen_reason(s, s->findings->arena);
}

static Status add_explicit_time(const AnalysisContext *context, Findings *findings, Error *err)
{
    const Model *model = context->model;
    Arena *arena = findings->arena;
    Value *record = value_add(arena, findings->record, "explicit_time", VALUE_RECORD);
    bool in_L = false, in_F = false;
    Status status = expr_uses(model->pool, &model->L, 1, &model->sym.t, 1, &in_L, err);

    if (status == OK)
        status = expr_uses(model->pool, model->F, model->n, &model->sym.t, 1, &in_F, err);
    value_add_bool(arena, record, "lagrangian", in_L);
    value_add_bool(arena, record, "forces", in_F);
    Value *list = value_add(arena, record, "constraints", VALUE_LIST);
    for (size_t k = 0; k < context->n_rows; k++)
        if (model->constraints[context->rows[k]].time_dependent)
            value_add_text(arena, list, NULL, model->constraints[context->rows[k]].name);
    return status;
}

static void add_records(const Structured *s, Value *curvature)
{
    Arena *arena = s->findings->arena;
    Value *record = value_add(arena, s->findings->record, "growth", VALUE_RECORD);
    const bool with_start = s->context->trajectory != NULL;

    add_curvature(arena, curvature, "extended", &s->extended, &s->integrable);
    add_curvature(arena, curvature, "frozen", &s->frozen, &s->integrable_frozen);
    add_growth(arena, record, "extended", &s->extended, with_start);
    add_growth(arena, record, "frozen", &s->frozen, with_start);
    record = value_add(arena, s->findings->record, "derived_systems", VALUE_RECORD);
    add_derived(arena, record, "extended", &s->extended, s->d.n + 1);
    add_derived(arena, record, "frozen", &s->frozen, s->d.n);
}

static void holonomic_structure(Structured *s)
{
    Arena *arena = s->findings->arena;

    distribution_holonomic(s->context, &s->d, &s->extended, &s->frozen);
    s->integrable = s->integrable_frozen =
        (Verdict){.predicted = PREDICTED_YES, .evidence = EVIDENCE_IDENTITY};
    add_records(s, value_add(arena, s->findings->record, "curvature", VALUE_RECORD));
    value_add(arena, s->findings->record, "hidden", VALUE_LIST);
    add_verdicts(s);
}

static Status affine_structure(Structured *s, Error *err)
{
    Arena *arena = s->findings->arena;
    Value *curvature = value_add(arena, s->findings->record, "curvature", VALUE_RECORD);
    const Dependent *dep = &s->d.dependent;

    /* flags and curvature decide */
    Status status = distribution_flags(&s->d, true, &s->extended_fields, &s->extended, err);
    if (status == OK)
        status = distribution_flags(&s->d, false, &s->frozen_fields, &s->frozen, err);
    if (status == OK)
        status = list_coefficients(s, err);
    if (status == OK)
        status = judge_curvature(s, err);
    if (status != OK)
        return status;
    add_records(s, curvature);
    Value *names = value_add(arena, curvature, "dependent", VALUE_LIST);
    for (size_t k = 0; k < s->d.r; k++)
        value_add_text(arena, names, NULL, s->context->model->names.coordinates[dep->dep[k]]);
    status = add_coefficients(s, curvature, err);
    if (status != OK)
        return status;
    add_verdicts(s);
    status = add_contact(s, err);
    Value *hidden = value_add(arena, s->findings->record, "hidden", VALUE_LIST);
    if (status == OK)
        status = hidden_find(
            &(HiddenSearch){&s->d, &s->extended, &s->extended_fields, s->findings, hidden}, err);
    return status;
}

static bool all_holonomic(const AnalysisContext *context)
{
    for (size_t k = 0; k < context->n_rows; k++)
        if (context->model->constraints[context->rows[k]].kind != CONSTRAINT_HOLONOMIC)
            return false;
    return true;
}

static Status constraint_structure(Structured *s, const Value *options, Error *err)
{
    const AnalysisContext *context = s->context;
    Findings *findings = s->findings;
    const size_t *dependent;

    Status status = take_dependent(context, options, &dependent, err);
    if (status == OK)
        status = distribution_init(&s->d, context, dependent, err);
    if (status != OK)
        return status;
    if (s->d.dependent.affine)
        return affine_structure(s, err);
    return nonlinearity_find(
        &s->d, findings, value_add(findings->arena, findings->record, "nonlinearity", VALUE_RECORD),
        err);
}

static Status structure_run(const AnalysisContext *context, const Value *options,
                            Findings *findings, Error *err)
{
    AnalysisContext of_constraints = *context;
    Structured s = {.context = &of_constraints, .findings = findings};
    Status status = add_explicit_time(context, findings, err);

    of_constraints.inquiry.concern = CONCERN_CONSTRAINTS;
    if (status != OK || context->n_rows == 0)
        return status;
    /* holonomic constraints need no brackets */
    if (all_holonomic(context)) {
        holonomic_structure(&s);
        return OK;
    }
    if (context->n_rows * (context->model->n - context->n_rows) > MAX_ENTRIES)
        return error_set(err, ERR_LIMIT, "%zu constraints in %zu coordinates are too many for this",
                         context->n_rows, context->model->n);
    status = constraint_structure(&s, options, err);
    curvature_done(&s.curvature);
    fields_done(&s.extended_fields);
    fields_done(&s.frozen_fields);
    distribution_done(&s.d);
    return status;
}

const Analysis analysis_structure = {.name = "structure",
                                     .meaning =
                                         "Are the constraints integrable; which holonomic "
                                         "constraints hide in them; curvature, growth, contact.",
                                     .options = OPTIONS,
                                     .check = structure_check,
                                     .run = structure_run};
