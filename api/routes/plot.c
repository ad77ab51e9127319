/* GET /v1/jobs/{id}/plot.svg: columns of a trajectory, or of an event's table, as a drawing. */
#include "api/plot/plot.h"

#include <string.h>

#include "api/documents/extremes.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "api/routes/stored_rows.h"
#include "api/routes/trajectory.h"

enum {
    WIDTH = 640,
    HEIGHT = 400,
    ROWS_MOST = 50000 /* rows of a plot that is not over time; more are thinned by a stride */
};

typedef struct PlotRequest {
    TrajectoryRows rows;
    ResultRequest x, y; /* with the same rows */
    bool over_time;     /* x is the first column of a trajectory */
    Plot plot;
} PlotRequest;

/* Selects the coordinates: the columns behind the time up to the first velocity. */
static Status select_coordinates(const ApiRequest *req, ResultRequest *request, Error *err)
{
    size_t *columns = arena_alloc(req->arena, PLOT_CURVES_MAX, sizeof *columns), n = 0;

    if (!columns)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t c = 1; c < request->n_names && n < PLOT_CURVES_MAX; c++) {
        if (n > 0 && strncmp(request->names[c], "dot(", 4) == 0)
            break;
        columns[n++] = c;
    }
    request->columns = columns;
    request->n_columns = n;
    return OK;
}

static Status select_curves(const ApiRequest *req, ApiResponse *res, PlotRequest *plot, Error *err)
{
    static const size_t TIME[] = {0};

    /* x is the time by default, y the coordinates */
    Status status = columns_select(req, res, "x", &plot->x, err);
    if (status == OK && !plot->x.columns) {
        plot->x.columns = TIME;
        plot->x.n_columns = 1;
    }
    if (status == OK)
        status = api_query(req, "y") ? columns_select(req, res, "y", &plot->y, err)
                                     : select_coordinates(req, &plot->y, err);
    /* their numbers */
    if (status == OK && plot->x.n_columns != 1)
        return api_fail(res, PROBLEM_PARAMETER, err, "x is one column, not %zu", plot->x.n_columns);
    if (status == OK && plot->y.n_columns > PLOT_CURVES_MAX)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "y names %zu columns, but a plot has at most %d, one for each color",
                        plot->y.n_columns, PLOT_CURVES_MAX);
    return status;
}

/* A parameter that is one of two words. If it is absent, *ret keeps its value. */
static Status select_word(const ApiRequest *req, ApiResponse *res, const char *name, const char *no,
                          const char *yes, bool *ret, Error *err)
{
    const char *word = api_query(req, name);

    if (word && strcmp(word, no) != 0 && strcmp(word, yes) != 0)
        return api_fail(res, PROBLEM_PARAMETER, err, "%s is \"%s\" or \"%s\"", name, no, yes);
    if (word)
        *ret = strcmp(word, yes) == 0;
    return OK;
}

/* May both axes have the same scale? Not over time, and not if units are known to differ (a second
 * has no length beside a meter). */
static bool one_scale(const PlotRequest *request)
{
    const char *const *units = request->x.units;
    const size_t x = request->x.columns[0];
    bool equal = x != 0;

    for (size_t c = 0; units && equal && c < request->y.n_columns; c++) {
        const size_t y = request->y.columns[c];
        equal = units[x] && units[y] && strcmp(units[x], units[y]) == 0;
    }
    return equal;
}

static Status select_look(const ApiRequest *req, ApiResponse *res, PlotRequest *request, Error *err)
{
    Plot *plot = &request->plot;
    int64_t width = WIDTH, height = HEIGHT;

    Status status =
        api_query_integer(req, res, "width", PLOT_SIDE_LEAST, PLOT_SIDE_MOST, &width, err);
    if (status == OK)
        status =
            api_query_integer(req, res, "height", PLOT_SIDE_LEAST, PLOT_SIDE_MOST, &height, err);
    if (status == OK)
        status = select_word(req, res, "theme", "light", "dark", &plot->dark, err);
    /* the defaults depend on the columns and the table */
    request->over_time = request->x.columns[0] == 0 && request->rows.table == TRAJECTORY;
    plot->equal = one_scale(request);
    plot->over_time = request->x.columns[0] == 0;
    if (status == OK)
        status = select_word(req, res, "aspect", "fill", "equal", &plot->equal, err);
    plot->dots = request->rows.table != TRAJECTORY;
    if (status == OK)
        status = select_word(req, res, "style", "line", "dots", &plot->dots, err);
    plot->width = (unsigned)width;
    plot->height = (unsigned)height;
    return status;
}

/* Copies the selected columns of the rows, each into its own array. */
static Status gather(const PlotRequest *request, const RowsSource *source, uint64_t first,
                     uint64_t stride, size_t n, double *ret_x, double *ret_y, Error *err)
{
    const size_t n_names = request->x.n_names;
    RowsBlock block = {0};

    for (size_t k = 0; k < n; k++) {
        const uint64_t row = first + k * stride;
        /* the block of this row */
        if (row < block.first_row || row - block.first_row >= block.n_rows) {
            Status status = source->block(source->self, row, &block, err);
            if (status != OK)
                return status;
        }
        const double *values = block.rows + (row - block.first_row) * n_names;
        ret_x[k] = values[request->x.columns[0]];
        for (size_t c = 0; c < request->y.n_columns; c++)
            ret_y[c * n + k] = values[request->y.columns[c]];
    }
    return OK;
}

/* The name with its unit: "x [cm]". */
static const char *label(const ApiRequest *req, const ResultRequest *request, size_t c)
{
    const char *name = request->names[c], *unit = request->units ? request->units[c] : NULL;
    return unit ? arena_printf(req->arena, "%s [%s]", name, unit) : name;
}

static Status set_columns(const ApiRequest *req, PlotRequest *request, size_t n, double **ret_x,
                          double **ret_y, Error *err)
{
    const size_t n_y = request->y.n_columns;
    PlotColumn *columns = arena_alloc(req->arena, n_y, sizeof *columns);
    Text title = TEXT_INIT;

    *ret_x = arena_alloc(req->arena, n + 1, sizeof **ret_x);
    *ret_y = arena_alloc(req->arena, n_y * n + 1, sizeof **ret_y);
    if (*request->rows.job.model_name)
        text_printf(&title, "%s: ", request->rows.job.model_name);
    /* the title names the model and all columns */
    for (size_t c = 0; c < n_y && columns && *ret_y; c++) {
        const size_t column = request->y.columns[c];
        columns[c] = (PlotColumn){label(req, &request->y, column), *ret_y + c * n};
        text_printf(&title, "%s%s", c ? ", " : "", request->y.names[column]);
    }
    request->plot.x = (PlotColumn){label(req, &request->x, request->x.columns[0]), *ret_x};
    request->plot.y = columns;
    request->plot.n_y = n_y;
    request->plot.n = n;
    text_printf(&title, " over %s", request->x.names[request->x.columns[0]]);
    request->plot.title = text_keep(&title, req->arena);
    if (arena_failed(req->arena) || !request->plot.title)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return OK;
}

/* Loads the rows of the plot. Over time, a pixel has at most two rows, which keep the extremes.
 * Other plots take rows at a fixed stride. */
static Status load_rows(const ApiContext *ctx, const ApiRequest *req, PlotRequest *request,
                        Error *err)
{
    const uint64_t n_rows = request->x.end - request->x.first, buckets = request->plot.width;
    const uint64_t few = request->over_time ? extremes_rows(n_rows, buckets) : n_rows;
    uint64_t first = request->x.first, stride = 1;
    void (*free_source)(void *self) = stored_rows_free;
    double *x, *y;
    RowsSource source;

    /* a curve in a plane has at most ROWS_MOST rows */
    if (!request->over_time && n_rows > ROWS_MOST)
        stride = (n_rows + ROWS_MOST - 1) / ROWS_MOST;
    const size_t n = (size_t)((few + stride - 1) / stride);
    Status status = set_columns(req, request, n, &x, &y, err);
    if (status == OK)
        status = stored_rows_new(ctx->store, request->rows.job.id, ROWS_OF_JOB, request->rows.table,
                                 0, &source, err);
    if (status != OK)
        return status;
    /* over time, each pixel column keeps its least and its largest value */
    if (few < n_rows) {
        const RowsSource all = source;
        status = extremes_new(&all, stored_rows_free, request->x.n_names, first, n_rows, buckets,
                              &source, err);
        if (status != OK)
            return status;
        free_source = extremes_free;
        first = 0;
    }
    status = gather(request, &source, first, stride, n, x, y, err);
    free_source(source.self);
    return status;
}

Status jobs_plot(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    PlotRequest request = {0};

    Status status = store_job_get(ctx->store, req->params[0], req->arena, &request.rows.job, err);
    if (status == OK && request.rows.job.members.total > 0)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "an ensemble has no trajectory of its own: post the document of GET "
                        "/v1/jobs/{id}/members/{k} and plot that job");
    if (status == OK && !request.rows.job.columns)
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: there is nothing to plot before its run starts",
                        job_state_name(request.rows.job.state));
    /* the table, the columns and the look */
    if (status == OK)
        status = trajectory_open(ctx, req, res, &request.rows, &request.x, err);
    request.y = request.x;
    if (status == OK && request.rows.scene)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "there are no plots of " SCENE_TABLE ": draw its rows, or name columns");
    if (status == OK)
        status = select_curves(req, res, &request, err);
    if (status == OK)
        status = select_look(req, res, &request, err);
    if (status != OK || reply_not_modified(req, res, &request.rows.job) || reply_later(res))
        return status;
    /* load and draw */
    status = load_rows(ctx, req, &request, err);
    if (status != OK)
        return status;
    res->type = "image/svg+xml";
    plot_write(&request.plot, &res->body);
    return text_ok(&res->body) ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}
