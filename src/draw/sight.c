// Sights: parts, numbered through, and the choices among them.
#include "draw/sight.h"

#include <string.h>

#include "base/hash.h"

// The choices being found. A set of parts is found for a condition over all samples at once; where a second
// condition narrows the first, and looks at each part by itself, both sets have to meet.
typedef struct {
    Quest *q;
    Sight *s;
    uint64_t *hashes; // of the sets
    int16_t *single;  // of each choice: the one that takes what its first condition takes
    int prop;         // the property that is looked at,
    int *mine;        // what it is for each part,
    int *alike;       // and how many parts of the grid have that, where it was counted
    bool counted;
} Chooser;

static void look_at_prop(Chooser *c, int prop) {
    if (c->prop == prop) return;
    c->prop = prop;
    c->counted = false;
    int *mine = c->mine;
    for (int k = 0; k < c->q->samples; k++)
        for (int n = 0; n < c->s->scenes[k].parts.count; n++)
            *mine++ = c->s->scenes[k].props[n * PROPS + prop];
}

static void count_alike(Chooser *c) {
    for (int k = 0; k < c->q->samples && !c->counted; k++) {
        const int *mine = c->mine + c->s->first[k];
        int parts = c->s->scenes[k].parts.count;
        for (int n = 0; n < parts; n++) {
            int same = 0;
            for (int m = 0; m < parts; m++) same += mine[m] == mine[n];
            c->alike[c->s->first[k] + n] = same;
        }
    }
    c->counted = true;
}

static int most_of(const int *values, int n) {
    int most = values[0];
    for (int k = 1; k < n; k++) most = values[k] > most ? values[k] : most;
    return most;
}

static int least_of(const int *values, int n) {
    int least = values[0];
    for (int k = 1; k < n; k++) least = values[k] < least ? values[k] : least;
    return least;
}

// Adds the parts of a sample that meet a condition among all of the sample.
static void choose_in(const Chooser *c, const Condition *by, int sample, uint64_t *set) {
    int start = c->s->first[sample], end = c->s->first[sample + 1], value = by->value;
    bool at_least = by->test == Test_AT_LEAST, bit = by->test == Test_HOLDS || by->test == Test_IS_ODD;
    bool of_alike = by->test == Test_UNIQUE || by->test == Test_COMMONEST;
    const int *of = of_alike ? c->alike : c->mine;
    if (start == end) return;
    if (by->test == Test_UNIQUE) value = 1;
    if (by->test == Test_IS_ODD) value = 0;
    if (by->test == Test_MOST || by->test == Test_COMMONEST) value = most_of(of + start, end - start);
    if (by->test == Test_LEAST) value = least_of(of + start, end - start);
    for (int k = start; k < end; k++) {
        bool meets = at_least ? of[k] >= value : bit ? of[k] >> value & 1 : of[k] == value;
        set[k / 64] |= (uint64_t)(meets != by->negated) << k % 64;
    }
}

// Whether a condition asks a part the same, whatever the others are.
static bool asks_each(const Condition *c) {
    return c->test == Test_EQUALS || c->test == Test_HOLDS || c->test == Test_IS_ODD ||
           c->test == Test_AT_LEAST;
}

static void choose(Chooser *c, const Condition *by, uint64_t *set) {
    look_at_prop(c, by->prop);
    if (by->test == Test_UNIQUE || by->test == Test_COMMONEST) count_alike(c);
    memset(set, 0, (size_t)c->s->words * sizeof *set);
    for (int k = 0; k < c->q->samples; k++) choose_in(c, by, k, set);
}

// Narrows a set by a condition that compares its parts with one another.
static void narrow(const Chooser *c, const Condition *by, uint64_t *set) {
    bool chosen[SCENE_MOST_PARTS];
    for (int k = 0; k < c->q->samples; k++) {
        int first = c->s->first[k], parts = c->s->scenes[k].parts.count;
        for (int n = 0; n < parts; n++) chosen[n] = set_has(set, first + n);
        condition_apply(by, parts, c->s->scenes[k].props, chosen);
        for (int n = 0; n < parts; n++)
            if (!chosen[n]) set[(first + n) / 64] &= ~(1ULL << (first + n) % 64);
    }
}

static bool any_below(const uint64_t *set, int n) {
    for (int k = 0; k < n / 64; k++)
        if (set[k]) return true;
    return n % 64 && set[n / 64] & ((1ULL << n % 64) - 1);
}

static uint64_t *set_of(const Sight *s, int choice) { return s->chosen + (size_t)choice * (size_t)s->words; }

// Keeps a selector, whose set comes after those that are kept, unless a cheaper one takes the same parts.
// Those that take no part of a demo are of no use. Single: as in Chooser, -1 for itself.
static void add_choice(Chooser *c, const Selector *selector, int cost, int single) {
    Sight *s = c->s;
    uint64_t *set = set_of(s, s->choice_count), hash = 0;
    quest_spend(c->q, 10 + 4 * s->parts);
    if (!any_below(set, s->first[c->q->demos])) return;
    for (int w = 0; w < s->words; w++) hash = hash_mix(hash, set[w]);
    for (int k = 0; k < s->choice_count; k++)
        if (c->hashes[k] == hash && memcmp(set_of(s, k), set, (size_t)s->words * sizeof *set) == 0) {
            if (cost >= s->choices[k].cost) return;
            s->choices[k] = (SightChoice){*selector, cost};
            c->single[k] = (int16_t)(single < 0 ? k : single);
            return;
        }
    c->hashes[s->choice_count] = hash;
    c->single[s->choice_count] = (int16_t)(single < 0 ? s->choice_count : single);
    s->choices[s->choice_count++] = (SightChoice){*selector, cost};
}

static void add_singles(Chooser *c, const Costed *conditions, int n) {
    Sight *s = c->s;
    Selector selector = {0};
    memset(s->chosen, 0, (size_t)s->words * sizeof *s->chosen);
    for (int k = 0; k < s->parts; k++) set_add(s->chosen, k);
    add_choice(c, &selector, 0, -1);
    selector.count = 1;
    for (int k = 0; k < n && s->choice_count < SIGHT_CHOICES; k++) {
        selector.at[0] = conditions[k].condition;
        choose(c, &selector.at[0], set_of(s, s->choice_count));
        add_choice(c, &selector, conditions[k].cost, -1);
    }
}

static void add_pairs(Chooser *c) {
    Sight *s = c->s;
    Selector selector = {.count = 2};
    int singles = s->choice_count;
    for (int k = 1; k < singles; k++)
        for (int l = 1; l < singles; l++) {
            int cost = s->choices[k].cost + s->choices[l].cost + 5;
            if (cost > 32 || k == l || s->choice_count == SIGHT_CHOICES) continue;
            selector.at[0] = s->choices[k].selector.at[0];
            selector.at[1] = s->choices[l].selector.at[0];
            const uint64_t *one = set_of(s, c->single[k]), *two = set_of(s, c->single[l]);
            uint64_t *set = set_of(s, s->choice_count);
            bool meets = asks_each(&selector.at[1]);
            for (int w = 0; w < s->words; w++) set[w] = meets ? one[w] & two[w] : one[w];
            if (!meets) narrow(c, &selector.at[1], set);
            add_choice(c, &selector, cost, c->single[k]);
        }
}

static bool find_choices(Quest *q, Sight *s) {
    s->choices = TAKE(q, SightChoice, SIGHT_CHOICES + 1);
    s->chosen = TAKE(q, uint64_t, (SIGHT_CHOICES + 1) * s->words);
    Costed *conditions = TAKE(q, Costed, CONDITIONS_MOST);
    int *parts = TAKE(q, int, q->samples);
    const int **props = TAKE(q, const int *, q->samples);
    Chooser c = {.q = q,
                 .s = s,
                 .hashes = TAKE(q, uint64_t, SIGHT_CHOICES + 1),
                 .single = TAKE(q, int16_t, SIGHT_CHOICES + 1),
                 .prop = -1,
                 .mine = TAKE(q, int, s->parts),
                 .alike = TAKE(q, int, s->parts)};
    if (!s->choices || !s->chosen || !conditions || !parts || !props || !c.hashes || !c.single || !c.mine ||
        !c.alike)
        return false;
    for (int k = 0; k < q->samples; k++) parts[k] = s->scenes[k].parts.count, props[k] = s->scenes[k].props;
    int n = conditions_for(q->demos, parts, props, conditions);
    add_singles(&c, conditions, n);
    add_pairs(&c);
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
