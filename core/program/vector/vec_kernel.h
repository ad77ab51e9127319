/* Vectors of the instruction set that a kernel is compiled for (kernels.h). */
#if defined __AVX512F__
#include "core/program/vector/vec_avx512.h"
#elif defined __AVX2__
#include "core/program/vector/vec_avx2.h"
#else
#include "core/program/vector/vec_sse2.h"
#endif
