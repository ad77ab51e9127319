/* What is watched in lanes, two at a time. */
#define WATCH_KERNEL watch_kernel_sse2
#include "core/model/watch_lanes_body.h"
