/* Sums of stages, four numbers at a time. */
#define COMBINE combine_avx2
#include "core/integrate/combine_body.h"
