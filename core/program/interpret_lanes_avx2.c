/* Lanes, four at a time. */
#include "core/program/vec_avx2.h"

#include "core/program/interpret_lanes_body.h"

void interpret_lanes_avx2(const ProgramSequence *sequence, Rows rows, size_t lanes)
{
    interpret_lanes(sequence, rows, lanes);
}
