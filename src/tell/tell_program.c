// Sentences: what is told as a step, what gets a name, and when that is explained.
//
// The main line of a program leads from its result back to where it starts: of each call that is a step the
// argument that it works on. Its grids are "the input" or "the result" while they are worked on; one that is
// asked for later gets a name when it is made ("call this A"). As it is only found while telling what is
// asked for later, all is told twice. Other values are told where they are used, or get a name if they are
// long, or not short and used more than once.
#include "tell/teller.h"

enum {
    LONG = 160,     // characters of what gets a name
    NOT_SHORT = 40, // … if it is used more than once
    MOST_SENTENCES = 8,
    MOST_DEFINITIONS = 8, // one within the other
    MOST_USES = 1000,
};

// ---- Sentences ----

static void add_sentence(Teller *t, const char *start, const Text *text, const char *end) {
    if (text->failed) t->starved = true;
    if (!text->length) return;
    if (t->out->length) text_char(t->out, ' ');
    const size_t at = t->out->length;
    text_add(t->out, start);
    text_put(t->out, text->data, text->length);
    text_add(t->out, end);
    text_char(t->out, '.');
    if (!t->out->failed && t->out->data[at] >= 'a' && t->out->data[at] <= 'z') t->out->data[at] -= 'a' - 'A';
    t->sentences++;
}

static void begin(Teller *t) {
    t->budget = MOST_STEPS;
    t->deep = t->thing_count = 0;
    t->plural = NULL;
}

// ---- Names ----

static bool new_letter(Teller *t, SlotNote *note) {
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ"; // neither I nor O
    if (t->letters >= (int)sizeof letters - 1) return false;
    note->letter = letters[t->letters++];
    return true;
}

// How many lines it takes to work out a slot.
static int lines_of(Teller *t, uint32_t slot) {
    const Program *p = t->p;
    const uint32_t first = program_slot_of_line(p, 0);
    bool *needed = slot < first ? NULL : arena_alloc(&t->arena, p->line_count);
    if (!needed) return 0;
    memset(needed, 0, p->line_count);
    needed[slot - first] = true;
    int n = 0;
    for (uint32_t k = slot - first + 1; k-- > 0;) {
        if (!needed[k]) continue;
        n++;
        const Line *l = &p->lines[k];
        if (l->op == LINE_CALLS_VALUE && l->callee >= first) needed[l->callee - first] = true;
        for (int a = 0; a < l->n; a++)
            if (l->args[a] >= first) needed[l->args[a] - first] = true;
    }
    return n;
}

static void tell_body(Teller *t, Text *text, const Expr *e) {
    if (!expr_is_function(e)) {
        tell_content(t, text, e, t->notes[e->slot].kind);
        return;
    }
    // Its own name is not to be told.
    const Expr open = {.kind = e->kind,
                       .n = e->n,
                       .op = e->op,
                       .slot = NO_SLOT,
                       .type = e->type,
                       .args = {e->args[0], e->args[1], e->args[2], e->args[3]}};
    Expr *thing = expr_thing(t, type_of_parameter(OP_identity, 0), "it");
    tell_expr(t, text, expr_apply(t, &open, &thing, 1), CONSTANT_OTHER);
}

// "Let A be …", in the midst of another sentence, which goes on afterwards.
static bool define(Teller *t, uint32_t slot) {
    const Teller before = *t;
    SlotNote *note = &t->notes[slot];
    const bool function = expr_is_function(t->slots[slot]);
    if (t->defining >= MOST_DEFINITIONS || t->sentences >= MOST_SENTENCES) return false;
    Text text = {0};
    begin(t);
    t->defining++;
    tell_body(t, &text, t->slots[slot]);
    t->defining--;
    bool good = new_letter(t, note);
    if (good) {
        char start[64] = "let A be ";
        if (function) strcpy(start, "for anything let its A be ");
        *strchr(start, 'A') = note->letter;
        add_sentence(t, start, &text, "");
    }
    text_free(&text);
    t->budget = before.budget;
    t->deep = before.deep;
    t->thing_count = before.thing_count;
    t->plural = before.plural;
    return good;
}

static void tell_untold(Teller *t, Text *out, uint32_t slot) {
    const int n = lines_of(t, slot);
    text_print(out, "something worked out in %d step%s", n, n == 1 ? "" : "s");
}

bool tell_name(Teller *t, Text *out, uint32_t slot) {
    SlotNote *note = &t->notes[slot];
    if (slot == SLOT_I || (!note->step && !note->is_named)) return false;
    if (note->step == 1 && t->step > 1 && note->is_short) return false;
    if (note->step && (t->is_planning || note->step == t->step)) text_add(out, "the result");
    else if (t->is_planning) text_char(out, 'A');
    else if (note->letter) text_char(out, note->letter);
    else if (note->step) {
        note->is_wanted = true; // there will be a name when all is told again
        tell_untold(t, out, slot);
    } else if (define(t, slot)) text_char(out, note->letter);
    else tell_untold(t, out, slot);
    return true;
}

// ---- The plan ----

static const Line *line_at(const Program *p, uint32_t slot) {
    const uint32_t first = program_slot_of_line(p, 0);
    return slot < first ? NULL : &p->lines[slot - first];
}

// The slot that a step works on; the slot itself where it is no step.
static uint32_t slot_before(const Teller *t, uint32_t slot) {
    const Line *l = line_at(t->p, slot);
    const unsigned type = t->types[slot].self;
    if (!l || l->op == LINE_CALLS_VALUE) return slot;
    const int argument = tell_step_argument((Op)l->op);
    if (argument < 0 || argument >= l->n) return slot;
    return type && !(type & ~(unsigned)(TYPE_INDICES | TYPE_OBJECT)) ? slot : l->args[argument];
}

// Numbers the steps from the start, which is 1. Returns how many there are.
static int find_main_line(Teller *t) {
    int n = 1;
    uint32_t slot = t->p->result;
    for (uint32_t before; (before = slot_before(t, slot)) != slot; slot = before) n++;
    if (n == 1 || slot == SLOT_I || line_at(t->p, slot)) t->notes[slot].step = 1;
    slot = t->p->result;
    for (int k = n; k > 1; k--) {
        t->notes[slot].step = k;
        slot = slot_before(t, slot);
    }
    return n;
}

// What a function uses is used as often as the function is.
static void count_uses(Teller *t) {
    const Program *p = t->p;
    t->notes[p->result].uses = 1;
    for (uint32_t k = p->line_count; k-- > 0;) {
        const Line *l = &p->lines[k];
        const uint32_t slot = program_slot_of_line(p, k);
        int times = t->types[slot].self == TYPE_FUNCTION ? t->notes[slot].uses : 1;
        if (times > MOST_USES) times = MOST_USES;
        for (int a = 0; a < l->n; a++) {
            SlotNote *note = &t->notes[l->args[a]];
            note->uses += times;
            if (l->op != LINE_CALLS_VALUE && note->kind == CONSTANT_OTHER)
                note->kind = tell_parameter_kind((Op)l->op, a);
            note->is_in_step = t->notes[slot].step > 1;
        }
        if (l->op == LINE_CALLS_VALUE) t->notes[l->callee].uses++;
    }
}

static void plan_slot(Teller *t, uint32_t slot) {
    const Expr *e = t->slots[slot];
    SlotNote *note = &t->notes[slot];
    if (note->step > 1 || e->slot != (int32_t)slot || e->kind == EXPR_NAMED) return;
    if (expr_is_function(e) && t->types[slot].arities != 1) return;
    Text text = {0};
    begin(t);
    tell_body(t, &text, e);
    if (text.failed) t->starved = true;
    note->is_short = text.length <= NOT_SHORT;
    note->is_named = !note->step && (text.length > LONG || (note->uses > 1 && !note->is_short) ||
                                     tell_is_for_each(t, e, note->is_in_step));
    text_free(&text);
}

static bool prepare(Teller *t, int *steps) {
    const Program *p = t->p;
    t->count = program_slots(p);
    t->types = arena_alloc(&t->arena, t->count * sizeof *t->types);
    t->slots = arena_alloc(&t->arena, t->count * sizeof *t->slots);
    t->notes = arena_alloc(&t->arena, t->count * sizeof *t->notes);
    if (!t->types || !t->slots || !t->notes) return false;
    memset(t->types, 0, t->count * sizeof *t->types);
    memset(t->notes, 0, t->count * sizeof *t->notes);
    program_types(p, t->types, NULL); // what it does not find out stays open
    *steps = find_main_line(t);
    count_uses(t);
    t->is_planning = true;
    for (uint32_t slot = 0; slot < program_slot_of_line(p, 0); slot++)
        t->slots[slot] = expr_of_given(t, slot);
    for (uint32_t k = 0; k < p->line_count; k++) {
        const uint32_t slot = program_slot_of_line(p, k);
        begin(t);
        t->slots[slot] = expr_of_line(t, k);
        plan_slot(t, slot);
    }
    t->is_planning = false;
    return true;
}

// ---- Telling ----

// "; call this A", where the result of a step gets a name.
static const char *name_result(Teller *t, SlotNote *note, char call[16]) {
    if (!note->is_wanted || !new_letter(t, note)) return "";
    strcpy(call, "; call this A");
    *strchr(call, 'A') = note->letter;
    return call;
}

static void tell_start(Teller *t, uint32_t slot, bool is_all) {
    Text text = {0};
    char call[16];
    const Expr *e = t->slots[slot];
    if (slot == SLOT_I && !is_all) return;
    begin(t);
    if (is_all && e->kind == EXPR_CALL && tell_step(t, &text, e) && text.length)
        add_sentence(t, "", &text, "");
    else {
        tell_content(t, &text, e, CONSTANT_OTHER);
        const bool for_each = text.length && strncmp(text.data, "for ", 4) == 0;
        add_sentence(t,
                     for_each ? "take "
                     : is_all ? "the output is "
                              : "start with ",
                     &text, is_all ? "" : name_result(t, &t->notes[slot], call));
    }
    text_free(&text);
}

static void tell_one_step(Teller *t, uint32_t slot, bool is_last) {
    char room[16];
    Text text = {0};
    begin(t);
    tell_step(t, &text, t->slots[slot]);
    if (text.failed) t->starved = true;
    const char *call = is_last ? "" : name_result(t, &t->notes[slot], room);
    if (!text.length && *call) {
        text_add(&text, call + 2);
        call = "";
    }
    add_sentence(t, "", &text, call);
    text_free(&text);
}

static void tell_all(Teller *t, const uint32_t *line, int steps) {
    t->sentences = t->letters = t->defining = t->step = 0;
    text_clear(t->out);
    for (size_t k = 0; k < t->count; k++) t->notes[k].letter = 0;
    tell_start(t, line[0], steps == 1);
    t->step = 1;
    for (int k = 1; k < steps; k++) {
        if (t->sentences >= MOST_SENTENCES) {
            Text text = {0};
            text_print(&text, "and %d more step%s", steps - k, steps - k == 1 ? "" : "s");
            add_sentence(t, "", &text, "");
            text_free(&text);
            return;
        }
        tell_one_step(t, line[k], k == steps - 1);
        t->step = k + 1;
    }
    if (!t->sentences) tell_start(t, line[0], true);
}

void tell_program(Text *out, const Program *p) {
    Text text = {0};
    Teller t = {.p = p, .out = &text};
    int steps = 0;
    arena_init(&t.arena, (size_t)1 << 30);
    bool good = prepare(&t, &steps);
    uint32_t *line = good ? arena_alloc(&t.arena, (size_t)steps * sizeof *line) : NULL;
    if (line) {
        uint32_t slot = p->result;
        for (int k = steps; k-- > 0; slot = slot_before(&t, slot)) line[k] = slot;
        tell_all(&t, line, steps);
        tell_all(&t, line, steps);
    }
    if (!line || t.starved || text.failed) out->failed = true;
    else text_put(out, text.data, text.length);
    text_free(&text);
    arena_free(&t.arena);
}

char *ts_programs_tell(const ts_programs *programs, size_t index) {
    Text text = {0};
    tell_program(&text, &programs->programs[index]);
    return text_take(&text);
}

char *ts_tell(const char *text) {
    ts_status status;
    ts_programs *programs = ts_programs_new();
    char *words = NULL;
    if (programs &&
        ts_programs_add_text(programs, "program", text, strlen(text), true, NULL, NULL, &status) &&
        ts_programs_count(programs))
        words = ts_programs_tell(programs, 0);
    ts_programs_free(programs);
    return words;
}
