/* Inside core/: the parts of one step, looked at from its begin on. A part about which nothing can
 * be told is halved. Features, corners and reductions of a motion ask about parts in this order:
 *
 *     step_parts_begin(&parts, items, room);
 *     while (step_parts_next(&parts, &part))
 *         if (.. nothing can be told of part ..)
 *             step_parts_halve(&parts, &part);
 */
#ifndef CORE_LINEAR_STEP_PARTS_H
#define CORE_LINEAR_STEP_PARTS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/integrate/ode.h"

/* From `from` to `to`, in lengths of the step. */
typedef struct StepPart {
    double from, to;
    int halvings;
} StepPart;

typedef struct StepParts {
    StepPart *items; /* the last one is the next */
    size_t n, room;
} StepParts;

/* The whole step. items[room] is borrowed. */
static inline void step_parts_begin(StepParts *parts, StepPart *items, size_t room)
{
    items[0] = (StepPart){0, 1, 0};
    *parts = (StepParts){.items = items, .n = 1, .room = room};
}

/* False: no part is left. */
static inline bool step_parts_next(StepParts *parts, StepPart *ret)
{
    if (parts->n == 0)
        return false;
    *ret = parts->items[--parts->n];
    return true;
}

/* Is there room for the halves of the part that was taken last? */
static inline bool step_parts_have_room(const StepParts *parts)
{
    return parts->n + 2 <= parts->room;
}

static inline double step_part_middle(const StepPart *part)
{
    return part->from + (part->to - part->from) / 2;
}

/* The halves of the part that was taken last are looked at next. */
static inline void step_parts_halve(StepParts *parts, const StepPart *part)
{
    const double middle = step_part_middle(part);

    parts->items[parts->n++] = (StepPart){middle, part->to, part->halvings + 1};
    parts->items[parts->n++] = (StepPart){part->from, middle, part->halvings + 1};
}

/* Is the part so short that rounding of t hides what is in it? 64 units in the last place: those of
 * the ends, and of the places within that are told apart. */
static inline bool step_part_is_shortest(const OdeArc *arc, const StepPart *part)
{
    return (part->to - part->from) * fabs(arc->h) <=
           64 * DBL_EPSILON * fmax(fabs(arc->t), fabs(arc->t + arc->h));
}

#endif
