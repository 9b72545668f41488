// Rules that put things into a frame: a piece that is as large as the output, and all that lies outside of
// it.
#include "assemble/assemble_engine.h"
#include "assemble/fit.h"
#include "cutout/cutout_engine.h"

typedef struct {
    int source;
    const Pieces *p;
    Choice choice;
    int frame[QUEST_MOST_SAMPLES]; // the piece of each sample that is meant
    Fitting how;
} FitRule;

static bool fit_sample(Assembler *s, const void *rule, int sample, ts_grid *out) {
    const FitRule *r = rule;
    const Pieces *p = &r->p[sample];
    ts_grid view;
    int64_t work = 0;
    bool done = piece_view(&s->scratch, p, r->frame[sample], PieceView_WHOLE_BOX, &view) &&
                fit_made(&s->scratch, p, r->frame[sample], view, &r->how, &work, out);
    return quest_spend(s->q, work) && done;
}

// Whether the choice means one piece of each sample, as large as the output.
static bool choose_frames(const Quest *q, FitRule *r) {
    for (int k = 0; k < q->samples; k++) {
        int ties;
        r->frame[k] = piece_chosen(&r->p[k], &r->choice, &ties);
        if (r->frame[k] < 0 || ties) return false;
        const Piece *t = &r->p[k].at[r->frame[k]];
        if (k < q->demos && (t->height != q->outputs[k].height || t->width != q->outputs[k].width))
            return false;
    }
    return true;
}

static bool try_frame(Assembler *s, FitRule *r) {
    static const double kinds[] = {1.2, 1, 1.5, 1, 2}, fits[FITS] = {1, 1.5, 1.5, 1.5};
    double base = cutout_source_cost(r->source) + cutout_prop_cost(r->choice.prop);
    for (int kind = PartsKind_PARTS; kind <= PartsKind_COLORS; kind++)
        for (int fit = 0; fit < FITS; fit++)
            for (int turn = 0; turn <= FitTurn_MIRRORED_TO_FIT; turn++)
                for (int paint = 0; paint < (fit == Fit_FILL_INSIDE ? 2 : 1); paint++) {
                    r->how = (Fitting){kind, fit, turn, paint};
                    if (!quest_spend(s->q, 500)) return false;
                    double cost = base + kinds[kind] + fits[fit] + (turn > 0) + 2 * paint;
                    if (!assemble_try(s, fit_sample, r, cost, true)) continue;
                    text_print(&s->text, "O = fitted(I, (%d, %d), (%d, %d), (%d, %d, %d, %d))\n", r->source,
                               PieceView_WHOLE_BOX, r->choice.prop, r->choice.kind, kind, fit, turn, paint);
                    assemble_note(s);
                }
    return true;
}

bool assemble_fits(Assembler *s) {
    static const int sources[] = {
        PartsKind_PARTS, PartsKind_PARTS_DIAGONAL, PartsKind_THINGS, PartsKind_THINGS_DIAGONAL,
        Source_FRAMES,   Source_CORNER_MARKS,      PartsKind_PATCHES};
    static const int props[] = {PieceProperty_INDEX, Property_SIZE, Property_AREA, PieceProperty_BOX_AREA};
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        FitRule r = {.source = sources[k], .p = assemble_pieces(s, sources[k])};
        uint64_t before = 0;
        for (size_t n = 0; r.p && n < sizeof props / sizeof *props; n++) {
            if (!pieces_prop_fits(r.source, props[n])) continue;
            r.choice = (Choice){.where = -1, .prop = props[n], .kind = Superlative_MOST};
            if (!choose_frames(s->q, &r)) continue;
            uint64_t frames = 1;
            for (int i = 0; i < s->q->samples; i++) frames = 61 * frames + (uint64_t)r.frame[i];
            if (frames == before) continue;
            before = frames;
            if (!try_frame(s, &r)) return false;
        }
        if (s->q->units <= 0) return false;
    }
    return true;
}
