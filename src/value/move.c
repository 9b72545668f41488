// Moves a value from one arena to another: the result of an evaluation out of its scratch memory.
//
// Most values are a grid or a set of words, one piece to copy, or hold each of their parts once. But `repeat`
// makes a value that holds one part many times, and repeating that again and again makes a tree of any size
// from a few pieces. So where a value takes more than it can have cost, its parts are found again from there
// on by a table of those that were moved: none is moved more than twice. The table lies in the memory that is
// to be given back.
#include "value/value.h"

enum { FIRST_BITS = 8 };

typedef struct {
    const Obj *old; // NULL: free
    Value new;
    size_t bytes;
} Moved;

typedef struct {
    Arena *to, *from;
    size_t bytes, enough;
    Moved *table; // open addressing, at most half full; NULL before the first part is noted
    unsigned bits, count;
} Move;

static Moved *moved_at(const Move *m, const Obj *old) {
    const size_t mask = ((size_t)1 << m->bits) - 1;
    size_t at = (size_t)(((uintptr_t)old >> 4) * 0x9E3779B97F4A7C15ULL >> (64 - m->bits));
    while (m->table[at].old && m->table[at].old != old) at = (at + 1) & mask;
    return &m->table[at];
}

static bool make_room(Move *m) {
    if (m->table && m->count * 2 < 1U << m->bits) return true;
    const Moved *old = m->table;
    const size_t n = old ? (size_t)1 << m->bits : 0;
    m->bits = old ? m->bits + 2 : FIRST_BITS;
    m->table = arena_alloc(m->from, sizeof *m->table << m->bits);
    if (!m->table) return false;
    memset(m->table, 0, sizeof *m->table << m->bits);
    for (size_t k = 0; k < n; k++)
        if (old[k].old) *moved_at(m, old[k].old) = old[k];
    return true;
}

static bool note(Move *m, const Obj *old, Value new, size_t bytes) {
    if (m->bytes <= m->enough) return true;
    if (!make_room(m)) return false;
    m->count++;
    *moved_at(m, old) = (Moved){old, new, bytes};
    return true;
}

// A part that holds no values, and is not too much: then there is nothing to note. NULL where memory is
// short.
static inline Obj *move_plain(Move *m, const Obj *from, size_t bytes) {
    Obj *to = arena_alloc(m->to, bytes);
    if (!to) return NULL;
    m->bytes += bytes;
    for (size_t k = 0; k < bytes; k += ARENA_SLACK) // the last step may go beyond both
        memcpy((char *)to + k, (const char *)from + k, ARENA_SLACK);
    return to;
}

static Value move_part(Move *m, Value v) {
    if (value_tag(v) != TAG_OBJ || !arena_holds(m->from, value_obj(v))) return v;
    const Obj *from = value_obj(v);
    const Moved *seen = m->table ? moved_at(m, from) : NULL;
    if (seen && seen->old) {
        m->bytes += seen->bytes;
        return seen->new;
    }
    const size_t plain = obj_plain_bytes(from), items = plain ? 0 : from->n;
    const size_t before = m->bytes, bytes = sizeof *from + plain + items * sizeof v;
    Obj *to = arena_alloc(m->to, bytes);
    if (!to) return VALUE_FAILED;
    m->bytes += bytes;
    memcpy(to, from, sizeof *to + plain);
    Value *parts = (Value *)(to + 1);
    for (size_t k = 0; k < items; k++) {
        parts[k] = obj_items(from)[k];
        if (value_tag(parts[k]) != TAG_OBJ || !arena_holds(m->from, value_obj(parts[k]))) continue;
        const Obj *part = value_obj(parts[k]);
        const size_t part_plain = obj_plain_bytes(part), part_bytes = sizeof *part + part_plain;
        if (part_plain && m->bytes + part_bytes <= m->enough) {
            const Obj *moved = move_plain(m, part, part_bytes);
            parts[k] = moved ? value_of_obj(moved) : VALUE_FAILED;
        } else {
            parts[k] = move_part(m, parts[k]);
        }
        if (value_tag(parts[k]) == TAG_FAIL) return VALUE_FAILED;
    }
    return note(m, from, value_of_obj(to), m->bytes - before) ? value_of_obj(to) : VALUE_FAILED;
}

Value value_move(Arena *to, Arena *from, Value v, size_t enough, size_t *bytes) {
    if (value_tag(v) != TAG_OBJ || !arena_holds(from, value_obj(v))) return v;
    const Obj *o = value_obj(v);
    const size_t plain = obj_plain_bytes(o);
    if (!plain) {
        Move m = {.to = to, .from = from, .enough = enough};
        v = move_part(&m, v);
        *bytes += m.bytes;
        return v;
    }
    Obj *copy = arena_alloc(to, sizeof *copy + plain);
    if (!copy) return VALUE_FAILED;
    *bytes += sizeof *copy + plain;
    memcpy(copy, o, sizeof *copy + plain);
    return value_of_obj(copy);
}
