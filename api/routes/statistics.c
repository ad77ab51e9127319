/* GET /v1/jobs/{id}/statistics: statistics of the members of an ensemble by columns of its summary,
 * of all members that have ended or those that a condition selects. Sums are exact, so the result
 * does not depend on the order of members. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/ensemble.h"
#include "api/routes/envelopes.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "core/base/memory.h"
#include "core/base/number.h"
#include "core/ensemble/statistics.h"

/* Numbers held by one request; quantiles; bins of a histogram. */
enum { VALUES_MAX = 1 << 25, LEVELS_MAX = 1000, BINS_MAX = 10000 };

/* The question, and the columns of the selected members. */
typedef struct Statistics {
    EnsembleJob ensemble;
    EnsembleDocument document;
    ResultRequest of; /* its columns */
    double *levels;   /* n_levels */
    size_t n_levels;
    int64_t bins; /* 0: no histogram */
    bool conditioned;

    uint64_t selected;
    double **values; /* of.n_columns, each by member: NaN if it is missing */
    double *spare;   /* 2 * members, for pairs and for histograms */
    Budget *budget;
    size_t held;
} Statistics;

/* The question. */

/* Selects the reductions, the default without `of`. */
static Status choose_reductions(const ApiRequest *req, ApiResponse *res, Statistics *s, Error *err)
{
    const JobSpec *spec = &s->document.input.spec;
    size_t *columns = arena_sizes(req->arena, spec->n_reduce);

    if (!columns)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    if (spec->n_reduce == 0)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "name columns by \"of\": this ensemble has no reductions of its own");
    for (size_t k = 0; k < spec->n_reduce; k++) /* behind the number and the varied paths */
        columns[k] = 1 + s->document.input.ensemble.design.n_axes + k;
    s->of.columns = columns;
    s->of.n_columns = spec->n_reduce;
    return OK;
}

static Status read_levels(const ApiRequest *req, ApiResponse *res, Statistics *s, Error *err)
{
    const char *at = api_query(req, "quantiles");

    s->levels = arena_doubles(req->arena, LEVELS_MAX);
    if (!s->levels)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* each level once */
    while (at) {
        double level = -1;
        const size_t length = strcspn(at, ",");
        if (number_parse(at, length, &level) != length || !(level >= 0 && level <= 1))
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "quantiles are numbers from 0 to 1, as in 0.05,0.5,0.95, not \"%.40s\"",
                            at);
        for (size_t k = 0; k < s->n_levels; k++)
            if (s->levels[k] == level)
                return api_fail(res, PROBLEM_PARAMETER, err, "the quantile %g is named twice",
                                level);
        if (s->n_levels == LEVELS_MAX)
            return api_fail(res, PROBLEM_PARAMETER, err, "more than %d quantiles", LEVELS_MAX);
        s->levels[s->n_levels++] = level;
        at = at[length] ? at + length + 1 : NULL;
    }
    return OK;
}

static bool over_time(const ApiRequest *req)
{
    return api_query(req, "over") != NULL;
}

static Status read_question(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                            Statistics *s, Error *err)
{
    Status status = ensemble_open(ctx, req, res, &s->ensemble, err);

    if (status == OK)
        status = ensemble_document(ctx, req, &s->ensemble.job, &s->document, err);
    if (status != OK)
        return status;
    status = read_levels(req, res, s, err);
    if (status != OK || over_time(req))
        return status;
    /* columns of the summary */
    s->of.names = s->ensemble.columns.names;
    s->of.n_names = s->ensemble.columns.n;
    status = api_query(req, "of") ? columns_select(req, res, "of", &s->of, err)
                                  : choose_reductions(req, res, s, err);
    if (status == OK)
        status = api_query_integer(req, res, "bins", 1, BINS_MAX, &s->bins, err);
    if (status == OK && s->of.n_columns + 3 > VALUES_MAX / s->ensemble.job.members.total)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "%zu columns of %" PRIu64 " members are too many at once: name fewer by "
                        "\"of\"",
                        s->of.n_columns, s->ensemble.job.members.total);
    return status;
}

/* Reading the rows. */

static void done(Statistics *s)
{
    for (size_t c = 0; s->values && c < s->of.n_columns; c++)
        free(s->values[c]);
    free(s->values);
    free(s->spare);
    if (s->budget)
        budget_give(s->budget, &s->held);
}

static Status make_room(const ApiContext *ctx, ApiResponse *res, Statistics *s, Error *err)
{
    const size_t members = (size_t)s->ensemble.job.members.total, n = s->of.n_columns;

    /* quantiles also sort a copy */
    if (ctx->downloads &&
        !budget_take(ctx->downloads, &s->held, (n + 3) * members * sizeof(double))) {
        res->retry_after = 1;
        return api_fail(res, PROBLEM_OVERLOADED, err,
                        "there is not enough memory for these numbers at the moment");
    }
    s->budget = ctx->downloads;
    s->values = alloc_array(n, sizeof *s->values);
    s->spare = alloc_array(2 * members, sizeof *s->spare);
    if (!s->values || !s->spare)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t c = 0; c < n; c++) {
        s->values[c] = alloc_array(members, sizeof **s->values);
        if (!s->values[c])
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        for (size_t k = 0; k < members; k++)
            s->values[c][k] = NAN;
    }
    return OK;
}

static void take_block(Statistics *s, const RowsBlock *block, RowExpression *where)
{
    enum { ROWS = 512 };
    const size_t width = s->ensemble.columns.n;
    double holds[ROWS];

    /* in groups of ROWS rows */
    for (uint64_t first = 0; first < block->n_rows; first += ROWS) {
        const double *rows = block->rows + first * width;
        const size_t n = block->n_rows - first < ROWS ? (size_t)(block->n_rows - first) : ROWS;
        if (where)
            row_expression_eval(where, rows, n, holds);
        for (size_t k = 0; k < n; k++) {
            if (where && holds[k] == 0)
                continue;
            s->selected++;
            for (size_t c = 0; c < s->of.n_columns; c++)
                s->values[c][block->first_row + first + k] = rows[k * width + s->of.columns[c]];
        }
    }
}

static Status take_rows(const ApiContext *ctx, Statistics *s, RowExpression *where, Error *err)
{
    SummaryRows *rows = NULL;
    RowsBlock block = {0};
    Status status = ensemble_rows(ctx, &s->ensemble, &rows, err);

    while (status == OK) {
        status = summary_rows_next(rows, block.first_row + block.n_rows, &block, err);
        if (status == OK && block.first_row + block.n_rows > s->ensemble.job.members.total)
            status = error_set(err, ERR_DAMAGED, "a row of a member that does not exist");
        if (status == OK)
            take_block(s, &block, where);
    }
    summary_rows_free(rows);
    return status == ERR_NOT_FOUND ? OK : status;
}

/* Writing the answer. */

/* The number of members with each word. */
static void write_words(JsonWriter *w, const Statistics *s, size_t c)
{
    const ResultWords *words = &s->ensemble.columns.words[s->of.columns[c]];
    const size_t members = (size_t)s->ensemble.job.members.total;

    json_member_object(w, "words");
    for (size_t k = 0; k < words->n; k++) {
        uint64_t count = 0;
        for (size_t i = 0; words->texts[k] && i < members; i++)
            count += s->values[c][i] == (double)k;
        if (count > 0)
            json_member_unsigned(w, words->texts[k], count);
    }
    json_close_object(w);
}

static Status write_quantiles(JsonWriter *w, const Statistics *s, size_t c, Error *err)
{
    double *values = alloc_array(s->n_levels, sizeof *values);
    char level[NUMBER_TEXT_MAX];

    if (!values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the level is the name of its member */
    const Status status = statistics_quantiles(s->values[c], (size_t)s->ensemble.job.members.total,
                                               s->levels, s->n_levels, values, err);
    if (status == OK) {
        json_member_object(w, "quantiles");
        for (size_t k = 0; k < s->n_levels; k++) {
            number_print(s->levels[k], level);
            json_member_number(w, level, values[k]);
        }
        json_close_object(w);
    }
    free(values);
    return status;
}

/* From the least to the greatest finite value. If they are equal, the first bin counts all. */
static Status write_histogram(JsonWriter *w, const Statistics *s, size_t c, Error *err)
{
    const size_t members = (size_t)s->ensemble.job.members.total, bins = (size_t)s->bins;
    uint64_t *counts = alloc_array(bins, sizeof *counts);

    if (!counts)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < members; i++)
        s->spare[i] = isfinite(s->values[c][i]) ? s->values[c][i] : NAN;
    const Moments finite = statistics_moments(s->spare, members);
    if (finite.least < finite.most)
        statistics_histogram(s->spare, members, finite.least, finite.most, bins, counts);
    else
        counts[0] = finite.count;
    /* write */
    json_member_object(w, "histogram");
    json_member_number(w, "from", finite.least);
    json_member_number(w, "to", finite.most);
    json_member_array(w, "counts");
    for (size_t k = 0; k < bins; k++)
        json_put_unsigned(w, counts[k]);
    json_close_array(w);
    json_close_object(w);
    free(counts);
    return OK;
}

/* The Sobol indices of a Saltelli design: the share of the variance that each axis explains alone
 * (first), and with its interactions (total). */
static void write_sobol(JsonWriter *w, const Statistics *s, size_t c)
{
    const DesignSpec *design = &s->document.input.ensemble.design;

    json_member_object(w, "sobol");
    for (size_t a = 0; a < design->n_axes; a++) {
        const SobolIndex index =
            statistics_sobol(s->values[c], (size_t)design->count, design->n_axes, a);
        json_member_object(w, design->axes[a].path);
        json_member_unsigned(w, "count", index.count);
        json_member_number(w, "first", index.first);
        json_member_number(w, "first_error", index.first_error);
        json_member_number(w, "total", index.total);
        json_member_number(w, "total_error", index.total_error);
        json_close_object(w);
    }
    json_close_object(w);
}

static Status write_column(JsonWriter *w, const Statistics *s, size_t c, Error *err)
{
    const size_t column = s->of.columns[c];
    const bool words = s->ensemble.columns.words[column].texts != NULL;
    const Moments m = statistics_moments(s->values[c], (size_t)s->ensemble.job.members.total);
    Status status = OK;

    /* the unit and the numbers of members */
    json_member_object(w, s->of.names[column]);
    if (s->ensemble.columns.units && s->ensemble.columns.units[column])
        json_member_string(w, "unit", s->ensemble.columns.units[column]);
    json_member_unsigned(w, "count", m.count);
    json_member_unsigned(w, "missing", s->selected - m.count);
    /* words are counted, numbers summarized */
    if (words) {
        write_words(w, s, c);
    } else {
        json_member_number(w, "mean", m.mean);
        json_member_number(w, "variance", m.variance);
        json_member_number(w, "min", m.least);
        json_member_number(w, "max", m.most);
        if (s->n_levels > 0)
            status = write_quantiles(w, s, c, err);
        if (status == OK && s->bins > 0)
            status = write_histogram(w, s, c, err);
        if (s->document.input.ensemble.design.kind == DESIGN_SALTELLI && !s->conditioned)
            write_sobol(w, s, c);
    }
    json_close_object(w);
    return status;
}

/* The correlation over members that have both values; NaN if one of the columns does not vary. */
static double correlation(const Statistics *s, size_t a, size_t b, double covariance)
{
    const size_t members = (size_t)s->ensemble.job.members.total;
    double *x = s->spare, *y = s->spare + members;

    for (size_t k = 0; k < members; k++) {
        const bool both = !isnan(s->values[a][k]) && !isnan(s->values[b][k]);
        x[k] = both ? s->values[a][k] : NAN;
        y[k] = both ? s->values[b][k] : NAN;
    }
    const double deviation = sqrt(statistics_moments(x, members).variance) *
                             sqrt(statistics_moments(y, members).variance);
    if (!(deviation > 0 && isfinite(covariance)))
        return NAN;
    if (a == b)
        return 1;
    return fmax(-1, fmin(1, covariance / deviation)); /* only rounding can exceed 1 */
}

/* Writes a matrix over the numeric columns, in the order of the question. */
static void write_pairs(JsonWriter *w, const Statistics *s, bool correlations)
{
    const ResultWords *words = s->ensemble.columns.words;
    const size_t members = (size_t)s->ensemble.job.members.total, n = s->of.n_columns;

    json_member_array(w, correlations ? "correlation" : "covariance");
    for (size_t a = 0; a < n; a++) {
        if (words[s->of.columns[a]].texts)
            continue;
        json_open_array(w);
        for (size_t b = 0; b < n; b++) {
            if (words[s->of.columns[b]].texts)
                continue;
            const double c = statistics_covariance(s->values[a], s->values[b], members);
            json_put_number(w, correlations ? correlation(s, a, b, c) : c);
        }
        json_close_array(w);
    }
    json_close_array(w);
}

static Status write_answer(ApiResponse *res, const Statistics *s, Error *err)
{
    Status status = OK;
    JsonWriter w;

    /* numbers of members, columns, matrices */
    json_writer_init(&w, &res->body);
    json_open_object(&w);
    json_member_unsigned(&w, "members", s->ensemble.job.members.total);
    json_member_unsigned(&w, "count", s->selected);
    json_member_bool(&w, "complete", s->ensemble.job.complete);
    json_member_object(&w, "columns");
    for (size_t c = 0; status == OK && c < s->of.n_columns; c++)
        status = write_column(&w, s, c, err);
    json_close_object(&w);
    if (s->of.n_columns > 1) {
        write_pairs(&w, s, false);
        write_pairs(&w, s, true);
    }
    json_close_object(&w);
    return status;
}

Status members_statistics(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                          Error *err)
{
    Statistics s = {0};
    RowExpression *where = NULL;

    Status status = read_question(ctx, req, res, &s, err);
    if (status == OK)
        status = ensemble_expression(req, res, &s.ensemble, "where", true, &where, err);
    /* over time: at the samples of the trajectories, or of ensemble.over_time */
    if (status == OK && over_time(req)) {
        const EnvelopeQuestion question = {&s.ensemble, &s.document, where, s.levels, s.n_levels};
        status = strcmp(api_query(req, "over"), "time") == 0
                     ? envelopes_reply(ctx, req, res, &question, err)
                     : api_fail(res, PROBLEM_PARAMETER, err, "over must be time");
        row_expression_free(where);
        return status;
    }
    if (status != OK || reply_not_modified(req, res, &s.ensemble.job) || reply_later(res)) {
        row_expression_free(where);
        return status;
    }
    /* otherwise of the summary: the columns are gathered, then written one by one */
    s.conditioned = where != NULL;
    status = make_room(ctx, res, &s, err);
    if (status == OK)
        status = take_rows(ctx, &s, where, err);
    if (status == OK)
        status = write_answer(res, &s, err);
    row_expression_free(where);
    done(&s);
    return status;
}
