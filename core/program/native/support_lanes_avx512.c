/* Lanes, eight at a time. */
#include "core/program/vec_avx512.h"

#include "core/program/native/support_lanes_body.h"

#define SUPPORT native_support_lanes_avx512
#include "core/program/native/support_body.h"
