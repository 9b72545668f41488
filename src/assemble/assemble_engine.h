// What the parts of the engine `assemble` share: the pieces of all samples, and the rules that fit.
//
// Rules are weighed as those of cutout are: each is worth 2^-cost. What rules that are right on all demos are
// worth, beside those that miss one, says whether that demo would have been foreseen.
#ifndef TESSERA_ASSEMBLE_ASSEMBLE_ENGINE_H
#define TESSERA_ASSEMBLE_ASSEMBLE_ENGINE_H

#include "cutout/crop.h"
#include "search/quest.h"

enum { ASSEMBLE_MOST_FOUND = 32, ASSEMBLE_SOURCES = 20, ASSEMBLE_PIECES = 40 };

typedef struct {
    uint64_t answers; // hash of those for all tests
    double cost;      // of the cheapest
    double worth;     // of all
    bool fits_in;     // whether things go into a frame
    char *lines;
} AssembleFound;

typedef struct {
    Quest *q;
    Arena scratch;       // given back after each rule
    unsigned new_colors; // those that all outputs have and no input of the demos
    int source_count;
    int sources[ASSEMBLE_SOURCES]; // that were looked at
    Pieces *pieces[ASSEMBLE_SOURCES];
    int found_count;
    AssembleFound found[ASSEMBLE_MOST_FOUND];
    AssembleFound *current; // whose lines are being written
    double right, wrong_on[QUEST_MOST_DEMOS];
    Text text;
} Assembler;

// The pieces of a source for all samples, with their properties; NULL where a sample has none, or more than
// ASSEMBLE_PIECES, or memory is short.
Pieces *assemble_pieces(Assembler *s, int source);

// Takes a rule that is tried: the grid that it gives for a sample, of height 0 where it gives none.
typedef bool AssembleFn(Assembler *s, const void *rule, int sample, ts_grid *out);
// Runs it on the demos, and on the tests where it is right on all of them. True where its lines are wanted:
// they are to be put into s->text, and assemble_note called.
bool assemble_try(Assembler *s, AssembleFn *made, const void *rule, double cost, bool fits_in);
void assemble_note(Assembler *s);

bool assemble_layouts(Assembler *s); // (assemble_layouts.c)
bool assemble_fits(Assembler *s);    // (assemble_fits.c)

#endif
