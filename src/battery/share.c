#include "battery/share.h"

#include <stdlib.h>

bool share_init(Share *s, uint32_t nodes) {
    uint32_t room = 64;
    while (room < nodes * 2) room *= 2;
    s->mask = room - 1;
    s->done = calloc(room, sizeof *s->done);
    return s->done != NULL;
}

void share_free(Share *s) { free(s->done); }

void share_begin(Share *s) {
    if (s->count) memset(s->done, 0, (s->mask + 1) * sizeof *s->done);
    s->count = 0;
}

bool share_pays(int op) {
    if (op < 0) return true; // a function value that is called
    const OpInfo *info = &ops_table[op];
    return strcmp(info->family, "mapping") == 0 || strcmp(info->result, "Objects") == 0 ||
           op == OP_occurrences || op == OP_product;
}
