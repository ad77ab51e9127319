/* Members a fixed stride apart have the successive values of an axis; the last axis runs
 * fastest. */
#include "api/documents/grid_axes.h"

#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "core/base/memory.h"
#include "core/base/number.h"

enum { PIECE = 1000 }; /* values */

struct GridAxes {
    Arena memory; /* owns the copies */
    DesignSpec grid;
    Design *design;
    double *values; /* n_axes: of one member */
    size_t axis;    /* the next axis to write, from value `next` on, with this `stride` */
    uint64_t next, stride;
    Budget *budget;
    size_t held;
};

static void copy_axes(GridAxes *g, const DesignSpec *grid)
{
    DesignAxis *axes = ARENA_NEW(&g->memory, grid->n_axes, DesignAxis);

    for (size_t a = 0; axes && a < grid->n_axes; a++) {
        const DesignAxis *axis = &grid->axes[a];
        axes[a] = *axis;
        axes[a].path = arena_strdup(&g->memory, axis->path);
        if (axis->kind != AXIS_LIST)
            continue;
        axes[a].list = arena_copy_doubles(&g->memory, axis->list, (size_t)axis->count);
        if (g->budget)
            budget_take_anyway(g->budget, &g->held,
                               g->held + (size_t)axis->count * sizeof *axis->list);
    }
    g->grid = *grid;
    g->grid.axes = axes;
}

Status grid_axes_new(const DesignSpec *grid, Budget *budget, GridAxes **ret_axes, Error *err)
{
    GridAxes *g = alloc_array(1, sizeof *g);

    if (!g)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *g = (GridAxes){.budget = budget};
    copy_axes(g, grid);
    /* the design computes the values */
    g->values = arena_doubles(&g->memory, grid->n_axes);
    Status status = arena_status(&g->memory, err);
    if (status == OK)
        status = design_new(&g->grid, UINT64_MAX, &g->memory, &g->design, err);
    if (status != OK) {
        grid_axes_free(g);
        return status;
    }
    g->stride = design_count(g->design);
    *ret_axes = g;
    return OK;
}

void grid_axes_free(GridAxes *g)
{
    if (!g)
        return;
    if (g->budget)
        budget_give(g->budget, &g->held);
    arena_done(&g->memory);
    free(g);
}

static void begin_axis(GridAxes *g, Text *out)
{
    const DesignAxis *axis = &g->grid.axes[g->axis];

    g->stride /= axis->count;
    text_puts(out, g->axis ? ",{\"path\":" : "[{\"path\":");
    json_quote(out, axis->path, strlen(axis->path));
    text_puts(out, ",\"values\":[");
}

bool grid_axes_write(void *self, Text *out)
{
    GridAxes *g = self;
    const uint64_t count = g->grid.axes[g->axis].count;

    if (g->next == 0)
        begin_axis(g, out);
    /* a piece of the values */
    for (size_t k = 0; k < PIECE && g->next < count; k++, g->next++) {
        if (g->next)
            text_putc(out, ',');
        design_values(g->design, g->next * g->stride, g->values);
        text_number(out, g->values[g->axis]);
    }
    /* the end of the axis, or of all axes */
    if (g->next < count)
        return false;
    text_puts(out, "]}");
    g->next = 0;
    if (++g->axis < g->grid.n_axes)
        return false;
    text_putc(out, ']');
    return true;
}
