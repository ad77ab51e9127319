/* Corrections in lanes, two numbers at a time. */
#define STEP_END_KERNEL step_end_kernel_sse2
#include "core/motion/step_end_lanes_body.h"
