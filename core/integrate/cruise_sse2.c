/* Lanes that cruise, two at a time. */
#define CRUISE_KERNEL cruise_kernel_sse2
#include "core/integrate/cruise_body.h"
