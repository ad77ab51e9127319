/* Feeds files to a harness: what fuzzing has found once is looked at in every `make check`. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    Text text = TEXT_INIT;
    char buffer[4096];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_append(&text, buffer, n);
    fclose(file);
    /* a copy of the exact size, so that the address sanitizer sees every step beyond it */
    uint8_t *data = malloc(text.length ? text.length : 1);
    REQUIRE(data && text_ok(&text), "out of memory");
    if (text.length > 0)
        memcpy(data, text.data, text.length);
    LLVMFuzzerTestOneInput(data, text.length);
    free(data);
    text_done(&text);
}

/* Replays a file, or all files of a directory; returns how many. */
static size_t replay(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) {
        replay_file(path);
        return 1;
    }
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        Text file = TEXT_INIT;
        text_printf(&file, "%s/%s", path, entry->d_name);
        replay_file(text_string(&file));
        text_done(&file);
        n++;
    }
    closedir(directory);
    return n;
}

int main(int argc, char **argv)
{
    size_t n = 0;
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        n += replay(argv[i]);
    printf("%s: %zu inputs\n", argv[0], n);
    return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
