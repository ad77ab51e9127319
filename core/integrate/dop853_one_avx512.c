/* Steps of one lane, eight numbers at a time. */
#define DOP853_ONE dop853_one_avx512
#include "core/integrate/dop853_one_body.h"
