/* Corrections in lanes, four numbers at a time. */
#define STEP_END_KERNEL step_end_kernel_avx2
#include "core/motion/step_end_lanes_body.h"
