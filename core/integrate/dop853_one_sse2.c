/* Steps of one lane, two numbers at a time. */
#define DOP853_ONE dop853_one_sse2
#include "core/integrate/dop853_one_body.h"
