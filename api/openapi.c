#include "api/openapi.h"

/* The assembler reads the file; nothing has to convert it. */
__asm__(".section .rodata\n"
        ".global OPENAPI_TEXT\n"
        ".global OPENAPI_END\n"
        "OPENAPI_TEXT:\n"
        ".incbin \"api/openapi.json\"\n"
        "OPENAPI_END:\n"
        ".byte 0\n"
        ".text\n");
