/* List scheduling within a window: an operation waits until its operands are probably ready. */
#include "core/program/compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum {
    WINDOW = 24,  /* candidates for the next place */
    DISTANCE = 4, /* places after which a result is probably ready */
};

static const uint32_t WAITING = UINT32_MAX;

typedef struct Schedule {
    const Tape *tape;
    uint32_t *place; /* by value: 1 + its place; WAITING; 0: not an operation of this sequence */
} Schedule;

/* The latest place among the operands of an operation, or WAITING. */
static uint32_t operands_place(const Schedule *schedule, uint32_t value)
{
    const Tape *tape = schedule->tape;
    const TapeEntry *entry = &tape->entries[value];
    uint32_t latest = 0;
    for (size_t k = 0; k < tape_n_operands(entry); k++) {
        uint32_t operand = tape_operand(tape, entry, k);
        if (tape->entries[operand].op == OP_PART)
            operand = tape->entries[operand].arg[0];
        if (schedule->place[operand] > latest)
            latest = schedule->place[operand];
    }
    return latest;
}

/* The best operation for place `now` among the first WINDOW waiting ones, in their order. */
static size_t schedule_choose(const Schedule *schedule, const uint32_t *waiting, size_t n,
                              size_t now)
{
    size_t best = 0;
    uint32_t best_place = WAITING;
    for (size_t k = 0; k < n && k < WINDOW; k++) {
        const uint32_t latest = operands_place(schedule, waiting[k]);
        if (latest == WAITING)
            continue;
        if (latest + DISTANCE <= now + 1 || latest == 0)
            return k;
        if (latest < best_place) {
            best = k;
            best_place = latest;
        }
    }
    return best;
}

Status schedule_values(const Tape *tape, uint32_t *values, size_t n, Error *err)
{
    Schedule schedule = {tape, alloc_array(tape->count, sizeof *schedule.place)};
    if (!schedule.place)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n; k++)
        schedule.place[values[k]] = WAITING;
    for (size_t now = 0; now < n; now++) {
        uint32_t *waiting = values + now;
        const size_t k = schedule_choose(&schedule, waiting, n - now, now);
        const uint32_t chosen = waiting[k];
        memmove(waiting + 1, waiting, k * sizeof *waiting);
        waiting[0] = chosen;
        schedule.place[chosen] = (uint32_t)now + 1;
    }
    free(schedule.place);
    return OK;
}
