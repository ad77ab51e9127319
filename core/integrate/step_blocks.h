/* Rules of the length of steps, in blocks: of one lane (control.c, approach.c, sizes.c, lane.c) and
 * of many (fast_path_kernel.c). The file that includes it has included program/block_of_one.h or
 * program/blocks.h before. */
#ifndef CORE_INTEGRATE_STEP_BLOCKS_H
#define CORE_INTEGRATE_STEP_BLOCKS_H

#include "core/integrate/limits.h"

/* x^(1/2^k), 2^k being the largest power of two that divides the order. */
RULE Block step_root(Block x, unsigned order)
{
    for (; order % 2 == 0; order /= 2)
        x = BLOCK_SQRT(x);
    return x;
}

/* The next step after an accepted one, h (control.h). root: r of this step; pace: (r r')^(1/8), r'
 * that of the step before; slowed: after a rejection, no growth. */
RULE Block step_after_accepted(Block h, Block root, Block pace, BlockMask slowed)
{
    const Block largest = CONTROL_LARGEST + (Block){0}, smallest = CONTROL_SMALLEST + (Block){0};
    const Block wanted = BLOCK_SELECT(root > 0, CONTROL_SAFETY / root * pace, largest);
    const Block least = BLOCK_LARGER(wanted, smallest);
    const Block factor = BLOCK_SMALLER(least, largest);
    return h * BLOCK_SELECT(slowed & (factor > 1), 1 + (Block){0}, factor);
}

/* The next try after a rejected step; the error may be a NaN. */
RULE Block step_after_rejected(Block h, Block error, Block root)
{
    const Block wanted = CONTROL_SAFETY / root, smallest = CONTROL_SMALLEST + (Block){0};
    const Block shorter = h * BLOCK_LARGER(wanted, smallest);
    return BLOCK_SELECT(BLOCK_FINITE(error), shorter, h * CONTROL_NOT_FINITE);
}

/* Whether an accepted step h tells the length of the next one: not if it was cut short, by an event
 * or the end, unless the next one is longer than the one that was proposed. */
RULE BlockMask step_tells(Block h, Block next, Block proposed)
{
    return (BLOCK_ABSOLUTE(h) > FULL_STEP_FRACTION * BLOCK_ABSOLUTE(proposed)) |
           (BLOCK_ABSOLUTE(next) > BLOCK_ABSOLUTE(proposed));
}

/* How far to look for singular instants beyond a state: some steps, but as far as the states
 * `back` in time tell if one may be near. `margin`: of OdeSystem.horizon; `rejected`: this step
 * was rejected before; `farther`: another reason. */
RULE Block step_outlook(Block next, Block last, Block back, Block margin, BlockMask rejected,
                        BlockMask farther)
{
    const Block length = BLOCK_ABSOLUTE(next), seen = LOOK_AHEAD_HISTORIES * BLOCK_ABSOLUTE(back);
    const Block usual = BLOCK_SMALLER(LOOK_AHEAD_STEPS * length, seen);
    const BlockMask shortened = (length < FULL_STEP_FRACTION * BLOCK_ABSOLUTE(last)) | rejected;
    const BlockMask far = farther | (margin < NEAR_SINGULAR_FRACTION) |
                          (shortened & (margin < NEAR_SINGULAR_IF_SHORTENED));
    return BLOCK_SELECT(far, seen, usual);
}

/* Whether the step has changed so much that the rounding of the rates is to be measured anew. */
RULE BlockMask step_outdates(Block next, Block measured)
{
    const Block length = BLOCK_ABSOLUTE(next);
    return (length > SIZES_OUTDATED * measured) | (length < measured / SIZES_OUTDATED);
}

#endif
