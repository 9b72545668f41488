// Arguments in words. What a parameter of a coarse primitive may hold is said in words; a literal that says
// it in codes, as programs did before there were words, or in more words than it takes, becomes that, and one
// that says nothing of the kind is refused.
#ifndef TESSERA_PROGRAM_ARGUMENTS_H
#define TESSERA_PROGRAM_ARGUMENTS_H

#include "program/draft.h"

typedef enum {
    ARGUMENT_STAYS, // takes no words, or it cannot be seen which
    ARGUMENT_SAID,
    ARGUMENT_UNFIT, // with the fault
} ArgumentWords;

// A constant as argument k; `before` is the argument of the parameter before, or REF_NONE.
ArgumentWords argument_in_words(Ctx *c, const Draft *d, const OpInfo *info, int k, Ref before, Ref argument,
                                Value *said, ShapeFault *fault);
void argument_print_fault(Text *t, const OpInfo *info, int k, const ShapeFault *fault);
// Where this leaf of a literal stands, which begins at `start`.
const char *argument_leaf(const char *start, const char *end, int leaf);
// The parameter that the second argument of such a line is bound to: the last one of rbind's function, the
// first one of lbind's, of those that are still free. NULL where that is not to be seen.
const OpInfo *argument_bound(const Draft *d, const DraftLine *line, int *k);

#endif
