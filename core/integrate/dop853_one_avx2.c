/* Steps of one lane, four numbers at a time. */
#define DOP853_ONE dop853_one_avx2
#include "core/integrate/dop853_one_body.h"
