// The engine that draws for each part; draw_engine.h says how.
#include <stdlib.h>
#include <string.h>

#include "draw/draw_engine.h"

// Classes of offers: three for each range of costs, by what leaving a demo out tells; then these.
static const int cost_ranges[] = {50, 75, 100, 150, 220, 1 << 30};
enum {
    CLASS_OTHER = 3 * sizeof cost_ranges / sizeof *cost_ranges,
    CLASS_TWICE = CLASS_OTHER + 3,
    CLASS_PARTIAL = CLASS_TWICE + 3
};

static int class_of(const Draw *d, const Path *path, int trust) {
    int range = 0;
    if (d->lines) return CLASS_TWICE + trust;
    while (path->cost > cost_ranges[range]) range++;
    return 3 * range + trust;
}

// ---- Covers ----

static int sample_of(const Draw *d, int cell) {
    int k = 0;
    while (d->offset[k + 1] <= cell) k++;
    return k;
}

// Takes what a piece covers as settled.
static void settle(Draw *d, const DrawPiece *p) {
    const DrawView *v = p->view;
    const uint64_t *chosen = chosen_by(p);
    for (int part = 0; part < v->sight.first[d->q->demos]; part++) {
        if (!(chosen[part / 64] >> part % 64 & 1)) continue;
        for (int m = 0; m < p->combo->count; m++) {
            const List *l = p->combo->lists[m];
            for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                int at = l->at[n];
                if (!layer_takes(p->layer, d->input[at], d->ground[sample_of(d, at)])) continue;
                d->allowed[at] = ANY_COLOR;
                d->wrong[at] = 0;
            }
        }
    }
}

static int wrong_left(const Draw *d) {
    int n = 0;
    for (int k = 0; k < d->demo_cells; k++) n += d->wrong[k];
    return n;
}

// What a group is worth as the next piece: the more it puts right, in the more demos, by the simpler rule.
static double worth(const Group *g, int demos) {
    return g->gain * (1.0 + (double)__builtin_popcount(g->demos) / demos) - g->outcomes[0].best.cost / 4.0;
}

static bool was_explored(Draw *d) {
    uint64_t hash = hash_bytes(hash_bytes(1, d->wrong, (size_t)d->demo_cells), d->allowed,
                               (size_t)d->demo_cells * sizeof *d->allowed);
    for (int k = 0; k < d->state_count; k++)
        if (d->states[k] == hash) return true;
    if (d->state_count < MOST_STATES) d->states[d->state_count++] = hash;
    return false;
}

static void explore(Draw *d, int depth) {
    int wrong = wrong_left(d);
    d->path.count = depth;
    d->path.wrong = wrong;
    if (depth && (wrong == 0 || d->partial.count == 0 || wrong < d->partial.wrong)) {
        d->path.cost = 0;
        for (int k = 0; k < depth; k++) d->path.cost += d->path.pieces[k].cost + 15;
        if (wrong) d->partial = d->path;
        else if (d->solution_count < MOST_SOLUTIONS) {
            d->path.number = d->solution_count;
            d->solutions[d->solution_count++] = d->path;
        }
    }
    if (wrong == 0 || depth == MOST_PIECES || d->over || was_explored(d)) return;
    static const int shares[MOST_PIECES] = {8, 5, 3, 1}; // the last piece has to put right all that is left
    DrawFound f = {
        .d = d, .groups = d->groups[depth], .least_gain = (wrong + shares[depth] - 1) / shares[depth]};
    memset(f.slots, -1, sizeof f.slots);
    draw_note_state(d);
    for (int k = 0; depth == 0 && k < d->view_count; k++) draw_find_numbers(d, &d->views[k]);
    draw_find_pieces(&f);
    uint16_t *allowed = TAKE(d->q, uint16_t, d->demo_cells);
    uint8_t *were_wrong = TAKE(d->q, uint8_t, d->demo_cells);
    if (!allowed || !were_wrong) return;
    memcpy(allowed, d->allowed, (size_t)d->demo_cells * sizeof *allowed);
    memcpy(were_wrong, d->wrong, (size_t)d->demo_cells);
    for (int n = 0; n < d->beams[depth]; n++) {
        Group *best = NULL;
        for (int k = 0; k < f.count; k++)
            if (f.groups[k].gain && (!best || worth(&f.groups[k], d->q->demos) > worth(best, d->q->demos)))
                best = &f.groups[k];
        if (!best) return;
        d->path.pieces[depth] = best->outcomes[0].best;
        Group *kept = TAKE(d->q, Group, 1);
        if (!kept) return;
        *kept = *best;
        d->path.groups[depth] = kept;
        best->gain = 0;
        settle(d, &d->path.pieces[depth]);
        explore(d, depth + 1);
        memcpy(d->allowed, allowed, (size_t)d->demo_cells * sizeof *allowed);
        memcpy(d->wrong, were_wrong, (size_t)d->demo_cells);
    }
}

// ---- Programs ----

static void print_piece(Text *t, const DrawPiece *p) {
    const Patch *c = &p->combo->patch;
    sight_print_which(t, p->view->sight.kind, &p->choice->selector);
    if (c->kind == Drawn_STAMP) {
        text_print(t, ", ((%d, (", c->kind);
        for (int k = 0; k < c->cells; k++)
            text_print(t, "(%d, %d, %d),%s", c->stamp[k].row, c->stamp[k].column, c->stamp[k].color,
                       k + 1 < c->cells ? " " : "");
        text_add(t, ")), ");
    } else text_print(t, ", ((%d, %d, %d, %d, %d), ", c->kind, c->a, c->b, c->c, c->d);
    sight_print_paint(t, &p->paint);
    text_print(t, ", %d)", p->layer);
}

// Prints the lines of a path, the last one named O or as the others. The piece that was found last is drawn
// first. Returns the number of the last line.
static int print_path(Text *t, const Draw *d, const Path *path, bool ends) {
    int x = d->lines, source = x;
    text_clear(t);
    if (d->made.data) text_add(t, d->made.data);
    if (path->blank) {
        text_print(t, "x%d = shape(I)\nx%d = canvas(%d, x%d)\n", x + 1, x + 2, d->ground[0], x + 1);
        x += 2;
    }
    for (int k = path->count - 1; k >= 0; k--, x++) {
        if (k == 0 && ends) text_add(t, "O = draw(");
        else text_print(t, "x%d = draw(", x + 1);
        for (int n = 0; n < 2; n++) { // the canvas, the source
            int number = n == 0 ? x : source;
            if (number) text_print(t, "x%d, ", number);
            else text_add(t, "I, ");
        }
        print_piece(t, &path->pieces[k]);
        text_add(t, ")\n");
    }
    return x;
}

// ---- The engine ----

static bool is_grid(ts_grid g) { return grid_fits(g, GRID_TASK_SIDE) && colors_everywhere(g); }

static bool prepare(Draw *d) {
    Quest *q = d->q;
    int cells = 0;
    d->offset = TAKE(q, int, q->samples + 1);
    if (!d->offset) return false;
    for (int k = 0; k < q->samples; k++) {
        ts_grid in = q->inputs[k];
        if (!is_grid(in)) return false;
        if (k < q->demos && (!grid_same_size(in, q->outputs[k]) || !is_grid(q->outputs[k]))) return false;
        d->offset[k] = cells;
        cells += in.height * in.width;
    }
    if (cells > (q->side > GRID_USUAL_SIDE ? MOST_CELLS : MOST_CELLS / 2)) return false;
    d->offset[q->samples] = d->cells = cells;
    d->demo_cells = d->offset[q->demos];
    d->ground = TAKE(q, int8_t, q->samples);
    d->input = TAKE(q, int8_t, cells);
    d->base = TAKE(q, int8_t, cells);
    d->output = TAKE(q, int8_t, d->demo_cells);
    d->allowed = TAKE(q, uint16_t, d->demo_cells);
    d->wrong = TAKE(q, uint8_t, d->demo_cells);
    d->may = TAKE(q, uint32_t, d->demo_cells);
    d->wrongs = TAKE(q, uint32_t, d->demo_cells);
    d->scratch = TAKE(q, int8_t, MOST_CELLS);
    d->mask = TAKE(q, uint64_t, MOST_CELLS / 4);
    if (!d->ground || !d->input || !d->base || !d->output || !d->allowed || !d->wrong || !d->may ||
        !d->wrongs || !d->scratch || !d->mask ||
        !brush_init(&q->arena, &d->brush, (ts_grid){GRID_TASK_SIDE, GRID_TASK_SIDE, NULL}))
        return false;
    for (int k = 0; k < q->demos; k++)
        memcpy(d->output + d->offset[k], q->outputs[k].cells, (size_t)(d->offset[k + 1] - d->offset[k]));
    for (int k = 0; k < MOST_PIECES; k++)
        if (!(d->groups[k] = TAKE(q, Group, MOST_GROUPS))) return false;
    return true;
}

// Sees the grids in all ways.
static void look(Draw *d) {
    d->view_count = 0;
    for (int k = 0; k < d->q->samples; k++) {
        d->ground[k] = (int8_t)ground_of(d->grids[k]);
        memcpy(d->input + d->offset[k], d->grids[k].cells, (size_t)(d->offset[k + 1] - d->offset[k]));
    }
    for (int k = 0; k < PARTS_KINDS; k++) draw_make_view(d, k);
}

// Starts a search that learns from all demos but one (-1: from all).
static void begin(Draw *d, int left_out, bool blank) {
    d->path = d->partial = (Path){.blank = blank};
    d->solution_count = d->state_count = 0;
    for (int k = 0; k < d->q->samples; k++) {
        if (k < d->q->demos) d->learns[k] = k != left_out;
        for (int n = d->offset[k]; n < d->offset[k + 1]; n++) {
            d->base[n] = blank ? d->ground[k] : d->input[n];
            if (k >= d->q->demos) continue;
            bool counts = d->learns[k];
            d->allowed[n] = (uint16_t)(counts ? 1 << d->output[n] : ANY_COLOR);
            d->wrong[n] = counts && d->base[n] != d->output[n];
        }
        for (int n = 0; n < d->view_count; n++) {
            DrawView *v = &d->views[n];
            if (k == 0) memset(v->targets, 0, (size_t)v->sight.words * sizeof *v->targets);
            for (int part = v->sight.first[k];
                 part < v->sight.first[k + 1] && (k >= d->q->demos || k == left_out); part++)
                v->targets[part / 64] |= 1ULL << part % 64;
        }
    }
}

// What a path makes of a sample, in scratch.
static void run_path(Draw *d, const Path *path, int sample) {
    int8_t colors[SIGHT_PARTS];
    memcpy(d->scratch, d->base + d->offset[sample], (size_t)(d->offset[sample + 1] - d->offset[sample]));
    for (int k = path->count - 1; k >= 0; k--) {
        const DrawPiece *p = &path->pieces[k];
        draw_colors(d, p->view, &p->paint, colors);
        draw_sample(d, p, colors, sample, d->scratch);
    }
}

static bool predicts(Draw *d, const Path *path, int sample) {
    run_path(d, path, sample);
    int start = d->offset[sample];
    return memcmp(d->scratch, d->output + start, (size_t)(d->offset[sample + 1] - start)) == 0;
}

static int by_cost(const void *a, const void *b) {
    const Path *x = a, *y = b;
    return x->cost != y->cost ? x->cost - y->cost : x->number - y->number;
}

static int foresight(Draw *d, bool blank) {
    int right = 0;
    for (int k = 0; k < d->q->demos && !d->over; k++) {
        begin(d, k, blank);
        memcpy(d->beams, (int[]){1, 1, 1, 1}, sizeof d->beams);
        explore(d, 0);
        right += d->solution_count && predicts(d, &d->solutions[0], k);
    }
    return right;
}

static void offer(Draw *d, Text *t, const Path *path, int class) {
    print_path(t, d, path, true);
    if (t->data && !t->failed) quest_offer(d->q, ENGINE_draw, class, t->data);
}

// Offers what was found; of the best one also what it may be but for one piece.
static void offer_all(Draw *d) {
    Path best[MOST_SOLUTIONS];
    int n = d->solution_count;
    memcpy(best, d->solutions, (size_t)n * sizeof *best);
    qsort(best, (size_t)n, sizeof *best, by_cost);
    Path partial = d->partial;
    int right = n ? foresight(d, d->path.blank) : 0;
    int trust = right == d->q->demos ? 0 : right ? 1 : 2;
    Text t = {0};
    for (int k = 0; k < n && k < 3; k++) {
        offer(d, &t, &best[k], class_of(d, &best[k], trust));
        for (int m = 0; k == 0 && m < best[k].count; m++) {
            if (best[k].groups[m]->outcome_count < 2) continue;
            Path other = best[k];
            other.pieces[m] = other.groups[m]->outcomes[1].best;
            offer(d, &t, &other, CLASS_OTHER + trust);
        }
    }
    if (n == 0 && partial.count) offer(d, &t, &partial, CLASS_PARTIAL);
    d->partial = partial;
    quest_free_text(d->q, &t);
}

// Goes on with what the best partial path makes of the inputs. False where that is not worth it.
static bool go_on(Draw *d) {
    Quest *q = d->q;
    Path path = d->partial;
    begin(d, -1, path.blank);
    if (!path.count || path.wrong * 2 > wrong_left(d)) return false;
    ts_grid *grids = TAKE(q, ts_grid, q->samples);
    int8_t *cells = TAKE(q, int8_t, d->cells);
    if (!grids || !cells) return false;
    for (int k = 0; k < q->samples; k++) {
        run_path(d, &path, k);
        memcpy(cells + d->offset[k], d->scratch, (size_t)(d->offset[k + 1] - d->offset[k]));
        grids[k] = (ts_grid){q->inputs[k].height, q->inputs[k].width, cells + d->offset[k]};
    }
    Text t = {0};
    d->lines = print_path(&t, d, &path, false);
    quest_free_text(d->q, &d->made);
    d->made = t;
    d->grids = grids;
    return t.data && !t.failed;
}

bool engine_draw(Quest *q) {
    Draw *d = TAKE(q, Draw, 1);
    if (!d) return true;
    *d = (Draw){.q = q, .grids = q->inputs};
    if (!prepare(d)) return true;
    bool solved = false;
    for (int round = 0; round < 2 && !solved && !d->over && (round == 0 || go_on(d)); round++) {
        int wrong_at_first = 0;
        look(d);
        for (int blank = 0; blank < 2 && !solved && !d->over; blank++) {
            Path partial = d->partial;
            begin(d, -1, blank);
            if (blank && (round || wrong_left(d) >= wrong_at_first)) { // the input is no worse
                d->partial = partial;
                break;
            }
            wrong_at_first = wrong_left(d);
            memcpy(d->beams, (int[]){3, 2, 1, 1}, sizeof d->beams);
            explore(d, 0);
            solved = d->solution_count;
            offer_all(d);
        }
    }
    quest_free_text(d->q, &d->made);
    return !d->over;
}
