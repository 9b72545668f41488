// Choosing parts by their properties; selector.h says how.
#include "parts/selector.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// What a condition needs to know of all parts that it chooses among.
typedef struct {
    int most, least, common; // common: how many parts have what most parts have
} Summary;

static int as_much_as(int part, int prop, int parts, const int *props, const bool *among) {
    int n = 0, value = props[part * PROPS + prop];
    for (int k = 0; k < parts; k++) n += among[k] && props[k * PROPS + prop] == value;
    return n;
}

static Summary summary_of(const Condition *c, int parts, const int *props, const bool *among) {
    Summary s = {INT_MIN, INT_MAX, 0};
    for (int k = 0; k < parts; k++) {
        if (!among[k]) continue;
        int value = props[k * PROPS + c->prop], n = 0;
        if (value > s.most) s.most = value;
        if (value < s.least) s.least = value;
        if (c->test == Test_COMMONEST && (n = as_much_as(k, c->prop, parts, props, among)) > s.common)
            s.common = n;
    }
    return s;
}

static bool meets(const Condition *c, const Summary *s, int parts, const int *props, const bool *among,
                  int part) {
    int mine = props[part * PROPS + c->prop];
    switch (c->test) {
    case Test_EQUALS: return mine == c->value;
    case Test_MOST: return mine == s->most;
    case Test_LEAST: return mine == s->least;
    case Test_UNIQUE: return as_much_as(part, c->prop, parts, props, among) == 1;
    case Test_COMMONEST: return as_much_as(part, c->prop, parts, props, among) == s->common;
    case Test_HOLDS: return c->value >= 0 && c->value < 31 && mine >> c->value & 1;
    case Test_IS_ODD: return mine & 1;
    case Test_AT_LEAST: return mine >= c->value;
    default: return false;
    }
}

void condition_apply(const Condition *c, int parts, const int *props, bool *chosen) {
    assert(parts >= 0 && parts <= SELECTOR_PARTS && c->prop < PROPS && c->test < TESTS);
    bool among[SELECTOR_PARTS];
    memcpy(among, chosen, (size_t)parts);
    Summary s = summary_of(c, parts, props, among);
    for (int k = 0; k < parts; k++)
        if (among[k]) chosen[k] = meets(c, &s, parts, props, among, k) != c->negated;
}

void selector_apply(const Selector *s, int parts, const int *props, bool *chosen) {
    assert(s->count >= 0 && s->count <= SELECTOR_MOST);
    for (int k = 0; k < parts; k++) chosen[k] = true;
    for (int k = 0; k < s->count; k++) condition_apply(&s->at[k], parts, props, chosen);
}

// ---- What conditions there are ----

typedef struct {
    Costed *at;
    int count;
} List;

static void add(List *l, int prop, int test, int value, int cost) {
    for (int negated = 0; negated < 2; negated++)
        if (l->count < CONDITIONS_MOST)
            l->at[l->count++] =
                (Costed){{(uint8_t)prop, (uint8_t)test, (int16_t)value, negated}, cost + 8 * negated};
}

// The values of a property, in the order in which they are met; 0 where there are too many to be meant.
static int values_of_prop(int prop, int grids, const int *parts, const int *const *props, int *values,
                          int most) {
    int n = 0;
    for (int g = 0; g < grids; g++)
        for (int k = 0; k < parts[g]; k++) {
            int v = props[g][k * PROPS + prop], at = 0;
            while (at < n && values[at] != v) at++;
            if (at < n) continue;
            if (n == most) return 0;
            values[n++] = v;
        }
    return n;
}

int conditions_for(int grids, const int *parts, const int *const *props, Costed *conditions) {
    List l = {conditions, 0};
    enum { VALUES = 12 };
    int values[VALUES];
    for (int p = 0; p < PROPS; p++) {
        int n = values_of_prop(p, grids, parts, props, values, VALUES);
        if (p == Property_COLOR) {
            for (int k = 0; k < n; k++) add(&l, p, Test_EQUALS, values[k], 10);
            add(&l, p, Test_UNIQUE, 0, 20);
            add(&l, p, Test_COMMONEST, 0, 25);
            continue;
        }
        if (p == Property_TOUCHES) {
            for (int c = 0; c < 10; c++) add(&l, p, Test_HOLDS, c, 20);
            add(&l, p, Test_EQUALS, 0, 15);
            continue;
        }
        if (shape_code_yields(SHAPE_Property, p) == SHAPE_Flag) {
            if (n != 1) add(&l, p, Test_EQUALS, 1, 14);
            continue;
        }
        int plain = p == Property_SIZE ? 0 : 6;
        add(&l, p, Test_MOST, 0, 12 + plain);
        add(&l, p, Test_LEAST, 0, 12 + plain);
        if (p >= Property_TOP && p <= Property_RIGHTMOST) continue; // a place is no kind of part
        for (int k = 0; k < n; k++) add(&l, p, Test_EQUALS, values[k], (values[k] <= 1 ? 15 : 22) + plain);
        add(&l, p, Test_UNIQUE, 0, 20 + plain);
        add(&l, p, Test_COMMONEST, 0, 25 + plain);
        if (p <= Property_HOLE_CELLS) {
            add(&l, p, Test_IS_ODD, 0, 25 + plain);
            for (int k = 0; k < n; k++) add(&l, p, Test_AT_LEAST, values[k], 28 + plain);
        }
    }
    return l.count;
}
