// One way of seeing all inputs of a quest, for engines that learn rules about parts: the parts of all samples
// numbered through, and the selectors that tell them apart, each with the set of parts that it takes.
#ifndef TESSERA_DRAW_SIGHT_H
#define TESSERA_DRAW_SIGHT_H

#include "draw/drawing.h"
#include "search/quest.h"

enum { SIGHT_CHOICES = 500, SIGHT_PARTS = 1024 };

typedef struct {
    Selector selector;
    int cost; // how little it is to be expected, in tenths of a bit
} SightChoice;

typedef struct {
    PartsKind kind;
    Scene *scenes;        // of each sample
    int *first;           // of each sample's parts, and one more
    int parts, words;     // words: of a set of parts
    SightChoice *choices; // no two of them take the same parts
    uint64_t *chosen;     // by each choice
    int choice_count;
} Sight;

// An array in the arena of the engine that runs; NULL where memory is short.
#define TAKE(q, type, n) ((type *)arena_alloc(&(q)->arena, (size_t)(n) * sizeof(type) + 1))

// False where there are too many parts, none in the demos, or these grids show the parts of another sight, of
// which there are `count`.
bool sight_of(Quest *q, const ts_grid *grids, PartsKind kind, const Sight *const *others, int count,
              Sight *s);

static inline const uint64_t *sight_chosen(const Sight *s, const SightChoice *c) {
    return s->chosen + (size_t)(c - s->choices) * (size_t)s->words;
}
static inline bool set_has(const uint64_t *set, int part) { return set[part / 64] >> part % 64 & 1; }
static inline void set_add(uint64_t *set, int part) { set[part / 64] |= 1ULL << part % 64; }

// (segmentation, selector) and a paint, as literals of the language.
void sight_print_which(Text *t, PartsKind kind, const Selector *s);
void sight_print_paint(Text *t, const Paint *p);

#endif
