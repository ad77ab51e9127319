/* The contract api/openapi.json, included in the binary unchanged. */
#include "api/openapi.h"

/* The assembler includes the file, so no tool has to convert it. */
__asm__(".pushsection .rodata\n"
        ".balign 8\n"
        ".global OPENAPI_SIZE\n"
        "OPENAPI_SIZE:\n"
        ".quad 2f - 1f\n"
        ".global OPENAPI_TEXT\n"
        "OPENAPI_TEXT:\n"
        "1:\n"
        ".incbin \"api/openapi.json\"\n"
        "2:\n"
        ".byte 0\n"
        ".popsection\n");
