/* The web page and its files. They are public, and the same for everybody: a page asks for a key
 * itself. They stand compressed in the binary. */
#include "api/routes/ui.h"

#include <string.h>

#include "api/gzip.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "api/ui_data.h"

enum { UI_FILE_MAX = 16 << 20 }; /* bytes of an expanded file; the largest has 1.3 MB */

/* Scripts, styles and data from this service alone; no frames, and no HTML made from texts. */
static const char POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

static const UiFile *ui_find(const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    for (const UiFile *file = UI_FILES; file->path; file++)
        if (strncmp(file->path, folder, length) == 0 && file->path[length] == '/' &&
            strcmp(file->path + length + 1, name) == 0)
            return file;
    return NULL;
}

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } TYPES[] = {{".js", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".json", "application/json"},
                 {".svg", "image/svg+xml"},
                 {".woff2", "font/woff2"},
                 {".html", HTML_TYPE}};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof TYPES / sizeof TYPES[0]; i++)
        if (strcmp(ending, TYPES[i].ending) == 0)
            return TYPES[i].type;
    return "text/plain; charset=utf-8"; /* vendor/LICENSES */
}

static bool no_limit(void *self, size_t total)
{
    (void)self;
    (void)total;
    return true;
}

/* The file as it stands, or expanded for a client that does not take gzip. */
static Status reply_file(const ApiRequest *req, ApiResponse *res, const UiFile *file, Error *err)
{
    const char *bytes = UI_BYTES + file->at;
    res->type = type_of(file->path);
    res->verbatim = true;
    if (!gzip_wanted(req))
        return gzip_expand(bytes, file->size, UI_FILE_MAX, no_limit, NULL, &res->body, err);
    api_add_header(res, "Content-Encoding", "gzip");
    text_append(&res->body, bytes, file->size);
    return OK;
}

static const UiFile *page_file(void)
{
    for (const UiFile *file = UI_FILES; file->path; file++)
        if (strcmp(file->path, "index.html") == 0)
            return file;
    return NULL;
}

Status ui_page(const ApiRequest *req, ApiResponse *res, Error *err)
{
    const UiFile *file = page_file();
    if (!file)
        return error_set(err, ERR_NOT_FOUND, "this program was built without the web page");
    api_add_header(res, "Content-Security-Policy", POLICY);
    api_add_header(res, "Cross-Origin-Opener-Policy", "same-origin");
    api_add_header(res, "Cross-Origin-Resource-Policy", "same-origin");
    api_add_header(res, "Referrer-Policy", "no-referrer");
    return reply_tagged(req, res, UI_HASH) ? OK : reply_file(req, res, file, err);
}

Status ui_file(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const UiFile *file = NULL;
    (void)ctx;
    if (strcmp(req->params[0], UI_HASH) == 0)
        file = ui_find(req->params[1], req->params[2]);
    if (!file)
        return error_set(err, ERR_NOT_FOUND,
                         "the web page of this program has no file %.200s; load the page again",
                         req->path);
    api_add_header(res, "Cache-Control", "public, max-age=31536000, immutable");
    api_add_header(res, "Cross-Origin-Resource-Policy", "same-origin");
    return reply_file(req, res, file, err);
}

Status ui_client(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const UiFile *file = ui_find("client", req->params[0]);
    (void)ctx;
    if (!file)
        return error_set(err, ERR_NOT_FOUND,
                         "the client has no module %.200s; begin with /client/dalembert.js",
                         req->params[0]);
    return reply_tagged(req, res, UI_HASH) ? OK : reply_file(req, res, file, err);
}
