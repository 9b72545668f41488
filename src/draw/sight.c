// Sights: parts, numbered through, and the choices among them.
#include "draw/sight.h"

#include <string.h>

static void choose(const Sight *s, int samples, const Selector *selector, uint64_t *set) {
    bool chosen[SCENE_MOST_PARTS];
    memset(set, 0, (size_t)s->words * sizeof *set);
    for (int k = 0; k < samples; k++) {
        selector_apply(selector, s->scenes[k].parts.count, s->scenes[k].props, chosen);
        for (int n = 0; n < s->scenes[k].parts.count; n++)
            if (chosen[n]) set_add(set, s->first[k] + n);
    }
}

static bool any_below(const uint64_t *set, int n) {
    for (int k = 0; k < n / 64; k++)
        if (set[k]) return true;
    return n % 64 && set[n / 64] & ((1ULL << n % 64) - 1);
}

// Keeps a selector unless a cheaper one takes the same parts. Those that take no part of a demo are of no
// use.
static void add_choice(Quest *q, Sight *s, const Selector *selector, int cost) {
    uint64_t *set = s->chosen + (size_t)s->choice_count * (size_t)s->words;
    choose(s, q->samples, selector, set);
    quest_spend(q, 10 + 4 * s->parts);
    if (!any_below(set, s->first[q->demos])) return;
    size_t bytes = (size_t)s->words * sizeof *set;
    for (int k = 0; k < s->choice_count; k++)
        if (memcmp(s->chosen + (size_t)k * (size_t)s->words, set, bytes) == 0) {
            if (cost < s->choices[k].cost) s->choices[k] = (SightChoice){*selector, cost};
            return;
        }
    s->choices[s->choice_count++] = (SightChoice){*selector, cost};
}

static bool find_choices(Quest *q, Sight *s) {
    s->choices = TAKE(q, SightChoice, SIGHT_CHOICES + 1);
    s->chosen = TAKE(q, uint64_t, (SIGHT_CHOICES + 1) * s->words);
    Costed *conditions = TAKE(q, Costed, CONDITIONS_MOST);
    int *parts = TAKE(q, int, q->samples);
    const int **props = TAKE(q, const int *, q->samples);
    if (!s->choices || !s->chosen || !conditions || !parts || !props) return false;
    for (int k = 0; k < q->samples; k++) parts[k] = s->scenes[k].parts.count, props[k] = s->scenes[k].props;
    int n = conditions_for(q->demos, parts, props, conditions);
    Selector selector = {0};
    add_choice(q, s, &selector, 0);
    selector.count = 1;
    for (int k = 0; k < n && s->choice_count < SIGHT_CHOICES; k++) {
        selector.at[0] = conditions[k].condition;
        add_choice(q, s, &selector, conditions[k].cost);
    }
    int singles = s->choice_count;
    selector.count = 2;
    for (int k = 1; k < singles; k++)
        for (int l = 1; l < singles; l++) {
            int cost = s->choices[k].cost + s->choices[l].cost + 5;
            if (cost > 32 || k == l || s->choice_count == SIGHT_CHOICES) continue;
            selector.at[0] = s->choices[k].selector.at[0];
            selector.at[1] = s->choices[l].selector.at[0];
            add_choice(q, s, &selector, cost);
        }
    return true;
}

static bool shows_the_same(const Sight *a, const Sight *b, int samples) {
    if (a->parts != b->parts) return false;
    for (int k = 0; k < samples; k++) {
        const Parts *p = &a->scenes[k].parts, *o = &b->scenes[k].parts;
        if (memcmp(p->label, o->label, (size_t)(p->grid.height * p->grid.width) * sizeof *p->label))
            return false;
    }
    return true;
}

bool sight_of(Quest *q, const ts_grid *grids, PartsKind kind, const Sight *const *others, int count,
              Sight *s) {
    *s = (Sight){.kind = kind};
    s->scenes = TAKE(q, Scene, q->samples);
    s->first = TAKE(q, int, q->samples + 1);
    if (!s->scenes || !s->first) return false;
    for (int k = 0; k < q->samples; k++) {
        s->first[k] = s->parts;
        if (!scene_of(&q->arena, grids[k], kind, &s->scenes[k])) return false;
        s->parts += s->scenes[k].parts.count;
        quest_spend(q, s->scenes[k].parts.count * 2000);
    }
    s->first[q->samples] = s->parts;
    if (s->parts > SIGHT_PARTS || s->first[q->demos] == 0 || q->units <= 0) return false;
    for (int k = 0; k < count; k++)
        if (shows_the_same(others[k], s, q->samples)) return false;
    s->words = s->parts / 64 + 1;
    return find_choices(q, s);
}

void sight_print_which(Text *t, PartsKind kind, const Selector *s) {
    text_print(t, "(%d, (", (int)kind);
    for (int k = 0; k < s->count; k++) {
        const Condition *c = &s->at[k];
        text_print(t, "(%d, %d, %d, %d)%s", c->prop, c->test, c->value, c->negated,
                   k + 1 < s->count ? ", "
                   : s->count == 1  ? ","
                                    : "");
    }
    text_add(t, "))");
}

void sight_print_paint(Text *t, const Paint *p) {
    if (p->kind != Paint_BY_TABLE) {
        text_print(t, "(%d, %d)", p->kind, p->value);
        return;
    }
    text_print(t, "(%d, %d, (", p->kind, p->value);
    for (int k = 0; k < p->entries; k++)
        text_print(t, "(%d, %d)%s", p->from[k], p->to[k],
                   k + 1 < p->entries ? ", "
                   : p->entries == 1  ? ","
                                      : "");
    text_add(t, "))");
}
