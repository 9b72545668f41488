// Mutations with parts of other programs of the source, and with whole ones.
#include <string.h>

#include "mutate/mutator.h"

enum { MOST_DONORS = 3, MOST_GRAFTED = 12 };

// ---- Grafting ----

// Marks the lines of the donor that this one needs; their number.
static uint32_t mark_part(Mutator *m, const Program *donor, uint32_t line) {
    uint32_t first = program_slot_of_line(donor, 0), count = 0;
    for (uint32_t k = 0; k <= line; k++) m->places[k] = REF_NONE;
    m->places[line] = 0;
    for (uint32_t k = line + 1; k-- > 0;) {
        const Line *l = &donor->lines[k];
        if (m->places[k] == REF_NONE) continue;
        count++;
        if (l->op == LINE_CALLS_VALUE && l->callee >= first) m->places[l->callee - first] = 0;
        for (int n = 0; n < l->n; n++)
            if (l->args[n] >= first) m->places[l->args[n] - first] = 0;
    }
    return count;
}

// What a slot of the donor is in the program: its own lines have been added already.
static Ref translate(Mutator *m, const Program *donor, uint32_t slot, Ref input) {
    uint32_t first = program_slot_of_line(donor, 0);
    if (slot >= first) return m->places[slot - first];
    if (slot >= SLOTS_GIVEN) return mutator_constant(m, donor->constants[slot - SLOTS_GIVEN]);
    if (slot == SLOT_S) m->takes_samples = true;
    return slot == SLOT_I ? input : ref_make(REF_GIVEN, slot);
}

// The part of the donor that gives this line, its I being another grid of the program now and then.
static Ref add_part(Mutator *m, const Program *donor, uint32_t line, Ref input) {
    for (uint32_t k = 0; k <= line; k++) {
        const Line *l = &donor->lines[k];
        if (m->places[k] == REF_NONE) continue;
        DraftLine copy = {.op = l->op, .n = l->n, .source = l->source};
        if (l->op == LINE_CALLS_VALUE) copy.callee = translate(m, donor, l->callee, input);
        for (int n = 0; n < l->n; n++) copy.args[n] = translate(m, donor, l->args[n], input);
        m->places[k] = mutator_line(m, copy);
    }
    return m->places[line];
}

static bool uses_candidate(const Program *p) {
    for (uint32_t k = 0; k < p->line_count; k++)
        for (int n = 0; n < p->lines[k].n; n++)
            if (p->lines[k].args[n] == SLOT_C) return true;
    return false;
}

static const Program *choose_donor(Mutator *m) {
    const Program *donor = &m->source->programs[mutator_below(m, (uint32_t)m->source->count)];
    bool fine = strcmp(donor->name, m->p->name) != 0 && donor->line_count <= MUTATE_LONGEST_PARENT &&
                !uses_candidate(donor) && mutator_origin(donor) <= m->origin;
    if (!fine ||
        !mutator_room(m, (void **)&m->places, &m->place_room, donor->line_count, sizeof *m->places) ||
        !mutator_room(m, (void **)&m->other_types, &m->other_type_room, program_slots(donor),
                      sizeof *m->types))
        return NULL;
    return program_types(donor, m->other_types, NULL) ? donor : NULL;
}

// Puts the part of the donor that gives this line in the place of an argument, if it is not too long.
static bool put_part(Mutator *m, uint32_t line, int argument, const Program *donor, uint32_t from,
                     const char *how) {
    uint32_t part = mark_part(m, donor, from);
    if (part > MOST_GRAFTED) return false;
    const Type grid = {TYPE_GRID};
    uint32_t input = mutator_below(m, 4) ? SLOT_I : mutator_earlier(m, line, grid, grid, SLOT_I);
    Ref grafted = add_part(m, donor, from, mutator_ref(m->p, input ? input : SLOT_I));
    *mutator_argument(m, line, argument) = grafted; // found now: the lines may have moved
    mutator_note_place(m, line, argument);
    text_print(&m->note, "%s %s, %u line%s", how, donor->name, part, part == 1 ? "" : "s");
    return true;
}

bool mutate_graft(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = mutator_any_argument(m, l);
    if (argument < -1 || m->source->count < 2) return false;
    Type old = m->types[mutator_argument_slot(l, argument)], parameter = mutator_parameter(l, argument);
    for (int tries = 0; tries < MOST_DONORS; tries++) {
        const Program *donor = choose_donor(m);
        uint32_t seen = 0, chosen = 0;
        for (uint32_t k = 0; donor && k < donor->line_count; k++) {
            Type t = m->other_types[program_slot_of_line(donor, k)];
            if (type_fits(t, parameter) && type_alike(t, old) && mutator_take(m, &seen)) chosen = k;
        }
        if (seen && put_part(m, line, argument, donor, chosen, "part grafted from")) return true;
    }
    return false;
}

// ---- Crossing ----

// What the donor passes to the same primitive at the same place, or else, if it must be, any line of it that
// may be passed: a slot; 0 for none.
static uint32_t choose_crossed(Mutator *m, const Line *l, int argument, const Program *donor, bool must) {
    Type parameter = mutator_parameter(l, argument);
    uint32_t seen = 0, chosen = 0;
    for (uint32_t k = 0; k < donor->line_count; k++) {
        const Line *other = &donor->lines[k];
        uint32_t slot = mutator_argument_slot(other, argument);
        if (other->op != l->op || other->n != l->n || slot < SLOTS_GIVEN) continue;
        if (type_fits(m->other_types[slot], parameter) && mutator_take(m, &seen)) chosen = slot;
    }
    for (uint32_t k = 0; must && !chosen && k < donor->line_count; k++) {
        uint32_t slot = program_slot_of_line(donor, k);
        if (type_fits(m->other_types[slot], parameter) && mutator_take(m, &seen)) chosen = slot;
    }
    return chosen;
}

// An argument as another program has it, of another type perhaps: a function, a constant, a value with all
// that it needs.
bool mutate_cross(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = mutator_any_argument(m, l);
    if (argument < -1 || m->source->count < 2) return false;
    for (int tries = 0; tries < MOST_DONORS; tries++) {
        const Program *donor = choose_donor(m);
        uint32_t slot = donor ? choose_crossed(m, l, argument, donor, tries + 1 == MOST_DONORS) : 0;
        if (!slot) continue;
        if (!mutator_is_constant(donor, slot)) {
            uint32_t from = slot - program_slot_of_line(donor, 0);
            if (put_part(m, line, argument, donor, from, "as in")) return true;
            continue;
        }
        Ref to = mutator_constant(m, donor->constants[slot - SLOTS_GIVEN]);
        mutator_note_change(m, line, argument, mutator_ref(m->p, mutator_argument_slot(l, argument)), to);
        text_print(&m->note, " as in %s", donor->name);
        *mutator_argument(m, line, argument) = to;
        return true;
    }
    return false;
}

// ---- Whole programs ----

// The whole of another program that gives a grid, with this for its I; REF_NONE where none was found that is
// short enough.
static Ref add_whole(Mutator *m, Ref input, const Program **donor) {
    const Type grid = {TYPE_GRID};
    const uint32_t used = m->p->line_count, room = used < MUTATE_MOST_LINES ? MUTATE_MOST_LINES - used : 0;
    for (int tries = 0; tries < MOST_DONORS && type_alike(m->wanted, grid); tries++) {
        const Program *other = *donor = choose_donor(m);
        if (!other || other->line_count > room || other->result < program_slot_of_line(other, 0) ||
            !type_alike(m->other_types[other->result], grid))
            continue;
        uint32_t last = other->result - program_slot_of_line(other, 0);
        mark_part(m, other, last);
        return add_part(m, other, last, input);
    }
    return REF_NONE;
}

static void note_whole(Mutator *m, const Program *donor, const char *after) {
    text_print(&m->note, "%s%s, %u line%s", donor->name, after, donor->line_count,
               donor->line_count == 1 ? "" : "s");
}

// Another program before or after this one: what the first gives is the input of the second.
bool mutate_chain(Mutator *m, uint32_t line) {
    (void)line; // it is about all of them
    const Ref input = ref_make(REF_GIVEN, SLOT_I);
    const Program *donor;
    bool after = mutator_below(m, 2);
    Ref given = add_whole(m, after ? m->result : input, &donor);
    if (given == REF_NONE) return false;
    if (after) m->result = given;
    else mutator_replace(m, input, given);
    text_add(&m->note, after ? "what it gives goes through " : "I goes through ");
    note_whole(m, donor, after ? "" : " first");
    return true;
}

// Another program for some inputs: one of both, as a condition says. Where the language has choose, the other
// one may fail.
bool mutate_cover(Mutator *m, uint32_t line) {
    (void)line;
    enum { MOST_CONDITION = 4 };
    const Program *donor;
    Ref result = m->result, other = add_whole(m, ref_make(REF_GIVEN, SLOT_I), &donor);
    if (other == REF_NONE) return false;
    Ref condition = mutator_measure(m, (uint64_t)1 << SORT_TRUTH, MOST_CONDITION);
    if (condition == REF_NONE) return false;
    DraftLine made = {.op = m->origin == ORIGIN_OURS ? OP_choose : OP_branch, .n = 3};
    made.source = m->p->line_count ? m->p->lines[m->p->line_count - 1].source : 0;
    bool first = mutator_below(m, 2);
    made.args[0] = condition;
    made.args[1] = first ? other : result;
    made.args[2] = first ? result : other;
    text_add(&m->note, first ? "if " : "unless ");
    mutator_note_ref(m, condition, NULL);
    text_add(&m->note, ", as ");
    note_whole(m, donor, "");
    m->result = mutator_line(m, made);
    return true;
}
