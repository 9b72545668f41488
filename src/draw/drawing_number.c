// Numbers that are worked out: a property of the part or its distance from another, half or a few times of
// it, and a little more or less.
#include "draw/drawing.h"

// 0 where there is no other part.
static int distance_apart(const Scene *s, int part) {
    int best = -1;
    for (int k = 0; k < s->parts.count; k++) {
        int far = drawing_distance(&s->parts.parts[part], &s->parts.parts[k]);
        if (k != part && (best < 0 || far < best)) best = far;
    }
    return best < 0 ? 0 : best;
}

static int worked_out(const Scene *s, int part, int code) {
    static const int8_t more[] = {
        [More_ONE_MORE] = 1, [More_TWO_MORE] = 2, [More_ONE_LESS] = -1, [More_TWO_LESS] = -2};
    int n = code >= Computed_DISTANCE_APART ? distance_apart(s, part)
                                            : s->props[part * PROPS + (code - Computed_ITS) / 50];
    switch (code % 50 / 10) {
    case Multiple_HALVED: n /= 2; break;
    case Multiple_DOUBLED: n *= 2; break;
    case Multiple_TRIPLED: n *= 3; break;
    default: break;
    }
    n += more[code % 10];
    const int most = grid_reach(s->parts.grid);
    return n < -most ? -most : n > most ? most : n;
}

// For a field with the code `base` where its number is 0.
static int work_out(const Scene *s, int part, int16_t *field, int base, int least) {
    int code = *field - base;
    if (code < Computed_ITS) return 0;
    int n = worked_out(s, part, code);
    *field = (int16_t)(base + (n < least ? least : n));
    return code < Computed_DISTANCE_APART ? 10 : 10 + 2 * s->parts.count;
}

int drawing_work_out(const Scene *s, int part, Patch *p) {
    switch (p->kind) {
    case Drawn_BOX: return work_out(s, part, &p->a, 0, -grid_reach(s->parts.grid));
    case Drawn_RINGS: return work_out(s, part, &p->a, 0, 0);
    case Drawn_RAY: return work_out(s, part, &p->c, Stop_FOR, 0);
    case Drawn_BEAM: return work_out(s, part, &p->b, Stop_FOR, 0);
    case Drawn_COPIES: return work_out(s, part, &p->b, Step_EVERY, 0);
    default: return 0;
    }
}
