/* Sums of stages, two numbers at a time. */
#define COMBINE combine_sse2
#include "core/integrate/combine_body.h"
