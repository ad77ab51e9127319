/* Corrections in lanes, eight numbers at a time. */
#define STEP_END_KERNEL step_end_kernel_avx512
#include "core/motion/step_end_lanes_body.h"
