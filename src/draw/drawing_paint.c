// The colours that are drawn with: of the part, of another part, of the grid, or by a table.
#include <assert.h>

#include "draw/drawing.h"

int drawing_rarest(const Scene *s, int part) {
    int counts_of[10] = {0};
    for (int n = s->first[part]; n < s->first[part + 1]; n++)
        counts_of[s->parts.grid.cells[s->cells[n].row * s->parts.grid.width + s->cells[n].column]]++;
    return colors_by_count(counts_of, -1, true);
}

static int color_inside(const Scene *s, int part) {
    const Part *p = &s->parts.parts[part];
    unsigned others = 0;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            int c = s->parts.grid.cells[i * s->parts.grid.width + j];
            if (c != s->parts.background && c != p->color && c >= 0 && c < 10) others |= 1U << c;
        }
    return colors_only(others);
}

static int nearest_color(const Scene *s, int part) {
    const Part *p = &s->parts.parts[part];
    int best = -1, best_far = 0;
    for (int k = 0; k < s->parts.count; k++) {
        const Part *q = &s->parts.parts[k];
        int far = drawing_distance(p, q);
        if (k != part && q->color != p->color && (best < 0 || far < best_far))
            best = q->color, best_far = far;
    }
    return best;
}

// The colour of the part that has most of a property, or least; -1 where parts of several colours have.
static int extreme_color(const Scene *s, int sign) {
    int best = 0, color = -1;
    for (int k = 0; k < s->parts.count; k++) {
        int v = sign * s->parts.parts[k].size, c = s->parts.parts[k].color;
        if (color == -1 || v > best) best = v, color = c;
        else if (v == best && c != color) color = -2;
    }
    return color < 0 ? -1 : color;
}

static int rarest_color(const Scene *s) {
    int counts_of[10];
    colors_count(s->parts.grid, counts_of);
    return colors_by_count(counts_of, -1, true);
}

int drawing_paint(const Scene *s, int part, const Paint *paint) {
    assert(part >= 0 && part < s->parts.count && paint->entries >= 0 && paint->entries <= PAINT_ENTRIES);
    switch (paint->kind) {
    case Paint_IN_COLOR: return paint->value;
    case Paint_OWN_COLOR: return s->parts.parts[part].color;
    case Paint_BACKGROUND: return s->parts.background;
    case Paint_RAREST_OF_IT: return drawing_rarest(s, part);
    case Paint_COLOR_INSIDE: return color_inside(s, part);
    case Paint_COLOR_TOUCHED: return colors_only((unsigned)s->props[part * PROPS + Property_TOUCHES]);
    case Paint_COLOR_OF_NEAREST: return nearest_color(s, part);
    case Paint_COLOR_OF_LARGEST: return extreme_color(s, 1);
    case Paint_COLOR_OF_SMALLEST: return extreme_color(s, -1);
    case Paint_RAREST_OF_GRID: return rarest_color(s);
    case Paint_BY_TABLE:
        for (int k = 0; k < paint->entries; k++)
            if (s->props[part * PROPS + paint->value] == paint->from[k]) return paint->to[k];
        return -1;
    default: return -1;
    }
}
