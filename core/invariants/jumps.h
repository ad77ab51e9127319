/* Jumps: what the rate of a quantity, made of derivatives, does not show.
 *
 * The derivative of if(x < 1, a, b) is that of the branch that is taken: what happens where the branch
 * changes is not in it. Wherever a - b is not zero at x = 1 a motion that goes through meets an impulse,
 * or a quantity that is no longer what it was, and a rate that vanishes proves nothing. */
#ifndef CORE_INVARIANTS_JUMPS_H
#define CORE_INVARIANTS_JUMPS_H

#include "core/invariants/analysis.h"

/* After a verdict of yes on the rate of a quantity, by verdict_predict(). It stays where neither L nor
 * a constraint nor the quantity is proved to jump, or what jumps cannot tell; it becomes no where a
 * ball proves that the quantity jumps at a state through which a motion goes; else undecided. */
Status jumps_settle(const AnalysisContext *context, ExprPool *pool, const Quantity *quantity,
                    Verdict *verdict, Error *err) MUST_CHECK;

#endif
