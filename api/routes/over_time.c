/* The nodes of all members that have ended are read part by part, and written together. */
#include "api/routes/over_time.h"

#include "api/documents/envelope.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/rows.h"
#include "core/ensemble/instants.h"
#include "core/ensemble/over_time.h"

/* Numbers in an answer. */
enum { TOLD_MAX = 1 << 22 };

typedef struct OverTime {
    const EnvelopeQuestion *question;
    TenantStore store;
    OverTimeShape shape;
    ResultRequest of; /* its columns, among those of ensemble.over_time */
    Envelope envelope;
} OverTime;

/* Selects the columns in `of`, or all of them. */
static Status select_columns(const ApiRequest *req, ApiResponse *res,
                             const EnvelopeQuestion *question, ResultRequest *ret_of, Error *err)
{
    const EnsembleSpec *ensemble = &question->document->input.ensemble;
    const size_t n = ensemble->n_over_time;
    const char **names = ARENA_NEW(req->arena, n, const char *);
    size_t *all = arena_sizes(req->arena, n);

    if (!names || !all)
        return arena_status(req->arena, err);
    for (size_t c = 0; c < n; c++) {
        names[c] = ensemble->over_time[c].name;
        all[c] = c;
    }
    *ret_of = (ResultRequest){.names = names, .n_names = n, .columns = all, .n_columns = n};
    return columns_select(req, res, "of", ret_of, err);
}

bool over_time_answers(const ApiRequest *req, const EnvelopeQuestion *question)
{
    ApiResponse trial;
    ResultRequest of;

    api_response_init(&trial);
    const Status status = select_columns(req, &trial, question, &of, NULL);
    api_response_done(&trial);
    return status == OK && of.n_columns > 0 && !question->where;
}

static Status choose_columns(const ApiRequest *req, ApiResponse *res, OverTime *o, Error *err)
{
    o->shape.n_columns = o->question->document->input.ensemble.n_over_time;
    if (api_query(req, "bins"))
        return api_fail(res, PROBLEM_PARAMETER, err, "there are no histograms over time");
    if (o->question->where)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "statistics over time are kept for all members together: where needs an "
                        "ensemble with ensemble.keep \"trajectories\"");
    return select_columns(req, res, o->question, &o->of, err);
}

/* Makes the envelope without its numbers. */
static Status make_envelope(const ApiRequest *req, ApiResponse *res, OverTime *o, Error *err)
{
    const EnvelopeQuestion *q = o->question;
    const JobInput *input = &q->document->input;
    Envelope *e = &o->envelope;
    ResultRequest table = {0};
    Instants instants;

    /* the common instants of all members */
    Status status = instants_of(&input->spec, &input->ensemble.design, OVER_TIME_CELLS_MAX,
                                req->arena, &instants, err);
    if (status == OK)
        status = reply_columns(q->ensemble->job.table_columns, req->arena, &table, err);
    if (status != OK)
        return status;
    /* the selected columns */
    const char **names = ARENA_NEW(req->arena, o->of.n_columns, const char *);
    for (size_t c = 0; names && c < o->of.n_columns; c++)
        names[c] = o->of.names[o->of.columns[c]];
    o->shape.n_instants = (size_t)instants.n;
    *e = (Envelope){.names = names,
                    .n_columns = o->of.n_columns,
                    .levels = q->levels,
                    .n_levels = q->n_levels,
                    .t = instants.t,
                    .parts = instants.parts,
                    .n = o->shape.n_instants};
    /* the whole answer is in memory */
    const size_t numbers = e->n * e->n_columns * envelope_width(q->n_levels);
    if (numbers > TOLD_MAX)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "%zu numbers are too many at once: name fewer columns by \"of\", or ask "
                        "for fewer quantiles",
                        numbers);
    status = arena_status(req->arena, err);
    return status == OK
               ? envelope_find_units(e, table.names, table.units, table.n_names, req->arena, err)
               : status;
}

static Status read_part(void *self, size_t part, Arena *arena, OverTimePart **ret_parts,
                        size_t *ret_n, Error *err)
{
    const OverTime *o = self;
    MemberNode *nodes;
    size_t n;

    const Status status = store_member_nodes(o->store, o->question->ensemble->job.id,
                                             (unsigned)part, arena, &nodes, &n, err);
    if (status != OK)
        return status;
    OverTimePart *parts = ARENA_NEW(arena, n, OverTimePart);
    for (size_t k = 0; parts && k < n; k++)
        parts[k] = (OverTimePart){nodes[k].words, nodes[k].n_words};
    *ret_parts = parts;
    *ret_n = n;
    return arena_status(arena, err);
}

static void write_answer(ApiResponse *res, const OverTime *o)
{
    const JobRecord *job = &o->question->ensemble->job;
    JsonWriter w;

    json_writer_init(&w, &res->body);
    json_open_object(&w);
    json_member_unsigned(&w, "members", job->members.total);
    json_member_unsigned(&w, "count", job->members.done);
    json_member_bool(&w, "complete", job->complete);
    envelope_write(&w, &o->envelope);
    json_close_object(&w);
}

Status over_time_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const EnvelopeQuestion *question, Error *err)
{
    OverTime o = {.question = question, .store = ctx->store};

    Status status = choose_columns(req, res, &o, err);
    if (status != OK || reply_not_modified(req, res, &question->ensemble->job) || reply_later(res))
        return status;
    const NodeSource source = {&o, read_part};
    status = make_envelope(req, res, &o, err);
    if (status == OK)
        status = envelope_gather(&o.envelope, o.shape, o.of.columns, &source, req->arena, err);
    if (status == OK)
        write_answer(res, &o);
    return status;
}
