/* The running program and its machine: the build id that the linker wrote into it, and the name of
 * the machine. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "server/origin.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NOTE_ALIGN = 4 };

static size_t aligned(size_t size)
{
    return (size + NOTE_ALIGN - 1) / NOTE_ALIGN * NOTE_ALIGN;
}

/* Finds the build id among the notes in memory, in hexadecimal. */
static void find_build(const char *notes, size_t size, char *ret_build, size_t room)
{
    ElfW(Nhdr) note;

    while (size >= sizeof note) {
        /* read a note */
        memcpy(&note, notes, sizeof note);
        const size_t length = sizeof note + aligned(note.n_namesz) + aligned(note.n_descsz);
        const char *name = notes + sizeof note;
        const char *id = name + aligned(note.n_namesz);
        if (length > size)
            return;
        /* the build id */
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            memcmp(name, "GNU", sizeof "GNU") == 0 && 2 * (size_t)note.n_descsz < room) {
            for (size_t k = 0; k < note.n_descsz; k++)
                snprintf(ret_build + 2 * k, 3, "%02x", (unsigned char)id[k]);
            return;
        }
        notes += length;
        size -= length;
    }
}

/* The first object is the program itself. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *self)
{
    Origin *origin = self;
    (void)size;

    for (size_t k = 0; k < info->dlpi_phnum && !*origin->build; k++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[k];
        if (header->p_type == PT_NOTE)
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells a number */
            find_build((const char *)(info->dlpi_addr + header->p_vaddr), header->p_memsz,
                       origin->build, sizeof origin->build);
    }
    return 1;
}

void origin_find(Origin *ret_origin)
{
    *ret_origin = (Origin){0};
    dl_iterate_phdr(look_at_program, ret_origin);
    if (gethostname(ret_origin->host, sizeof ret_origin->host - 1) != 0)
        *ret_origin->host = '\0';
}
