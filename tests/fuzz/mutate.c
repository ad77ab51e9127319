/* Mutations of JSON documents that leave them JSON, for the harnesses behind the JSON parser: most
 * changes of single bytes would end there. */
#include <cjson/cJSON.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { ITEMS_MOST = 2000, TEXT_MOST = 400, NUMBERS = 12 };

/* All values of a document but the whole. */
typedef struct Items {
    cJSON *items[ITEMS_MOST], *parents[ITEMS_MOST];
    size_t n;
} Items;

static void collect(Items *items, cJSON *tree)
{
    size_t next = 0;
    cJSON *parent = tree;
    for (;;) {
        for (cJSON *item = parent->child; item && items->n < ITEMS_MOST; item = item->next) {
            items->items[items->n] = item;
            items->parents[items->n++] = parent;
        }
        if (next == items->n)
            return;
        parent = items->items[next++];
    }
}

static size_t below(Random *random, size_t n)
{
    return (size_t)(random_bits(random) % n);
}

static cJSON *mutated_text(const cJSON *item)
{
    uint8_t text[TEXT_MOST + 1];
    size_t length = strlen(item->valuestring);
    if (length > TEXT_MOST)
        return NULL;
    memcpy(text, item->valuestring, length);
    length = LLVMFuzzerMutate(text, length, TEXT_MOST);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : ' ';
    text[length] = '\0';
    return cJSON_CreateString((const char *)text);
}

static cJSON *mutated_number(const cJSON *item, Random *random)
{
    static const double VALUES[NUMBERS] = {0,    1,     -1,      2,    0.5,        1e-8,
                                           1e10, 1e300, -1e-300, 3.25, 2147483648, 1e16};
    double value = VALUES[below(random, NUMBERS)];
    return cJSON_CreateNumber(below(random, 2) ? value : item->valuedouble * value + value);
}

static cJSON *mutated(const cJSON *item, Random *random)
{
    if (cJSON_IsString(item))
        return mutated_text(item);
    if (cJSON_IsNumber(item))
        return mutated_number(item, random);
    if (cJSON_IsBool(item))
        return cJSON_CreateBool(!cJSON_IsTrue(item));
    return NULL;
}

static void replace(cJSON *parent, cJSON *item, cJSON *by)
{
    if (by && cJSON_IsObject(parent)) {
        char *name = strdup(item->string);
        cJSON_ReplaceItemInObjectCaseSensitive(parent, name, by);
        free(name);
    } else if (by) {
        cJSON_ReplaceItemViaPointer(parent, item, by);
    }
}

static void mutate_once(cJSON *tree, Random *random)
{
    static Items items;
    items.n = 0;
    collect(&items, tree);
    if (items.n == 0)
        return;
    size_t i = below(random, items.n), k = below(random, items.n);
    cJSON *item = items.items[i], *parent = items.parents[i], *other = items.items[k];
    switch (below(random, 10)) {
    case 0:
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, item));
        break;
    case 1: /* another value of the document in its place */
        replace(parent, item, cJSON_Duplicate(other, true));
        break;
    case 2: /* once more, in a list */
        if (cJSON_IsArray(parent))
            cJSON_AddItemToArray(parent, cJSON_Duplicate(item, true));
        break;
    case 3: /* a member of one object in another */
        if (cJSON_IsObject(parent) && other->string &&
            !cJSON_GetObjectItemCaseSensitive(parent, other->string))
            cJSON_AddItemToObject(parent, other->string, cJSON_Duplicate(other, true));
        break;
    default:
        replace(parent, item, mutated(item, random));
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    Random random;
    random_init(&random, seed);
    cJSON *tree = below(&random, 8) ? cJSON_ParseWithLength((const char *)data, size) : NULL;
    if (!tree || !tree->child) {
        cJSON_Delete(tree);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    for (size_t n = 1 + below(&random, 3); n > 0; n--)
        mutate_once(tree, &random);
    char *text = cJSON_PrintUnformatted(tree);
    size_t length = text ? strlen(text) : 0;
    if (length > 0 && length <= max_size)
        memcpy(data, text, length);
    else
        length = LLVMFuzzerMutate(data, size, max_size);
    cJSON_free(text);
    cJSON_Delete(tree);
    return length;
}
