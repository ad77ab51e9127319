/* Lanes that cruise, four at a time. */
#define CRUISE_KERNEL cruise_kernel_avx2
#include "core/integrate/cruise_body.h"
