/* The files of the web page inside the binary, as tools/embed-ui.sh generates them. */
#ifndef API_UI_DATA_H
#define API_UI_DATA_H

#include <stddef.h>

/* A file is `size` bytes of gzip from UI_BYTES + at on. */
typedef struct UiFile {
    const char *path; /* "app/main.js"; the page itself is "index.html" */
    size_t at, size;
} UiFile;

extern const UiFile UI_FILES[]; /* ends with a path NULL; empty if built with WITH_UI=no */
extern const char UI_HASH[];    /* of all files: a part of their addresses */
extern const char UI_BYTES[];

#endif
