/* What is watched in lanes, eight at a time. */
#define WATCH_KERNEL watch_kernel_avx512
#include "core/model/watch_lanes_body.h"
