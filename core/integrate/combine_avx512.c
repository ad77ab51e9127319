/* Sums of stages, eight numbers at a time. */
#define COMBINE combine_avx512
#include "core/integrate/combine_body.h"
