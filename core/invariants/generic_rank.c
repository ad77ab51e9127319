/* Ranks that are proved from both sides: an upper bound for all states, a lower bound at a
 * state, where one state usually is enough. If the lower bound stays below, states behind
 * corners are tried as well: a rank that is attained in one region only is the generic one all
 * the same. */
#include "core/invariants/proof.h"

#include <string.h>

#include "core/invariants/recall.h"

/* States at which the lower bound is tested: of the sample, and behind corners. Conventions. */
enum { TRIES = 4, BEYOND_DRAWS = 24 };
/* Stages of equations that copies share: that of the positions. */
enum { SHARED_STAGES = 1 };

typedef struct Asked {
    const AnalysisContext *context;
    const RankQuestion *question;
    MotionEquations equations;
    ExactMatrix matrix;
    double *symbols; /* [copies][n_symbols] */
    Arena scratch;
} Asked;

static Status asked_init(Asked *a, const AnalysisContext *context, const RankQuestion *question,
                         Error *err)
{
    *a = (Asked){.context = context, .question = question};
    Status status = motion_equations_init(&a->equations, context, &a->scratch, err);
    if (status != OK)
        return status;
    a->matrix = (ExactMatrix){.problem = exact_about(&a->equations.problem, question->entries,
                                                     question->rows * question->columns),
                              .columns = question->columns,
                              .copies = question->copies,
                              .shared = SHARED_STAGES};
    a->symbols = arena_doubles(&a->scratch, question->copies * a->equations.problem.n_symbols);
    a->matrix.problem.symbols = a->symbols;
    return arena_status(&a->scratch, err);
}

/* Copy k has the velocities of a later state; the equations make them admissible. */
static void set_copies(Asked *a, const Trajectory *states, size_t state)
{
    const Model *m = a->context->model;
    const size_t count = a->equations.problem.n_symbols;

    motion_equations_at(&a->equations, states, state);
    for (size_t k = 0; k < a->question->copies; k++) {
        double *symbols = a->symbols + k * count;
        const double *v = states->v + (state + k) % states->n_states * m->n;
        memcpy(symbols, a->equations.symbols, count * sizeof *symbols);
        for (size_t i = 0; i < m->n; i++)
            symbols[expr_node(m->pool, m->sym.v[i]).symbol] = v[i];
    }
}

/* Raises *least, the best lower bound so far, to the rank that is proved near a state. */
static Status raise_least(Asked *a, const Trajectory *states, size_t state, size_t wanted,
                          ExactRank *least, Error *err)
{
    ExactRank next;

    set_copies(a, states, state);
    recall_count(a->context->recall, (RecallWork){.exact_tests = 1});
    Status status = exact_rank_least(&a->matrix, wanted, &next, err);
    if (status == OK && next.rank > least->rank)
        *least = next;
    return status;
}

/* Raises *least behind the corners of the entries and of the equations of motion. */
static Status raise_beyond(Asked *a, size_t wanted, ExactRank *least, Error *err)
{
    const Model *m = a->context->model;
    const size_t count = a->matrix.problem.n_terms, n_roots = count + 2 * m->n;
    Expr *roots = ARENA_NEW(&a->scratch, n_roots, Expr);
    Beyond beyond;
    if (!roots)
        return arena_status(&a->scratch, err);

    /* expressions whose corners matter */
    memcpy(roots, a->question->entries, count * sizeof *roots);
    memcpy(roots + count, m->l, m->n * sizeof *roots);
    memcpy(roots + count + m->n, m->F, m->n * sizeof *roots);
    Status status = beyond_init(&beyond, a->context, roots, n_roots, &a->scratch, err);
    /* states close to the corners, until the rank is attained */
    for (size_t k = 0; status == OK && beyond.any && least->rank < wanted && k < BEYOND_DRAWS;
         k++) {
        const Trajectory *states;
        status = beyond_draw(&beyond, k, &a->scratch, &states, err);
        if (status == OK && states->n_states > 0)
            status = raise_least(a, states, 0, wanted, least, err);
    }
    return status;
}

static Status prove(Asked *a, GenericRank *ret, Error *err)
{
    const size_t n_states = a->question->states->n_states;
    ExactRank most, least = {0};

    /* the upper bound, then lower bounds at states until both agree */
    recall_count(a->context->recall, (RecallWork){.exact_tests = 1});
    Status status = exact_rank_most(&a->matrix, 0, &most, err);
    for (size_t k = 0; status == OK && k < n_states && k < TRIES && least.rank < most.rank; k++)
        status = raise_least(a, a->question->states, k, most.rank, &least, err);
    if (status == OK && least.rank < most.rank)
        status = raise_beyond(a, most.rank, &least, err);
    if (status != OK)
        return status;
    /* report both; without agreement with the reason */
    *ret = (GenericRank){.least = least.rank, .most = most.rank};
    if (least.rank < most.rank)
        ret->proof.doubt =
            most.why ? most.why : "it has no minor of that size of which a ball leaves out zero";
    else
        ret->proof = (Proof){.method = most.points ? PROOF_FINITE_FIELD : PROOF_INTERVAL,
                             .points = most.points,
                             .primes = most.primes,
                             .chance = most.chance,
                             .bits = least.bits};
    return OK;
}

Status generic_rank_prove(const AnalysisContext *context, const RankQuestion *question,
                          GenericRank *ret, Error *err)
{
    Asked a;
    Status status = asked_init(&a, context, question, err);

    if (status == OK)
        status = prove(&a, ret, err);
    arena_done(&a.scratch);
    return status;
}

Status generic_rank_least(const AnalysisContext *context, const RankQuestion *question,
                          size_t state, size_t wanted, size_t *ret, Error *err)
{
    Asked a;
    ExactRank least = {0};
    Status status = asked_init(&a, context, question, err);

    if (status == OK)
        status = raise_least(&a, question->states, state, wanted, &least, err);
    if (status == OK)
        *ret = least.rank;
    arena_done(&a.scratch);
    return status;
}
